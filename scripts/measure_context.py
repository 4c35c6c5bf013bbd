"""Measure what `rankgrid context` costs on a folder: CPU-seconds and memory, as a user runs it.

    python scripts/measure_context.py FOLDER [--queries 5] [--set NAME=VALUE ...]

The folder is indexed into a new store, then asked again as it is, and after one file has changed.
Each command is a process of its own, with its children. The questions find all modules compiled,
as after an installation by pip, even where PYTHONDONTWRITEBYTECODE is set.
"""

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

RANKGRID = str(Path(sys.executable).parent / "rankgrid")
TASK = "fix how request number {} is validated before it is saved"
BYTECODE = Path(tempfile.gettempdir()) / "rankgrid-bytecode"
SETTLED_SECONDS = 3
"""Longer than the precision within which changes are not believed."""


@dataclass(frozen=True)
class Taken:
    """What a process took."""

    cpu_seconds: float
    megabytes: float


def main() -> None:
    """Print the cost of an index, of questions to it, and of a change."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--queries", type=int, default=5)
    parser.add_argument("--set", action="append", default=[])
    found = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder, store = Path(scratch) / "folder", Path(scratch) / "store"
        shutil.copytree(found.folder, folder, symlinks=True)
        time.sleep(SETTLED_SECONDS)
        settings = [word for one in found.set for word in ("--set", one)]

        def asked(number: int) -> Taken:
            command = [RANKGRID, "context", str(folder), "--store", str(store)]
            return _run([*command, "--task", TASK.format(number), *settings])

        _show("index", [asked(0)])
        _show("query", [asked(number) for number in range(1, found.queries + 1)])
        changed = next(place for place in sorted(folder.rglob("*.py")) if place.stat().st_size)
        with changed.open("a", encoding="utf-8") as file:
            file.write("\n\ndef added_by_the_measurement():\n    pass\n")
        _show("after a change", [asked(0)])
        size = sum(place.stat().st_size for place in store.rglob("*") if place.is_file())
        print(f"store {size / 1e6:.0f} MB")


def _run(command: list[str]) -> Taken:
    own = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(BYTECODE)}
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=own
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"exit code {process.returncode}: {' '.join(command)}")
    return Taken(used.ru_utime + used.ru_stime, _megabytes(used))


def _megabytes(used: resource.struct_rusage) -> float:
    return used.ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)


def _show(what: str, taken: list[Taken]) -> None:
    cpu = statistics.median(one.cpu_seconds for one in taken)
    least = min(one.cpu_seconds for one in taken)
    memory = max(one.megabytes for one in taken)
    print(f"{what:15} {cpu:6.2f} CPU-seconds (least {least:.2f})  {memory:5.0f} MB", flush=True)


if __name__ == "__main__":
    main()
