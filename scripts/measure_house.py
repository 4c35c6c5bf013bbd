"""Measure the house: its size, its small pieces, and how far one small trial travels through it.

Prints counts of the packages bench, retrievers and rankgrid. With --trial it also runs one hybrid
trial on a sample repository and counts the functions and modules that its processes enter.
"""

import argparse
import ast
import os
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("bench", "retrievers", "rankgrid")
QUERIES = """\
queries:
  - {id: a, query: how are the prices of a cart added up, expected_files: [src/shop/cart.py]}
  - {id: b, query: where are rows kept, expected_files: [src/shop/storage/sql/engine.py]}
"""
TRACE = """\
import os, sys, threading

roots, seen = tuple(os.environ["TRACED"].split(os.pathsep)), set()

def note(frame, event, _):
    code = frame.f_code
    if event != "call" or code in seen:
        return
    seen.add(code)
    # A body of a module or a class, a comprehension and a lambda are not functions of their own.
    own = code.co_flags & 0x2 and not code.co_name.startswith("<")
    if own and code.co_filename.startswith(roots):
        with open(f"{os.environ['TRACE_TO']}/{os.getpid()}", "a") as file:
            file.write(f"{code.co_filename}\\t{code.co_qualname}\\n")

threading.setprofile(note)
sys.setprofile(note)
"""
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Module:
    """A parsed source file."""

    name: str
    path: Path
    source: str
    tree: ast.Module


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trial", action="store_true", help="also trace one small hybrid trial")
    found = parser.parse_args()
    modules = list(read_modules())
    report_size(modules)
    report_helpers(modules)
    report_imports(modules)
    report_untyped(modules)
    if found.trial:
        report_trial()


def read_modules() -> Iterator[Module]:
    """Yield every module of the packages, parsed."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            source = path.read_text(encoding="utf-8")
            yield Module(name.removesuffix(".__init__"), path, source, ast.parse(source))


def report_size(modules: list[Module]) -> None:
    """Print files, lines, functions and comments by package and overall."""
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    for module in modules:
        lines = module.source.splitlines()
        counts = {
            "files": 1,
            "lines": len(lines),
            "comments": sum(line.lstrip().startswith("#") for line in lines),
            "functions": sum(isinstance(node, Function) for node in ast.walk(module.tree)),
            "classes": sum(isinstance(node, ast.ClassDef) for node in ast.walk(module.tree)),
        }
        for row in (module.name.partition(".")[0], "all"):
            rows[row].update(counts)
    for name in sorted(rows, key=lambda row: (row == "all", row)):
        print(f"{name:14}", ", ".join(f"{count:,} {what}" for what, count in rows[name].items()))


def report_helpers(modules: list[Module]) -> None:
    """Print the number of private functions with a single use in their module."""
    total = single = 0
    for module in modules:
        private = [
            node.name
            for node in module.tree.body
            if isinstance(node, Function) and node.name.startswith("_")
        ]
        used = Counter(
            node.id
            for node in ast.walk(module.tree)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        )
        total += len(private)
        single += sum(used[name] == 1 for name in private)
    share = single / max(total, 1)
    print(f"private functions: {total:,}, of them with one caller: {single:,} ({share:.0%})")


def report_imports(modules: list[Module]) -> None:
    """Print the number of modules with one importer, without the `__init__` of their package."""
    names = {module.name for module in modules}
    importers: dict[str, set[str]] = defaultdict(set)
    for module in modules:
        for target in imported(module.tree):
            known = target if target in names else target.rpartition(".")[0]
            is_front = module.path.name == "__init__.py" and known.startswith(module.name)
            if known in names and known != module.name and not is_front:
                importers[known].add(module.name)
    leaves = [module.name for module in modules if module.path.name != "__init__.py"]
    single = [name for name in leaves if len(importers[name]) == 1]
    print(f"modules: {len(leaves)}, of them with one importer: {len(single)}")


def imported(tree: ast.Module) -> Iterator[str]:
    """Yield the absolute names that a module imports, at any depth."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def report_untyped(modules: list[Module]) -> None:
    """Print the number of untyped dictionaries outside settings."""
    counts = {
        what: sum(
            module.source.count(what)
            for module in modules
            if not module.name.startswith("bench.settings")
        )
        for what in ("Mapping[str, Any]", "dict[str, Any]")
    }
    print("outside settings:", ", ".join(f"{count} {what}" for what, count in counts.items()))


def report_trial() -> None:
    """Run a hybrid trial and print the number of functions and modules that its processes
    enter."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        code = run_trial(folder)
        files = (folder / "traces").iterdir()
        entered = {line for file in files for line in file.read_text("utf-8").splitlines()}
    modules = {line.partition("\t")[0] for line in entered}
    print(
        f"one small hybrid trial (exit {code}):"
        f" {len(entered):,} functions in {len(modules)} modules"
    )


def run_trial(folder: Path) -> int:
    """Run a study of one trial with tracing in all processes; return the exit code."""
    (folder / "traces").mkdir()
    (folder / "site").mkdir()
    (folder / "site" / "sitecustomize.py").write_text(TRACE, encoding="utf-8")
    (folder / "queries.yaml").write_text(QUERIES, encoding="utf-8")
    command = [
        *(sys.executable, str(ROOT / "bench" / "run.py"), "suite=own", "retriever=hybrid"),
        *(f"repository={ROOT / 'fixtures' / 'samples' / 'shop'}", "queries=queries.yaml"),
        *("tracking=none", "execution=local", "execution.workers=1"),
        *("store=store", "output=outputs"),
    ]
    traced = {
        "PYTHONPATH": str(folder / "site"),
        "TRACE_TO": str(folder / "traces"),
        "TRACED": os.pathsep.join(f"{ROOT / package}{os.sep}" for package in PACKAGES),
    }
    environment = {**os.environ, **traced}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, check=False
    ).returncode


if __name__ == "__main__":
    main()
