"""Measure the cost of sending a study to MLflow in CPU-seconds and wall-clock seconds.

The study has random hits and scores. `rankgrid track` sends it to a new database, followed by a
second study of the same size. With --against, another checkout sends the same two studies in
turn. Wall-clock seconds mean little on a busy machine.

    .venv/bin/python scripts/measure_tracking.py --against ../before
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any

from bench.results import write_results
from bench.results.document import from_json
from tests.unit.report.sample_results import BUDGETS, a_big_grid

ROOT = Path(__file__).resolve().parents[1]
_CLI = "import sys; from bench.cli import main; main(sys.argv[1:])"
_RANKED = ("ndcg", "recall", "precision", "coverage", "hit", "map")
_DEPTHS = (1, 3, 5, 10, 20)
_WHEN = ("new database", "database in use")


def main() -> None:
    """Make the studies, send them, and print a row for each."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--trials", type=int, default=100)
    parser.add_argument("--queries", type=int, default=300)
    parser.add_argument("--against", type=Path, help="another checkout, measured in turn")
    found = parser.parse_args()
    roots = [root for root in (found.against, ROOT) if root]
    with tempfile.TemporaryDirectory() as scratch:
        studies = [Path(scratch, f"study-{number}") for number in range(len(_WHEN))]
        results = _results(found.trials, found.queries)
        for number, folder in enumerate(studies):
            folder.mkdir()
            results["study"] = f"20260102-030405-{number:06}"
            file = write_results(from_json(results, "made"), folder)
        size = file.stat().st_size / 1e6
        print(f"{found.trials} trials x {found.queries} queries, results.json {size:.1f} MB")
        for when, folder in zip(_WHEN, studies, strict=True):
            for root in roots:
                store = Path(scratch, f"of-{roots.index(root)}", "store")
                store.mkdir(parents=True, exist_ok=True)
                print(
                    f"{when:16} {root.resolve().name:12} {_sent(root, folder, store)}", flush=True
                )


def _results(trials: int, queries: int) -> dict[str, Any]:
    """Return results with as many measures per query as a real study."""
    results, random = a_big_grid(trials=trials, queries=queries, repositories=15), Random(2)  # noqa: S311
    names = [f"{measure}_at_{depth}" for measure in _RANKED for depth in _DEPTHS]
    names += [f"{measure}_at_{most}_tokens" for measure in _RANKED[:4] for most in BUDGETS]
    for report in results["reports"]:
        for row in report["query_results"]:
            row |= {name: round(random.random(), 4) for name in names}
        report["summary"] |= {f"avg_{name}": round(random.random(), 4) for name in names}
    return results


def _sent(root: Path, study: Path, store: Path) -> str:
    line = [sys.executable, "-P", "-c", _CLI, "track", str(study), "--store", str(store)]
    own = {**os.environ, "PYTHONPATH": str(root.resolve()), "OMP_NUM_THREADS": "1"}
    load, started, before = os.getloadavg()[0], time.perf_counter(), _used()
    subprocess.run(line, env=own, cwd=store.parent, capture_output=True, check=True)
    wall, cpu = time.perf_counter() - started, _used() - before
    return f"{cpu:6.2f} CPU-seconds {wall:6.1f} s (load {load:.1f})"


def _used() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
