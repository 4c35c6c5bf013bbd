#!/usr/bin/env python
"""Measure what quantised vectors cost in quality, ranked by Qdrant in this process.

Run with the project's Python:

    python scripts/measure_quantization.py [--suite docs] [--store FOLDER …] [SETTING=VALUE …]

For each retriever it prints NDCG@10 of an exact search and of every way to keep vectors, the
difference of the two with its 95 % interval (on these repositories), and the share of the ten
nearest chunks that the engine found. With several stores, the engine's trials run in each, and the
last column is the share of queries with the same first ten hits in all runs: a store that holds
embeddings but no such ranking makes a build of the index of its own.
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.analysis.differences import difference_here
from bench.analysis.matrix import ScoreMatrix
from bench.results import read_results
from bench.results.query_result import QueryResult
from bench.results.trial_result import TrialResult

ROOT = Path(__file__).resolve().parents[1]
FIXED = ("latency=off", "tracking=none", "prior=off", "execution=local", "execution.workers=1")
WAYS = (
    ("none", "auto"),
    ("scalar", "off"),
    ("scalar", "on"),
    ("binary", "off"),
    ("binary", "on"),
    ("product", "off"),
    ("product", "on"),
)
"""Values of `vectors.quantization` and `vectors.rescore`."""
MEASURE = "ndcg_at_10"
Trials = dict[tuple[str, str, str], TrialResult]


def main() -> int:
    """Run the grids and print a table for each retriever."""
    arguments = _arguments()
    shared = [*FIXED, f"suite={arguments.suite}", f"retriever={','.join(arguments.retrievers)}"]
    shared += [f"reranker={arguments.reranker}", *arguments.overrides]
    with tempfile.TemporaryDirectory() as scratch:
        stores = arguments.store or [Path(scratch, "store")]
        exact = _run(Path(scratch, "exact"), [*shared, "vectors=exact", f"store={stores[0]}"])
        builds = [_engine(Path(scratch, str(n)), shared, one) for n, one in enumerate(stores)]
    for retriever in arguments.retrievers:
        print(f"\n{retriever}, suite={arguments.suite}\n")
        print(_lines(retriever, exact[retriever, "none", "auto"], builds))
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--suite", default="quick", help="suite to ask (default: quick)")
    parser.add_argument("--retrievers", nargs="+", default=["dense", "hybrid"])
    parser.add_argument("--reranker", default="off", help="reranker of all trials (default: off)")
    parser.add_argument("--store", type=Path, nargs="+", help="stores (default: a temporary one)")
    parser.add_argument("overrides", nargs="*", help="settings of all trials")
    return parser.parse_args()


def _engine(folder: Path, shared: Sequence[str], store: Path) -> Trials:
    """Return the trials that the engine ranks, with a graph for every repository."""
    folder.mkdir()
    settings = [*shared, f"store={store}", "vectors.ranked=true", "vectors.scan_below_kilobytes=1"]
    found: Trials = {}
    for rescore in ("auto", "on", "off"):
        kept = ",".join(way for way, how in WAYS if how == rescore)
        swept = [f"vectors.quantization={kept}", f"vectors.rescore={rescore}"]
        found |= _run(folder / rescore, [*settings, *swept])
    return found


def _run(folder: Path, settings: Sequence[str]) -> Trials:
    folder.mkdir()
    command = [sys.executable, str(ROOT / "bench/run.py"), "-m", *settings, f"output={folder}"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"the study failed:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    return {_key(trial): trial for trial in read_results(folder / "latest").trials}


def _key(trial: TrialResult) -> tuple[str, str, str]:
    kept = str(trial.axes.get("vectors.quantization", "none"))
    rescore = str(trial.axes.get("vectors.rescore", "auto"))
    return str(trial.axes["retriever"]), kept, rescore


def _lines(retriever: str, exact: TrialResult, builds: Sequence[Trials]) -> str:
    """Return a Markdown table with a row for each way to store vectors."""
    rows = [
        [
            "`vectors.quantization`",
            "`vectors.rescore`",
            "NDCG@10",
            "beside exact search",
            "of the 10 nearest, found",
            "same first ten",
        ],
        ["---"] * 6,
        ["exact search", "", f"{exact.mean(MEASURE):.4f}", "", "", ""],
    ]
    for kept, rescore in WAYS:
        trials = [build[retriever, kept, rescore] for build in builds]
        rows.append([f"`{kept}`", f"`{rescore}`", *_numbers(trials, exact)])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _numbers(trials: Sequence[TrialResult], exact: TrialResult) -> list[str]:
    first = trials[0]
    same = [
        len({_first_ten(trial.by_key[query.key]) for trial in trials}) == 1
        for query in first.queries
    ]
    found = first.summary.get("engine_recall_at_10")
    return [
        f"{first.mean(MEASURE):.4f}",
        _difference(first, exact),
        "" if found is None else f"{found:.3f}",
        f"{sum(same)} of {len(same)}" if len(trials) > 1 else "",
    ]


def _first_ten(query: QueryResult) -> tuple[object, ...]:
    return tuple((hit.path, hit.start, hit.end, hit.start_byte) for hit in query.hits)


def _difference(trial: TrialResult, exact: TrialResult) -> str:
    pairs = [
        (query.repository, query.numbers[MEASURE], exact.by_key[query.key].numbers[MEASURE])
        for query in trial.queries
        if MEASURE in query.numbers
    ]
    known = [pair for pair in pairs if None not in pair]
    values = [(own, other) for _, own, other in known]
    matrix = ScoreMatrix.of(values, [name for name, _, _ in known], ("engine", "exact"))
    apart = difference_here(matrix, "engine", "exact")
    if apart.interval is None:
        return f"{apart.value:+.4f}"
    return f"{apart.value:+.4f} [{apart.interval.low:+.4f}, {apart.interval.high:+.4f}]"


if __name__ == "__main__":
    sys.exit(main())
