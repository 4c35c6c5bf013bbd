"""Measure the headline grid: one plan against six separate runs, and how well workers are used.

Cold on Ray, cold on local processes, warm, and (with --separate) six cold runs one by one; each
in a store of its own in a temporary folder. Prints ratios; the machine's noise is in all of them.

With --naive instead: 3 sizes, 2 rerankers, 4 retrievers and 3 repositories (72 trials) in
CPU-seconds, as one plan, as runs one by one, and as a plain script (`plain_trial.py`). The plan is
run. Of the others every distinct part is measured once, the long ones on a sample, and multiplied
by how often it is repeated; each line says which.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
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
QUICK = "conf/suite/quick.yaml"
QUIET = ("latency=off", "tracking=none", "execution=local")
COSTS = ("latency", "seconds", "memory", "_ms")


def main() -> None:
    """Run the requested comparison and print its costs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--separate", action="store_true", help="also six cold runs one by one")
    parser.add_argument("--naive", action="store_true", help="72 trials against a plain script")
    parser.add_argument("--suite", default=QUICK, help="of --naive: a file of repositories")
    parser.add_argument("--windows", type=int, default=256, help="of --naive: windows embedded")
    parser.add_argument("--questions", type=int, default=3, help="of --naive: questions reranked")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("overrides", nargs="*", help="settings of every run, such as latency=off")
    found = parser.parse_args()
    if found.naive:
        compare_with_naive(found.suite, found.windows, found.questions)
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


def compare_with_naive(suite: str, windows: int, questions: int) -> None:
    """Print the CPU-seconds of one plan, of runs one by one, and of a plain script."""
    entries = yaml.safe_load((ROOT / suite).read_text("utf-8"))["repositories"]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        sizes = write_texts(entries, folder / "texts.json")
        of_suite = ["suite=quick"]
        if suite != QUICK:
            of_suite = ["suite=file", f"suite.path={ROOT / suite}"]
        axes = {"chunk": CHUNKS, "reranker": RERANKERS, "retriever": RETRIEVERS}
        grid = [*of_suite, *(f"{axis}={','.join(values)}" for axis, values in axes.items())]
        trials = len(CHUNKS) * len(RERANKERS) * len(RETRIEVERS) * len(entries)
        print(f"{trials} trials on {', '.join(sizes)}; load {os.getloadavg()[0]:.1f}", flush=True)
        plan = spent(run, folder, "plan", ["-m", *grid, *QUIET])
        stages = stage_seconds(folder / "plan")
        shared = sum(stages.values())
        print(f"one plan: {plan:.0f} CPU-seconds, {shared:.0f} of its stages", flush=True)
        apart = separate(folder, of_suite, min(sizes, key=lambda name: sizes[name]), trials)
        script = plain(folder, windows, questions)
        rows = {"one plan": plan, "runs one by one": apart, **script}
        print(f"\nCPU-seconds of {trials} trials; load {os.getloadavg()[0]:.1f}")
        for name, seconds in rows.items():
            how = "measured" if name == "one plan" else "partly multiplied, as above"
            print(f"{name:<30} {seconds:8.0f} {seconds / plan:6.1f} times the plan  {how}")
        print(
            f"{'sum of the stages of the plan':<30} {shared:8.0f}; plan / sum {plan / shared:.2f}"
        )


def write_texts(entries: Sequence[dict[str, Any]], place: Path) -> dict[str, int]:
    """Write the input of the plain script; return the size of each repository's text."""
    texts: dict[str, str] = {}
    sizes: dict[str, int] = {}
    questions: list[str] = []
    for entry in entries:
        name = entry["name"]
        documents = read_source(parse_source(entry["source"], name)).documents
        own = {f"{name}/{path}": documents.text(row) for row, path in enumerate(documents.paths)}
        texts |= own
        sizes[name] = sum(map(len, own.values()))
        questions += [query.text for query in read_queries(ROOT / entry["queries"])]
    model = EmbeddingModel().resolved().weights.source
    content = {"model": model, "documents": texts, "questions": questions}
    place.write_text(json.dumps(content), "utf-8")
    return sizes


def stage_seconds(folder: Path) -> dict[str, float]:
    """Return the CPU-seconds of each stage of the last study of a folder, without its setup."""
    content = json.loads((folder / "outputs/latest/stages.json").read_text())
    return {one["fingerprint"]: one["cpu_seconds"] for one in content["stages"]}


