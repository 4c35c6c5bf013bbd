"""Walk from the described figures of the graph to its defaults, one setting at a time.

    python scripts/measure_described.py --store STORE polyglot tiered

Every trial takes one more setting from the defaults of `retriever=graph`; the first is
`retriever=graph_described`, the last `retriever=graph`. Prints NDCG@10 and recall in ten hits on
the tune half of each suite, as a Markdown table.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import yaml

from bench.files import data_folder
from bench.launcher.points import read_points
from bench.results import TrialResult, read_results

ROOT = Path(__file__).parents[1]
FIRST = (
    "scoring.seed",
    "seeding.weights.text",
    "seeding.weights.tiered",
    "seeding.bm25.fields.body",
    "seeding.bm25.fields.tokenizer",
    "walk.backward",
)
"""Settings to change first, in this order. The others follow in the order of
conf/retriever/graph.yaml."""
MEASURES = ("ndcg_at_10", "recall_at_10")


def main() -> None:
    """Measure each step on each suite and print its row."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("suites", nargs="+")
    parser.add_argument("--store", required=True)
    given = parser.parse_args()
    steps = list(_steps())
    found = [_measured(suite, steps, given.store) for suite in given.suites]
    heads = " | ".join(f"`{suite}` NDCG@10 | R@10" for suite in given.suites)
    print(f"| now as in the defaults | {heads} |\n|{'---|' * (1 + 2 * len(found))}")
    for (name, _), *trials in zip(steps, *found, strict=True):
        print(f"| {name} | {' | '.join(map(_cells, trials))} |")


def _steps() -> Iterator[tuple[str, dict[str, object]]]:
    """Yield each step's name and all its settings."""
    described, ours = (_settings(name) for name in ("graph_described", "graph"))
    differ = {name: value for name, value in described.items() if ours[name] != value}
    point = {"retriever": "graph"} | {f"retriever.{name}": differ[name] for name in differ}
    yield "nothing: `graph_described`", dict(point)
    for name in sorted(differ, key=lambda one: FIRST.index(one) if one in FIRST else len(FIRST)):
        point[f"retriever.{name}"] = ours[name]
        yield f"`{name}` {_value(differ[name])} → {_value(ours[name])}", dict(point)


def _settings(retriever: str) -> Mapping[str, object]:
    (point,) = read_points([f"retriever={retriever}"], data_folder("conf"), multirun=False)
    return dict(_flat(point.config["retriever"]))


def _flat(settings: Mapping[str, object], under: str = "") -> Iterator[tuple[str, object]]:
    for name, value in settings.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{under}{name}.")
        else:
            yield f"{under}{name}", value


def _value(value: object) -> str:
    return yaml.safe_dump(value, default_flow_style=True).removesuffix("...\n").strip()


def _measured(
    suite: str, steps: list[tuple[str, dict[str, object]]], store: str
) -> list[TrialResult]:
    with tempfile.TemporaryDirectory() as folder:
        points = Path(folder, "points.json")
        points.write_text(json.dumps([point for _, point in steps]), encoding="utf-8")
        settings = [f"suite={suite}", f"points={points}", f"store={store}", f"output={folder}"]
        settings += ["half=tune", "chunker=symbol", "latency=off", "tracking=none", "prior=off"]
        command = [sys.executable, str(ROOT / "bench" / "run.py"), *settings]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return list(read_results(Path(folder, "latest")).trials)


def _cells(trial: TrialResult) -> str:
    return " | ".join(f"{trial.mean(measure) or 0.0:.3f}" for measure in MEASURES)


if __name__ == "__main__":
    main()
