"""Measure the headline grid: one plan against six separate runs, and how well workers are used.

Cold on Ray, cold on local processes, warm, and (with --separate) six cold runs one by one; each
in a store of its own in a temporary folder. Prints ratios; the machine's noise is in all of them.

With --naive instead: 3 sizes, 2 rerankers, 4 retrievers and 3 repositories (72 trials) in
CPU-seconds, as one plan, as runs one by one, and as a plain script (`plain_trial.py`). The latter
two are measured on one repository and taken for the others by the sizes of their texts.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import yaml

from bench.corpora import parse_source, read_source
from bench.queries import read_queries
from bench.results.packed import unpacked
from retrievers.dense import EmbeddingModel

ROOT = Path(__file__).resolve().parents[1]
CHUNKS, RERANKERS = ("512", "1024", "2048"), ("on", "off")
RETRIEVERS = ("bm25", "lexical", "dense", "hybrid")
QUIET = ("latency=off", "tracking=none", "execution=local")
COSTS = ("latency", "seconds", "memory", "_ms")


def main() -> None:
    """Run what was asked for and print what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--separate", action="store_true", help="also six cold runs one by one")
    parser.add_argument("--naive", action="store_true", help="72 trials against a plain script")
    parser.add_argument("--measured", default="jinja2", help="of --naive: the repository")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("overrides", nargs="*", help="settings of every run, such as latency=off")
    found = parser.parse_args()
    if found.naive:
        compare_with_naive(found.measured)
        return
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


def compare_with_naive(measured: str) -> None:
    """Print the CPU-seconds of one plan, of separate runs and of a plain script."""
    suite = yaml.safe_load((ROOT / "conf/suite/quick.yaml").read_text("utf-8"))
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        sizes = {
            one["name"]: write_texts(one, folder / f"{one['name']}.json")
            for one in suite["repositories"]
        }
        times = sum(sizes.values()) / sizes[measured]
        cells = list(product(CHUNKS, RERANKERS, RETRIEVERS))
        axes = {"chunk": CHUNKS, "reranker": RERANKERS, "retriever": RETRIEVERS}
        grid = [f"{axis}={','.join(values)}" for axis, values in axes.items()]
        print(f"load {os.getloadavg()[0]:.1f}; {len(cells)} trials on {', '.join(sizes)}")
        plan = spent(run, folder, "plan", ["-m", *grid, *QUIET])
        print(f"one plan: {plan:.0f} CPU-seconds", flush=True)
        parts: dict[str, list[tuple[Any, ...]]] = {
            "runs one by one": [(separate, folder, measured, cell) for cell in cells],
            "plain script": [(plain, folder, measured, cell) for cell in cells],
            "plain script, chunks cut off": [
                (plain, folder, measured, (*cell, "--cut-off")) for cell in cells
            ],
        }
        for name, calls in parts.items():
            of_one = sum(spent(*one) for one in calls)
            whole = of_one * times
            print(
                f"{name}: {of_one:.0f} CPU-seconds on {measured}, taken for {whole:.0f} on all, "
                f"{whole / plan:.1f} times the plan; load {os.getloadavg()[0]:.1f}",
                flush=True,
            )


def write_texts(entry: dict[str, Any], place: Path) -> int:
    """Write what the plain script reads of a repository; return the size of its texts."""
    documents = read_source(parse_source(entry["source"], entry["name"])).documents
    content: dict[str, Any] = {
        "model": EmbeddingModel().resolved().weights.source,
        "documents": {path: documents.text(row) for row, path in enumerate(documents.paths)},
        "questions": [query.text for query in read_queries(ROOT / entry["queries"])],
    }
    place.write_text(json.dumps(content), "utf-8")
    return sum(len(text) for text in content["documents"].values())


def separate(folder: Path, repository: str, cell: tuple[str, ...]) -> None:
    """Run one trial of ours by itself, with a store of its own."""
    chunk, reranker, retriever = cell
    settings = [f"chunk={chunk}", f"reranker={reranker}", f"retriever={retriever}"]
    name = "-".join(cell)
    run(folder, name, [*settings, f"only.repositories=[{repository}]", *QUIET])


def plain(folder: Path, repository: str, cell: tuple[str, ...]) -> None:
    """Run one trial of the plain script."""
    command = [sys.executable, str(ROOT / "scripts/plain_trial.py"), f"{repository}.json", *cell]
    one_thread = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    subprocess.run(
        command, cwd=folder, check=True, capture_output=True, env={**os.environ, **one_thread}
    )


def spent(work: Callable[..., object], *given: object) -> float:
    """Return the CPU-seconds of the programs that some work starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    work(*given)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


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
