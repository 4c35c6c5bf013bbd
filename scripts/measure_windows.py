#!/usr/bin/env python
"""Measure what a model is given of chunks: sizes, `embedder.long_text` and `embedder.windows`.

Run with the project's Python: python scripts/measure_windows.py [--suite docs] [SETTING=VALUE]
Each retriever, size and way is a trial of one grid with one worker, and all share a store: a text
is embedded once. For each retriever and measure a table is printed, with the order of the sizes.
`--measures` takes other columns of results.json; add measures=[…] for those that are not standard.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FIXED = ("latency=off", "tracking=none", "execution=local", "execution.workers=1")
SIZES = (64, 128, 256, 512, 1024, 2048)
WAYS = ("max", "mean", "truncate")
SHARED = "small_to_big"
MEASURES = ("ndcg_at_10", "recall_at_1000_tokens", "recall_at_4000_tokens")

Means = Mapping[str, float | None]
Table = dict[tuple[str, str, int], Means]
"""Means by retriever, way and size."""


def main() -> int:
    """Run the grids and print a table for each retriever and measure."""
    arguments = _arguments()
    with tempfile.TemporaryDirectory() as scratch:
        store = arguments.store or Path(scratch, "store")
        shared = [*FIXED, f"suite={arguments.suite}", f"half={arguments.half}", f"store={store}"]
        shared += [f"retriever={','.join(arguments.retrievers)}", *arguments.overrides]
        shared += [f"chunk={','.join(map(str, arguments.sizes))}"]
        own = _run(Path(scratch, "own"), [*shared, f"embedder.long_text={','.join(WAYS)}"])
        whole = _run(Path(scratch, "shared"), [*shared, f"embedder.windows={SHARED}"])
    for retriever in arguments.retrievers:
        for measure in arguments.measures:
            print(f"\n{retriever}, {measure}\n")
            print(_lines(own | whole, retriever, measure, arguments.sizes))
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--suite", default="quick", help="suite to ask (default: quick)")
    parser.add_argument("--half", default="tune", help="half of the queries (default: tune)")
    parser.add_argument("--sizes", type=int, nargs="+", default=[*SIZES], help="chunk sizes")
    parser.add_argument("--retrievers", nargs="+", default=["dense", "hybrid"])
    parser.add_argument("--measures", nargs="+", default=[*MEASURES], help="columns of results")
    parser.add_argument("--store", type=Path, help="store to use (default: a temporary one)")
    parser.add_argument("overrides", nargs="*", help="settings of all trials")
    return parser.parse_args()


def _run(folder: Path, settings: Sequence[str]) -> Table:
    folder.mkdir()
    command = [sys.executable, str(ROOT / "bench/run.py"), "-m", *settings, f"output={folder}"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"the study failed:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    content = json.loads((folder / "latest/results.json").read_text(encoding="utf-8"))
    return {_key(report["config"]): report["summary"] for report in content["reports"]}


def _key(config: Mapping[str, object]) -> tuple[str, str, int]:
    way = SHARED if config["windows"] == SHARED else str(config["long_text"])
    return str(config["retriever"]), way, int(str(config["chunk"]))


def _lines(table: Table, retriever: str, measure: str, sizes: Sequence[int]) -> str:
    """Return a Markdown table with a row for each way and a column for each size."""
    rows = [
        ["", *(f"{size:,}" for size in sizes), "sizes, best first"],
        ["---"] * (len(sizes) + 2),
    ]
    for way in (*WAYS, SHARED):
        means = {size: table[retriever, way, size][f"avg_{measure}"] for size in sizes}
        known = {size: mean for size, mean in means.items() if mean is not None}
        order = sorted(known, key=lambda size, known=known: -known[size])
        shown = ["" if mean is None else f"{mean:.3f}".lstrip("0") for mean in means.values()]
        rows.append([f"`{way}`", *shown, ", ".join(f"{size:,}" for size in order)])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


if __name__ == "__main__":
    sys.exit(main())
