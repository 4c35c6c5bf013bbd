"""Measure the overhead of scheduling and storing for many short stages.

The stages are those of lexical trials on the packages of `suite=quick`, or of other settings, with
an empty store. They run in this process (`alone`), in two worker processes and on Ray. `driver` is
the CPU time of the scheduling loop per stage. `beside` is the overhead per stage of a process that
also runs the stages: scheduling, storing and checking. Workers store and check their own stages,
so `alone` shows their overhead. Before the measurement, one stage runs alone, because the first
message makes Ray load libraries. Its overhead is printed as `start`. With --against, another
checkout is measured in turn. Creating a file takes .02 to 1 ms, depending on the file system.
TMPDIR=/dev/shm avoids this.

    .venv/bin/python scripts/measure_overhead.py
    .venv/bin/python scripts/measure_overhead.py --against ../before chunk=512 retriever=bm25
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SETTINGS = ["chunk=256,512,1024,2048", "retriever=bm25,lexical"]
POOLS = ("alone", "processes", "ray")
_WORKERS = 2


def main() -> None:
    """Measure every pool in its own process."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--against", type=Path, help="another checkout, measured in turn")
    parser.add_argument("--pool", choices=POOLS, help="carry the stages out here, on this one")
    parser.add_argument("settings", nargs="*", help="of a grid; several values with commas")
    given = parser.parse_args()
    settings = given.settings or SETTINGS
    if given.pool:
        measure(given.pool, settings)
        return
    roots = [root.resolve() for root in (given.against, ROOT) if root]
    print(f"load {os.getloadavg()[0]:.1f}", flush=True)
    for pool in POOLS:
        for root in roots:
            command = [sys.executable, __file__, f"--pool={pool}", *settings]
            environment = {**os.environ, "PYTHONPATH": str(root), "OMP_NUM_THREADS": "1"}
            subprocess.run(command, env=environment, check=True)


def measure(kind: str, settings: list[str]) -> None:
    """Run the stages of some settings and print the overhead."""
    root = os.environ.get("PYTHONPATH", str(ROOT))
    sys.path[0] = root
    from bench.engine import NoObserver, Plan, Pool, carry_out
    from bench.files import data_folder
    from bench.launcher.grid import read_grid
    from bench.launcher.planning import planned
    from bench.launcher.points import read_points
    from bench.study import Estimate

    with tempfile.TemporaryDirectory() as folder:
        overrides = [*settings, "latency=off", f"store={folder}/store"]
        study = planned(read_grid(read_points(overrides, data_folder("conf"), multirun=True)))
        pool: Pool = opened(kind)

        def carried_out(plan: Plan) -> tuple[Any, float]:
            expected = Estimate.of(plan, study.store, workers=_WORKERS).mean_by_kind()
            before = time.process_time()
            found = carry_out(plan, study.store.url, pool, NoObserver(), expected_seconds=expected)
            return found.values(), time.process_time() - before

        first = next(stage for stage in study.remaining.stages if not stage.inputs)
        outcomes, start = carried_out(Plan((first,)))
        if kind == "alone":
            start -= _of(outcomes)
        plan = Plan(tuple(one for one in study.remaining.stages if one is not first))
        outcomes, driver = carried_out(plan)
        pool.close()
    done = _of(outcomes)
    if kind == "alone":
        driver -= done  # the stages ran in the driver
    _show(f"{Path(root).name}, {kind}", len(plan.stages), done, driver, start)


def _show(name: str, count: int, done: float, driver: float, start: float) -> None:
    what = "beside" if name.endswith("alone") else "driver"
    print(
        f"{name:<20} {count} stages, {done:.1f} CPU-seconds;"
        f" {what} {1e3 * driver / count:.2f} ms per stage, {driver / (driver + done):.1%} of both;"
        f" start {start:.2f} s",
        flush=True,
    )


def _of(outcomes: Any) -> float:
    """Return the total CPU-seconds of stages, with their setup."""
    return sum(float(one.cost.cpu_seconds + one.cost.setup_cpu_seconds) for one in outcomes)


def opened(kind: str) -> Any:
    """Return a pool with at most two workers."""
    from bench.engine import local_pool

    if kind != "ray":
        return local_pool(_WORKERS if kind == "processes" else 0)
    from bench.engine.cluster import RayPool

    return RayPool("local", _WORKERS)


if __name__ == "__main__":
    main()