def separate(folder: Path, suite: list[str], smallest: str, trials: int) -> float:
    """Return the CPU-seconds of separate runs for each trial and repository.

    The stages of a run take their time in the plan. The overhead of a run (starting, planning,
    loading models, reports) is measured in two runs on the smallest repository: one without
    vectors, and one with vectors and a reranker.
    """
    of_stages = repeated_seconds(folder / "plan")
    besides = {}
    for name, (retriever, reranker) in {
        "words": ("bm25", "off"),
        "vectors": ("dense", "on"),
    }.items():
        settings = [f"chunk={CHUNKS[-1]}", f"retriever={retriever}", f"reranker={reranker}"]
        only = [f"only.repositories=[{smallest}]", *suite]
        whole = spent(run, folder, name, [*settings, *only, *QUIET])
        besides[name] = whole - sum(stage_seconds(folder / name).values())
        print(
            f"a run with {name} on {smallest}: {whole:.1f} CPU-seconds measured,"
            f" {besides[name]:.1f} besides its stages",
            flush=True,
        )
    of_words = trials // 4  # bm25 and lexical, without a reranker
    starts = of_words * besides["words"] + (trials - of_words) * besides["vectors"]
    print(
        f"runs one by one: {of_stages:.0f} for stages (measured in the plan, times the trials"
        f" that use them) + {starts:.0f} besides"
        f" ({of_words} runs without vectors, {trials - of_words} with)",
        flush=True,
    )
    return of_stages + starts


def repeated_seconds(folder: Path) -> float:
    """Return the CPU-seconds of all stages, each multiplied by the number of trials that use
    it."""
    whole = json.loads((folder / "outputs/latest/stages.json").read_text())["stages"]
    seconds = {one["fingerprint"]: one["cpu_seconds"] for one in whole}
    inputs = {one["fingerprint"]: one["inputs"] for one in whole}
    total = 0.0
    for trial in results(folder)["reports"]:
        waiting = [address.rpartition("/")[2] for address in trial["scored"].values()]
        behind: set[str] = set()
        while waiting:
            name = waiting.pop()
            if name not in behind:
                behind.add(name)
                waiting += inputs.get(name, ())
        total += sum(seconds.get(name, 0.0) for name in behind)
    return total


def plain(folder: Path, windows: int, questions: int) -> dict[str, float]:
    """Return the CPU-seconds of a plain script for all trials, with whole chunks and cut off.

    The script runs in one process and loads the model once.
    """
    sample = [f"--windows={windows}", f"--questions={questions}"]
    command = [sys.executable, str(ROOT / "scripts/plain_trial.py"), "texts.json"]
    one_thread = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    done = subprocess.run(
        [*command, ",".join(CHUNKS), "--parts", *sample],
        cwd=folder,
        check=True,
        capture_output=True,
        env={**os.environ, **one_thread},
    )
    parts = json.loads(done.stdout)
    seconds = {name: one["seconds"] * one["whole"] / one["done"] for name, one in parts.items()}
    print("plain script, part by part:")
    for name, one in parts.items():
        is_whole = one["done"] == one["whole"]
        how = "measured" if is_whole else f"{one['seconds']:.1f} for {one['done']}, multiplied"
        print(f"  {name:<26} {seconds[name]:8.1f} for {one['whole']:<6} {how}")
    ways = {"plain script": "embedding", "plain script, chunks cut off": "embedding, cut off"}
    return {
        name: seconds["loading"] + sum(of_cell(seconds, cell, embedding) for cell in cells())
        for name, embedding in ways.items()
    }


def cells() -> Iterator[tuple[str, str, str]]:
    """Return the chunk size, reranker and retriever of each trial."""
    return product(CHUNKS, RERANKERS, RETRIEVERS)


def of_cell(seconds: dict[str, float], cell: tuple[str, str, str], embedding: str) -> float:
    """Return the seconds of the plain script for one configuration on all repositories."""
    chunk, reranker, retriever = cell
    vectors = ("windows", embedding)
    done = {
        "bm25": ("bm25",),
        "lexical": ("lexical",),
        "dense": vectors,
        "hybrid": (*vectors, "bm25"),
    }[retriever]
    last = ("reranking",) if reranker == "on" else ()
    return sum(seconds[f"{name} {chunk}"] for name in ("cutting", *done, *last))


def spent(work: Callable[..., object], *given: object) -> float:
    """Return the CPU-seconds of child processes that `work` starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    work(*given)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def run(folder: Path, name: str, arguments: list[str]) -> float:
    """Run a study in its own folder; return its wall-clock seconds."""
    (folder / name).mkdir(exist_ok=True)
    command = [sys.executable, str(ROOT / "bench" / "run.py"), *arguments]
    started = time.perf_counter()
    done = subprocess.run(command, cwd=folder / name, check=False, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr[-2000:]}")
    return time.perf_counter() - started


def results(folder: Path) -> dict[str, Any]:
    """Return the results of the last study in a folder."""
    found: dict[str, Any] = unpacked(
        json.loads((folder / "outputs/latest/results.json").read_text())
    )
    return found


def quality(folder: Path) -> list[Any]:
    """Return all numbers that must not depend on the executor."""
    return [
        (
            report["query_results"],
            {k: v for k, v in report["summary"].items() if not any(c in k for c in COSTS)},
        )
        for report in results(folder)["reports"]
    ]


def report(name: str, wall: float, folder: Path, workers: int) -> None:
    """Print the ratio of the wall-clock time to its lower bound."""
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
    """Return True if stages of different repositories ran at the same time."""
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
