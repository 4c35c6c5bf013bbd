"""Kill a grid with -9 at random moments, let it finish, and compare with an undisturbed run.

Prints whether the results are the same and how many finished stages were made a second time.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bench.results.packed import unpacked

ROOT = Path(__file__).resolve().parents[1]
COSTS = ("latency", "seconds", "memory", "_ms")


def main() -> None:
    """Run the grid undisturbed and disturbed, and compare the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("grid", nargs="*", default=["-m", "chunk=512,1024", "reranker=on,off"])
    found, rest = parser.parse_known_args()
    grid = [*rest, *found.grid, "latency=off", "tracking=none"]
    with tempfile.TemporaryDirectory() as scratch:
        calm, wild = Path(scratch) / "calm", Path(scratch) / "wild"
        calm.mkdir()
        wild.mkdir()
        seconds = timed(calm, grid)
        print(f"undisturbed: {seconds:.1f} s", flush=True)
        dice = random.Random(found.seed)  # noqa: S311 - moments, not secrets
        repeated = 0
        for number in range(found.kills):
            before = artifacts(wild)
            moment = dice.uniform(seconds / 12, seconds / 4)
            kill_after(wild, grid, moment)
            repeated += again(before, artifacts(wild))
            print(f"kill {number + 1} after {moment:.1f} s: {len(artifacts(wild))} stages stored")
        before = artifacts(wild)
        timed(wild, grid)
        repeated += again(before, artifacts(wild))
        print(f"same results: {quality(calm) == quality(wild)}")
        print(f"finished stages that were made again: {repeated}")


def start(folder: Path, grid: list[str]) -> subprocess.Popen[bytes]:
    """Start the grid in a folder."""
    command = [sys.executable, str(ROOT / "bench" / "run.py"), *grid]
    quiet = subprocess.DEVNULL
    return subprocess.Popen(command, cwd=folder, stdout=quiet, stderr=quiet)


def timed(folder: Path, grid: list[str]) -> float:
    """Run the grid to its end; return its wall-clock seconds."""
    started = time.perf_counter()
    code = start(folder, grid).wait()
    if code:
        sys.exit(f"the grid failed with exit code {code}")
    return time.perf_counter() - started


def kill_after(folder: Path, grid: list[str], seconds: float) -> None:
    """Start the grid and kill its driver after some seconds, unless it ends earlier."""
    process = start(folder, grid)
    try:
        process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    time.sleep(2.0)  # time for its workers to end


def artifacts(folder: Path) -> dict[str, int]:
    """Return the write time of each stored artifact in nanoseconds."""
    place = folder / ".rankgrid" / "store" / "artifacts"
    return {
        str(file.relative_to(place)): file.stat().st_mtime_ns
        for file in place.rglob("*")
        if file.is_file() and not file.name.endswith(".draft")
    }


def again(before: dict[str, int], after: dict[str, int]) -> int:
    """Return the number of artifacts that were written again."""
    return sum(after.get(name) != written for name, written in before.items())


def quality(folder: Path) -> list[Any]:
    """Return all numbers except times and costs."""
    found = unpacked(
        json.loads((folder / "outputs/latest/results.json").read_text(encoding="utf-8"))
    )
    return [
        (
            report["query_results"],
            {k: v for k, v in report["summary"].items() if not any(c in k for c in COSTS)},
        )
        for report in found["reports"]
    ]


if __name__ == "__main__":
    main()
