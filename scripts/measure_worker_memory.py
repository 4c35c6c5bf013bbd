#!/usr/bin/env python
"""Measure the memory of a study's processes, private and shared.

Run with the project's Python: python scripts/measure_worker_memory.py FOLDER [SETTING=VALUE]
The study asks twelve questions about the folder, with two workers and a store of its own. The
questions are the longest names that only one file defines. With --every, the study has nine
retrievers: those without a model, and `dense` and `hybrid` with a static one. The memory of its
processes is read every 0.2 s. RSS counts a page in each process that has it, PSS divides a shared
page among them, and private is the memory of one process alone. The output has the peaks.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FIXED = ("suite=own", "latency=off", "tracking=none", "execution=local", "execution.workers=2")
EVERY = "retriever=bm25,lexical,fields,exact,tiered,grep,graph,dense,hybrid"
STATIC = "embedder=static"
QUESTIONS = 12
DEFINITION = re.compile(r"^(?:class|def) (\w+)", re.MULTILINE)
FIELDS = ("Rss", "Pss", "Private_Clean", "Private_Dirty")
Peaks = dict[int, dict[str, int]]
"""Peak kilobytes of each field, by process."""


def main() -> int:
    """Print the peak memory of the driver and of its child processes."""
    found = _arguments()
    with tempfile.TemporaryDirectory() as scratch:
        overrides = [*found.overrides, *([EVERY, STATIC] if found.every else [])]
        study = _start(Path(scratch), found.folder.resolve(), overrides)
        peaks: Peaks = {}
        most, when, began = 0, 0.0, time.monotonic()
        while study.poll() is None:
            together = _look(study.pid, peaks)
            if together > most:
                most, when = together, time.monotonic() - began
            time.sleep(0.2)
        if study.returncode:
            raise SystemExit(Path(scratch, "log").read_text("utf-8")[-2000:])
    print(
        f"load {os.getloadavg()[0]:.1f}; PSS of all processes at once: {most / 1e3:.0f} MB,",
        end="",
    )
    print(f" {when:.0f} s after the start")
    print("| process | RSS, MB | PSS, MB | private, MB |\n|---|---|---|---|")
    for number, (pid, peak) in enumerate(sorted(peaks.items())):
        private = peak["Private_Clean"] + peak["Private_Dirty"]
        name = "driver" if pid == study.pid else f"process {number}"
        print(f"| {name} | {peak['Rss'] / 1e3:.0f} | {peak['Pss'] / 1e3:.0f}", end="")
        print(f" | {private / 1e3:.0f} |")
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="the repository, unpacked")
    parser.add_argument("--every", action="store_true", help="nine retrievers")
    parser.add_argument("overrides", nargs="*", help="settings, as retriever=bm25")
    return parser.parse_args()


def _definitions(folder: Path) -> list[tuple[str, str]]:
    """Return the longest names of classes and functions, each with its only file."""
    places: dict[str, set[str]] = {}
    for path in folder.rglob("*.py"):
        for name in DEFINITION.findall(path.read_text("utf-8", "replace")):
            places.setdefault(name, set()).add(str(path.relative_to(folder)))
    alone = [(name, *paths) for name, paths in places.items() if len(paths) == 1]
    return sorted(alone, key=lambda found: (-len(found[0]), found))[:QUESTIONS]


def _start(scratch: Path, folder: Path, overrides: list[str]) -> "subprocess.Popen[bytes]":
    questions = [
        {"id": name, "query": f"where is {name}", "expected_files": [path]}
        for name, path in _definitions(folder)
    ]
    queries = scratch / "queries.yaml"
    queries.write_text(json.dumps({"queries": questions}), encoding="utf-8")  # JSON is YAML
    command = [sys.executable, "-W", "ignore", str(ROOT / "bench/run.py"), "-m"]
    command += [*FIXED, *overrides]
    command += [f"repository={folder}", f"queries={queries}", f"output={scratch}/out"]
    command += [f"store={scratch}/store"]
    with (scratch / "log").open("wb") as log:
        return subprocess.Popen(command, cwd=scratch, stdout=log, stderr=subprocess.STDOUT)


def _look(driver: int, peaks: Peaks) -> int:
    """Update the peaks of all processes; return their total PSS in kilobytes."""
    together = 0
    for pid in _family(driver):
        now = _memory(pid)
        together += now.get("Pss", 0)
        peak = peaks.setdefault(pid, dict.fromkeys(FIELDS, 0))
        peak.update({name: max(peak[name], kilobytes) for name, kilobytes in now.items()})
    return together


def _family(pid: int) -> Iterator[int]:
    """Yield a process and all its descendants."""
    yield pid
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        started = [(task / "children").read_text(encoding="ascii") for task in tasks]
    except OSError:
        return  # the process has ended
    for child in " ".join(started).split():
        yield from _family(int(child))


def _memory(pid: int) -> dict[str, int]:
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    except OSError:
        return {}
    rows = (line.split() for line in text.splitlines()[1:])
    return {row[0][:-1]: int(row[1]) for row in rows if row[0][:-1] in FIELDS}


if __name__ == "__main__":
    sys.exit(main())
