"""Measure the headline grid: one plan against six separate runs, and how well workers are used.

Cold on Ray, cold on local processes, warm, and (with --separate) six cold runs one by one; each
in a store of its own in a temporary folder. Prints ratios; the machine's noise is in all of them.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from itertools import product
from pathlib import Path
from typing import Any

from bench.results.packed import unpacked

ROOT = Path(__file__).resolve().parents[1]
CHUNKS, RERANKERS = ("512", "1024", "2048"), ("on", "off")
COSTS = ("latency", "seconds", "memory", "_ms")


def main() -> None:
    """Run what was asked for and print what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--separate", action="store_true", help="also six cold runs one by one")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("overrides", nargs="*", help="settings of every run, such as latency=off")
    found = parser.parse_args()
    grid = ["-m", f"chunk={','.join(CHUNKS)}", f"reranker={','.join(RERANKERS)}"]
    grid += found.overrides
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        on_ray = run(folder, "ray", [*grid, "execution=ray"])
        report("cold on Ray", on_ray, folder / "ray", found.workers)
        warm = run(folder, "ray", grid)
        print(f"warm: {warm:.1f} s, {results(folder / 'ray')['plan']['executed']} stages executed")
        local = run(folder, "local", [*grid, "execution=local"])
        report("cold on local processes", local, folder / "local", found.workers)
        same = quality(folder / "ray") == quality(folder / "local")
        print(f"same numbers on Ray and on local processes: {same}")
        if found.separate:
            apart = [
                run(
                    folder,
                    f"{chunk}-{reranker}",
                    [f"chunk={chunk}", f"reranker={reranker}", *found.overrides],
                )
                for chunk, reranker in product(CHUNKS, RERANKERS)
            ]
            print(f"six separate cold runs: {sum(apart):.1f} s ({apart})")
            print(
                f"one plan / six runs: {on_ray / sum(apart):.2f} (Ray), {local / sum(apart):.2f}"
            )


def run(folder: Path, name: str, arguments: list[str]) -> float:
    """Run a study in a folder of its own; return its wall seconds."""
    (folder / name).mkdir(exist_ok=True)
    command = [sys.executable, str(ROOT / "bench" / "run.py"), *arguments]
    started = time.perf_counter()
    subprocess.run(command, cwd=folder / name, check=True, capture_output=True)
    return time.perf_counter() - started


def results(folder: Path) -> dict[str, Any]:
    """Return the results of the last study of a folder."""
    found: dict[str, Any] = unpacked(
        json.loads((folder / "outputs/latest/results.json").read_text())
    )
    return found


def quality(folder: Path) -> list[Any]:
    """Return all numbers that must not depend on where stages ran."""
    return [
        (
            report["query_results"],
            {k: v for k, v in report["summary"].items() if not any(c in k for c in COSTS)},
        )
        for report in results(folder)["reports"]
    ]


def report(name: str, wall: float, folder: Path, workers: int) -> None:
    """Print how the wall time compares with the least possible."""
    content = json.loads((folder / "outputs/latest/stages.json").read_text())
    stages = content["stages"]
    shared = sum(stage["seconds"] for stage in stages if not stage["exclusive"])
    alone = sum(stage["seconds"] for stage in stages if stage["exclusive"])
    path = critical_path(stages)
    busy: dict[str, float] = {}
    for stage in stages:
        if not stage["exclusive"]:
            busy[stage["worker"]] = busy.get(stage["worker"], 0.0) + stage["seconds"]
    least = max(path, shared / workers) + alone
    plain = max(path, (shared + alone) / workers)
    print(f"{name}: {wall:.1f} s with start-up, {content['wall_seconds']:.1f} s for the stages")
    print(f"  shared stages {shared:.1f} s, exclusive latency stages {alone:.1f} s")
    print(f"  critical path of the shared stages {path:.1f} s")
    taken = content["wall_seconds"]
    print(f"  wall / (max(path, shared / workers) + exclusive): {taken / least:.2f}")
    print(f"  wall / max(path, all / workers): {taken / plain:.2f}")
    shares = sorted(round(seconds / shared, 2) for seconds in busy.values())
    print(f"  share of the shared stages by worker: {shares}")
    print(f"  stages of different repositories overlap: {overlap(stages)}")


def critical_path(stages: list[dict[str, Any]]) -> float:
    """Return the seconds of the longest chain of stages that are not exclusive."""
    ends: dict[str, float] = {}
    for stage in stages:
        begins = max((ends.get(name, 0.0) for name in stage["inputs"]), default=0.0)
        ends[stage["fingerprint"]] = begins + (0 if stage["exclusive"] else stage["seconds"])
    return max(ends.values(), default=0.0)


def overlap(stages: list[dict[str, Any]]) -> bool:
    """Whether stages of two repositories ran at the same time."""
    spans = sorted(
        (stage["started"], stage["started"] + stage["seconds"], stage["subject"])
        for stage in stages
        if stage["subject"]
    )
    return any(
        later[0] < earlier[1] and later[2] != earlier[2]
        for place, earlier in enumerate(spans)
        for later in spans[place + 1 : place + 20]
    )


if __name__ == "__main__":
    main()
