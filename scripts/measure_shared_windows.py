#!/usr/bin/env python
"""Measure what a grid of chunk sizes costs in embedding, beside one size of it.

Run with the project's Python: python scripts/measure_shared_windows.py FOLDER [SETTING=VALUE]
The first size alone and all sizes run for real, with one worker, each study in an empty store of
its own; what their stages took is read from the stages.json that they leave.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
FIXED = ("retriever=dense", "suite=own", "latency=off", "tracking=none", "execution=local")
OF_MODEL = ("cut-windows", "cut-chunk-windows", "embed", "embed-queries")
TELLING_BYTES = 500


@dataclass(frozen=True)
class Work:
    """Work of the embedding model in a study."""

    texts: int
    tokens: int
    embed_seconds: float
    model_seconds: float
    """CPU-seconds of all stages that need the model, including windows and queries."""


def main() -> int:
    """Print the embedding work for one size and for all sizes, and the ratio."""
    found = _arguments()
    sizes = ",".join(str(size) for size in found.sizes)
    with tempfile.TemporaryDirectory() as scratch:
        queries = _queries(found.folder, Path(scratch))
        one = _run(Path(scratch, "one"), found, queries, chunk=str(found.sizes[0]))
        print(f"chunk={found.sizes[0]}: {_said(one)}", flush=True)
        many = _run(Path(scratch, "all"), found, queries, chunk=sizes)
        print(f"chunk={sizes}: {_said(many)}")
    print(f"texts: {many.texts / one.texts:.3f} times")
    print(f"CPU-seconds of embedding: {many.embed_seconds / one.embed_seconds:.3f} times")
    print(f"CPU-seconds with the model: {many.model_seconds / one.model_seconds:.3f} times")
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="the repository, unpacked")
    parser.add_argument("--sizes", type=int, nargs="+", default=[512, 256, 1024])
    parser.add_argument("overrides", nargs="*", help="settings of both, as embedder=static")
    return parser.parse_args()


def _queries(folder: Path, scratch: Path) -> Path:
    """Write a single query. Its results do not matter here."""
    files = (path for path in sorted(folder.rglob("*.py")) if not path.is_symlink())
    answer = next(path for path in files if path.stat().st_size > TELLING_BYTES)
    path = answer.relative_to(folder).as_posix()
    place = scratch / "queries.yaml"
    query = {"id": "one", "query": "where is it", "expected_files": [path]}
    place.write_text(json.dumps({"queries": [query]}), encoding="utf-8")  # JSON is YAML
    return place


def _run(folder: Path, found: argparse.Namespace, queries: Path, *, chunk: str) -> Work:
    folder.mkdir()
    places = [f"repository={found.folder.resolve()}", f"queries={queries}", f"chunk={chunk}"]
    places += ["execution.workers=1", f"store={folder}/store", f"output={folder}/out"]
    command = [sys.executable, "-W", "ignore", str(ROOT / "bench/run.py"), "-m"]
    command += [*FIXED, *places, *found.overrides]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"the study failed:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    content = json.loads((folder / "out/latest/stages.json").read_text(encoding="utf-8"))
    return _work([stage for stage in content["stages"] if stage["stage"] in OF_MODEL])


def _work(stages: list[dict[str, Any]]) -> Work:
    embedding = [stage for stage in stages if stage["stage"] == "embed"]
    return Work(
        texts=sum(stage["counts"]["embedded"] for stage in embedding),
        tokens=sum(stage["counts"].get("tokens", 0) for stage in stages),
        embed_seconds=sum(stage["cpu_seconds"] for stage in embedding),
        model_seconds=sum(stage["cpu_seconds"] for stage in stages),
    )


def _said(work: Work) -> str:
    return (
        f"{work.texts} texts of {work.tokens} tokens, {work.embed_seconds:.1f} CPU-s embedding,"
        f" {work.model_seconds:.1f} with cutting and queries"
    )


if __name__ == "__main__":
    sys.exit(main())
