"""Print the CPU-seconds of rankgrid for starting, for small studies and for reading grids.

A grid is read like the grid of a study before any work: composed, validated and merged. The small
study asks two questions of one file with BM25. With --store, the first study of the README runs
on a store with all its stages, without latency, which a busy machine measures again each time.
With --against, every command alternates between this checkout and another one. With --parts, six
trials with stored stages are split into imports, planning, statistics, reports and tracking
instead. The trials are those of --store, or BM25 and lexical trials that are stored first. With
--small, 5 chunkers and 3 retrievers run on one document with 76 questions and an empty store, and
the imports of each process are separated from the rest. Modules are compiled first, like modules
that pip installs, even if PYTHONDONTWRITEBYTECODE is set.

    .venv/bin/python scripts/measure_start.py
    .venv/bin/python scripts/measure_start.py --against ../before --store COPY_OF_A_STORE
    .venv/bin/python scripts/measure_start.py --against ../before --parts
    .venv/bin/python scripts/measure_start.py --against ../before --small
"""

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_TIMES = 3
_LEAST_WORDS = 4
BYTECODE = Path(tempfile.gettempdir()) / "rankgrid-bytecode"
_CLI = "import sys; from bench.cli import main; main(sys.argv[1:])"
STARTS = {
    "rankgrid --version": ["-P", "-c", _CLI, "--version"],
    "rankgrid --help": ["-P", "-c", _CLI, "--help"],
    "bench/run.py --help": ["bench/run.py", "--help"],
    "bench/run.py --cfg job": ["bench/run.py", "--cfg", "job"],
    "completion of a setting": ["-P", "-m", "bench.cli.candidates", "rankgrid bench retr"],
    "completion of a command": ["-P", "-m", "bench.cli.candidates", "rankgrid ba"],
}
FAILING = {
    "unknown choice": ["bench/run.py", "retriever=bm256"],
    "value out of range": ["bench/run.py", "retriever=bm25", "chunk=5"],
}
HEADLINE = ["-m", "chunk=512,1024,2048", "reranker=on,off", "latency=off"]
WORDS = ["-m", "chunk=512,1024,2048", "retriever=bm25,lexical", "latency=off"]
SMALL = ["chunker=recursive,tokens,lines,sentence,syntax", "retriever=bm25,dense,hybrid"]
IMPORTS = {
    "driver": "from hydra import compose; from bench.launcher import execute",
    "worker": "from bench.engine import worker; from bench import stages",
    "model": "try:\n    import retrievers.dense.torch_bert\n"
    "except ImportError:\n    import sentence_transformers",
}
"""A checkout that does not compute MiniLM itself imports the library that does."""
QUERIES = """\
queries:
  - {id: q1, query: how are prices added up, expected_symbols: [cart.Cart.total]}
  - {id: q2, query: take an item out again, expected_symbols: [cart.Cart.remove]}
"""
CODE = (
    "class Cart:\n    def total(self):\n        return 1\n\n    def remove(self):\n        pass\n"
)
GRIDS = {
    "36 points": ["chunk=128,256,512,1024", "retriever=bm25,dense,hybrid", "reranker=off,on,off"],
    "10,000 points": [
        f"chunk={','.join(str(16 * size) for size in range(1, 101))}",
        "retriever=bm25,lexical,exact,hybrid,grep",
        "limit=5,10,15,20",
        "retriever.k1=1.1,1.2,1.3,1.4,1.5",
    ],
}


