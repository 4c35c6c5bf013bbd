"""Measure what `rankgrid context` costs on a folder: CPU-seconds and memory, as a user runs it.

    python scripts/measure_context.py FOLDER [--retriever hybrid] [--queries 5] [--against OTHER]

The folder is indexed into a new store, then asked again as it is, and after one file has changed.
With --against, every command is run in another checkout in turn. With --store, a store that has
the index of the folder, only questions are measured, and the folder is left as it is. Each command
is a process of its own, with its children. The questions find all modules compiled, as after an
installation by pip, even where PYTHONDONTWRITEBYTECODE is set.
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

ROOT = Path(__file__).resolve().parents[1]
TASK = "fix how request number {} is validated before it is saved"
BYTECODE = Path(tempfile.gettempdir()) / "rankgrid-bytecode"
SETTLED_SECONDS = 3
"""Longer than the precision within which changes are not believed."""
_ASK = "from bench.cli import main; main()"
_ASK_BY_PARTS = """
import sys, time
marks = []
def timed(owner, name):
    inner = getattr(owner, name)
    def outer(*given, **named):
        before = time.process_time()
        found = inner(*given, **named)
        marks.append((name, before, time.process_time()))
        return found
    setattr(owner, name, outer)
from bench.cli import main, context_pack
if sys.argv[sys.argv.index("--retriever") + 1] == "graph":
    from bench.cli.folder_graph import FolderGraph
    parts = [(FolderGraph, "of"), (FolderGraph, "open"), (FolderGraph, "in_order"), (
        context_pack.ContextRequest, "asked_of")]
else:
    from bench.cli.folder_hits import FolderHits
    parts = [(FolderHits, "__init__"), (FolderHits, "ask")]
for owner, name in (*parts, (context_pack, "filled")):
    if hasattr(owner, name):
        timed(owner, name)
try:
    main(sys.argv[1:])
except SystemExit:
    parts = [f"{name} {after - before:.2f}" for name, before, after in marks]
    print(f"start {marks[0][1]:.2f}", *parts, sep=", ", file=sys.stderr)
"""
"""Prints the CPU-seconds of the start with its imports, of reading or making the index, of opening
it, of the question, of vectors, and of filling the pack."""


@dataclass(frozen=True)
class Taken:
    """The cost of a process."""

    cpu_seconds: float
    megabytes: float


@dataclass(frozen=True)
class Checkout:
    """A version of rankgrid with a store of its own."""

    root: Path
    store: Path

    def command(self, program: str, folder: Path, number: int, settings: list[str]) -> list[str]:
        """Return a question as a command line."""
        asked = ["context", str(folder), "--store", str(self.store)]
        line = [sys.executable, "-P", "-c", program, *asked]
        return [*line, "--task", TASK.format(number), *settings]

    def ask(self, folder: Path, number: int, settings: list[str]) -> Taken:
        """Ask a question and return its cost."""
        return _run(self.command(_ASK, folder, number, settings), self.root)

    def parts(self, folder: Path, settings: list[str]) -> str:
        """Return the costs of the parts of a question as a line of text."""
        line = self.command(_ASK_BY_PARTS, folder, 1, settings)
        found = subprocess.run(
            line, env=_environment(self.root), capture_output=True, text=True, check=True
        )
        return found.stderr.splitlines()[-1]


def main() -> None:
    """Print the cost of an index, of questions to it, and of a change."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--queries", type=int, default=5)
    parser.add_argument("--retriever", default="graph")
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--embedder", help="the model of reordering.weight")
    parser.add_argument("--store", type=Path, help="a store with the index of the folder")
    parser.add_argument("--against", type=Path, help="another checkout, measured in turn")
    found = parser.parse_args()
    settings = [word for one in found.set for word in ("--set", one)]
    settings += ["--retriever", found.retriever]
    settings += ["--embedder", found.embedder] if found.embedder else []
    roots = [root for root in (found.against, ROOT) if root]
    if found.store:
        _ask(
            [Checkout(root, found.store) for root in roots], found.folder, found.queries, settings
        )
        return
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "folder"
        shutil.copytree(found.folder, folder, symlinks=True)
        stores = [Path(scratch) / f"store-{number}" for number in range(len(roots))]
        checkouts = [Checkout(*one) for one in zip(roots, stores, strict=True)]
        time.sleep(SETTLED_SECONDS)
        _measure(checkouts, folder, found.queries, settings)


def _measure(checkouts: list[Checkout], folder: Path, queries: int, settings: list[str]) -> None:
    for one in checkouts:
        _show("index", [one.ask(folder, 0, settings)], one)
    _ask(checkouts, folder, queries, settings)
    changed = next(place for place in sorted(folder.rglob("*.py")) if place.stat().st_size)
    with changed.open("a", encoding="utf-8") as file:
        file.write("\n\ndef added_by_the_measurement():\n    pass\n")
    for one in checkouts:
        _show("after a change", [one.ask(folder, 0, settings)], one)
        size = sum(place.stat().st_size for place in one.store.rglob("*") if place.is_file())
        print(f"  store {size / 1e6:.0f} MB")


def _ask(checkouts: list[Checkout], folder: Path, queries: int, settings: list[str]) -> None:
    for one in checkouts:
        one.ask(folder, 0, settings)  # compiles modules, and finds the index of another version
    taken = [
        [one.ask(folder, number, settings) for one in checkouts]
        for number in range(1, queries + 1)
    ]
    for one, own in zip(checkouts, zip(*taken, strict=True), strict=True):
        _show("query", list(own), one)
        print(f"  {one.parts(folder, settings)}", flush=True)


def _environment(root: Path) -> dict[str, str]:
    own = {"PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "", "OMP_NUM_THREADS": "1"}
    return {**os.environ, **own, "PYTHONPYCACHEPREFIX": str(BYTECODE)}


def _run(command: list[str], root: Path) -> Taken:
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=_environment(root)
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"exit code {process.returncode}: {' '.join(command)}")
    return Taken(used.ru_utime + used.ru_stime, _megabytes(used))


def _megabytes(used: resource.struct_rusage) -> float:
    return used.ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)


def _show(what: str, taken: list[Taken], checkout: Checkout) -> None:
    cpu = statistics.median(one.cpu_seconds for one in taken)
    least = min(one.cpu_seconds for one in taken)
    memory = max(one.megabytes for one in taken)
    which, load = "now" if checkout.root == ROOT else "before", os.getloadavg()[0]
    numbers = f"{cpu:6.2f} CPU-seconds (least {least:.2f})  {memory:5.0f} MB"
    print(f"{what:15} {which:7} {numbers}, load {load:.0f}", flush=True)


if __name__ == "__main__":
    main()
