#!/usr/bin/env python
"""Measure models beside each other: what they find, and how many texts they read in a CPU-second.

Run with the project's Python: python scripts/measure_models.py [--models minilm static …]
A text is a function of an installed package without its docstring, a query the first line of that
docstring; MRR is over all functions. The models are those of conf/embedder.
"""

import argparse
import ast
import random
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import yaml

from bench.models import load_encoder
from bench.settings.fields import build
from retrievers.dense import EmbeddingModel
from retrievers.interface import Floats

PACKAGES = (
    "requests",
    "rich",
    "hydra",
    "omegaconf",
    "scipy.optimize",
    "fsspec",
    "networkx.algorithms",
)
MODELS = ("minilm", "minilm_int8", "static", "mpnet")
PRESETS = Path(__file__).resolve().parents[1] / "conf" / "embedder"
FUNCTIONS, QUERIES = 240, 120
SHORTEST, LONGEST = 300, 3000
"""Minimum and maximum characters of a function without its docstring."""
FEWEST_WORDS = 4
"""Minimum number of words in a query."""


def main() -> int:
    """Print a row for each model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", nargs="+", default=MODELS)
    functions = _functions()
    texts = [text for _, text in functions]
    queries = [query for query, _ in functions[:QUERIES]]
    print(f"{len(queries)} queries, {len(texts)} functions")
    print("| `embedder` | computes in | dimensions | MRR | texts per CPU-second |")
    for name in parser.parse_args().models:
        print(_row(name, queries, texts), flush=True)
    return 0


def _row(name: str, queries: list[str], texts: list[str]) -> str:
    content = yaml.safe_load((PRESETS / f"{name}.yaml").read_text(encoding="utf-8"))
    settings = build(EmbeddingModel, content, where="embedder").resolved()
    encoder = load_encoder(settings)
    encoder.passages(texts[:8])
    start = time.process_time()
    vectors = encoder.passages(texts)
    rate = len(texts) / (time.process_time() - start)
    found = _reciprocal_ranks(encoder.queries(queries) @ vectors.T)
    runtime = settings.weights.runtime
    numbers = settings.dtype if runtime == "transformer" else runtime
    return f"| `{name}` | {numbers} | {vectors.shape[1]} | {found.mean():.3f} | {rate:.1f} |"


def _reciprocal_ranks(scores: Floats) -> Floats:
    """Return 1 / the rank of each query's own text; ties count against it."""
    own = scores.diagonal()[:, None]
    return np.asarray(1 / (scores >= own).sum(axis=1), np.float32)


def _functions() -> list[tuple[str, str]]:
    """Return a sample of queries and texts from installed packages, without repeated queries."""
    known: dict[str, str] = {}
    for package in PACKAGES:
        found = find_spec(package)
        folders = [Path(place) for place in (found and found.submodule_search_locations) or ()]
        for path in sorted(path for folder in folders for path in folder.glob("*.py")):
            known |= dict(_of_file(path.read_text(encoding="utf-8", errors="replace")))
    drawn = random.Random(1).sample(sorted(known.items()), FUNCTIONS)  # noqa: S311
    return [(query, text) for query, text in drawn]


def _of_file(source: str) -> list[tuple[str, str]]:
    tree = ast.walk(ast.parse(source))
    functions = [node for node in tree if isinstance(node, ast.FunctionDef)]
    pairs = [_pair(node, source.splitlines(keepends=True)) for node in functions]
    return [
        (query, text)
        for query, text in pairs
        if len(query.split()) >= FEWEST_WORDS and SHORTEST <= len(text) <= LONGEST
    ]


def _pair(function: ast.FunctionDef, lines: list[str]) -> tuple[str, str]:
    """Return the first line of a function's docstring, and the function without its docstring."""
    said = (ast.get_docstring(function) or "").strip().split("\n")[0]
    doc = function.body[0]
    before = lines[function.lineno - 1 : doc.lineno - 1]
    return said, "".join([*before, *lines[doc.end_lineno or 0 : function.end_lineno]])


if __name__ == "__main__":
    sys.exit(main())