def main() -> None:
    """Run the requested measurements and print their rows."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--against", type=Path, help="another checkout, measured in turn")
    parser.add_argument("--store", help="a store with every stage of the first study")
    parser.add_argument("--parts", action="store_true", help="six stored trials, part by part")
    parser.add_argument("--small", action="store_true", help="15 trials on one document")
    found = parser.parse_args()
    roots = [root for root in (found.against, ROOT) if root]
    if found.parts or found.small:
        with tempfile.TemporaryDirectory() as folder:
            if found.parts:
                _measure_parts(roots, Path(folder), found.store)
            if found.small:
                _measure_small(roots, Path(folder))
        return
    print(f"CPU-seconds, the least of {_TIMES}; load {os.getloadavg()[0]:.1f}")
    for name, arguments in {**STARTS, **FAILING}.items():
        _print_row(name, [[_cpu(root, arguments) for _ in range(_TIMES)] for root in roots])
    with tempfile.TemporaryDirectory() as folder:
        _measure_studies(roots, Path(folder), found.store)
    _measure_grids()


def _measure_studies(roots: list[Path], folder: Path, store: str | None) -> None:
    (folder / "shop").mkdir()
    (folder / "shop" / "cart.py").write_text(CODE, encoding="utf-8")
    (folder / "q.yaml").write_text(QUERIES, encoding="utf-8")
    output = f"output={folder}/out"
    small = ["bench/run.py", "suite=own", f"repository={folder}/shop", f"queries={folder}/q.yaml"]
    small += ["retriever=bm25", "tracking=none", output]
    cold: list[list[float]] = [[] for _ in roots]
    warm: list[list[float]] = [[] for _ in roots]
    for turn in range(_TIMES):
        for number, root in enumerate(roots):
            own = f"store={folder}/store-{number}-{turn}"
            cold[number].append(_cpu(root, [*small, own]))
            warm[number].append(_cpu(root, [*small, own]))
    _print_row("small study, nothing stored", cold)
    _print_row("small study, all stored", warm)
    if store is None:
        return
    database = f"tracking.uri=sqlite:///{folder}/mlflow.db"
    for name, tracking in {"README study": "tracking=none", "  with MLflow": database}.items():
        line = ["bench/run.py", *HEADLINE, f"store={store}", output, tracking]
        _cpu(ROOT, line)  # what is not stored, and the tables of a new database
        _print_row(
            f"{name}, all stored", [[_cpu(root, line) for _ in range(_TIMES)] for root in roots]
        )


def _measure_parts(roots: list[Path], folder: Path, store: str | None) -> None:
    """Print each part of a study with stored stages, for each checkout."""
    grid = [*(HEADLINE if store else WORDS), f"output={folder}/out", "execution=local"]
    grid.append(f"store={store or folder / 'store'}")
    ways = {"tracking=none": "tracking=none", "MLflow": f"tracking.uri=sqlite:///{folder}/m.db"}
    for way, tracking in ways.items():
        _cpu(ROOT, ["bench/run.py", *grid, tracking])  # what is not stored yet
        runs: list[list[dict[str, float]]] = [[] for _ in roots]
        for _ in range(_TIMES):
            for number, root in enumerate(roots):
                runs[number].append(_parts(root, [*grid, tracking]))
        least = [min(own, key=lambda parts: sum(parts.values())) for own in runs]
        print(f"\n{way}: six trials, all stored; load {os.getloadavg()[0]:.1f}")
        for part in dict.fromkeys(name for parts in least for name in parts):
            _print_row(f"  {part}", [[parts.get(part, 0.0)] for parts in least])
        _print_row("  all", [[sum(parts.values())] for parts in least])


def _measure_small(roots: list[Path], folder: Path) -> None:
    """Print the cost of 15 trials on one document, and the share of imports."""
    text = (ROOT / "docs/measures.md").read_text("utf-8")
    (folder / "document").mkdir()
    (folder / "document" / "measures.md").write_text(text, "utf-8")
    queries = {"queries": _questions(text)}
    (folder / "q.yaml").write_text(json.dumps(queries), "utf-8")  # JSON is YAML
    line = ["bench/run.py", "-m", "suite=own", f"repository={folder}/document", *SMALL]
    line += [f"queries={folder}/q.yaml", "latency=off", "tracking=none"]
    print(
        f"\n15 trials, one document, {len(queries['queries'])} questions, nothing stored;"
        f" load {os.getloadavg()[0]:.1f}"
    )
    for number, root in enumerate(roots):
        # the first run compiles the modules
        least = {
            name: min(_cpu(root, ["-c", code]) for _ in range(2)) for name, code in IMPORTS.items()
        }
        place = folder / f"{number} {root.resolve().name}"
        whole = _cpu(root, [*line, f"store={place}/store", f"output={place}/out"])
        stages = json.loads((place / "out/latest/stages.json").read_text("utf-8"))["stages"]
        workers = {one["worker"] for one in stages}
        loaded = {one["worker"] for one in stages if one["setup_cpu_seconds"] > least["model"] / 2}
        imports = sum((least["driver"], *(least["worker"] for _ in workers)))
        imports += len(loaded) * least["model"]
        work = sum(one["cpu_seconds"] for one in stages)
        print(
            f"{place.name}: {whole:.1f} CPU-seconds; {imports:.1f} are imports of a driver,"
            f" {len(workers)} workers and {len(loaded)} models; {whole - imports:.1f} beyond,"
            f" {work:.1f} in {len(stages)} stages"
        )


def _questions(text: str) -> list[dict[str, object]]:
    """Return questions for 76 lines, with the long words of each line in another order."""
    lines = enumerate(text.splitlines(), 1)
    words = {number: sorted(set(re.findall(r"[a-z]{5,}", line))) for number, line in lines}
    rich = [number for number, found in words.items() if len(found) >= _LEAST_WORDS][:76]
    return [
        {
            "id": f"q{number}",
            "query": " ".join(words[number]),
            "expected_spans": [{"path": "measures.md", "start": number, "end": number}],
        }
        for number in rich
    ]


def _parts(root: Path, arguments: list[str]) -> dict[str, float]:
    script = str(ROOT / "scripts" / "cpu_by_part.py")
    line = [sys.executable, script, str(root), *arguments]
    done = subprocess.run(line, env=_environment(root), capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def _print_row(name: str, seconds: list[list[float]]) -> None:
    print(f"{name:<30}", *(f"{min(times):6.2f} s" for times in seconds), flush=True)


def _cpu(root: Path, arguments: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    line = [sys.executable, *arguments]
    subprocess.run(line, cwd=root, env=_environment(root), capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _environment(root: Path) -> dict[str, str]:
    own = {**os.environ, "PYTHONPATH": str(root), "OMP_NUM_THREADS": "1"}
    # At least one of several runs then finds all modules compiled.
    return own | {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(BYTECODE)}


def _measure_grids() -> None:
    sys.path.insert(0, str(ROOT))
    from bench.files import data_folder
    from bench.launcher.grid import read_grid
    from bench.launcher.points import read_points

    for name, overrides in GRIDS.items():
        start = time.process_time()
        points = read_points(overrides, data_folder("conf"), multirun=True)
        composed = time.process_time() - start
        grid = read_grid(points)
        seconds = time.process_time() - start
        print(
            f"{name:<28} {seconds:6.2f} s, {composed:.2f} s of it composing"
            f" {len(points)} points; {len(grid.trials)} trials"
        )


if __name__ == "__main__":
    main()
