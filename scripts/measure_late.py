#!/usr/bin/env python
"""Measure what storing token vectors small costs late interaction, beside storing all of them.

Run with the project's Python: python scripts/measure_late.py [--windows 300] [--queries 40]
Windows are those of installed packages, queries the first lines of docstrings in them. For each
way of storing: bytes a window, how far a score is off, and how many of the ten best windows stay.
"""

import argparse
import random
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from retrievers.dense import (
    EmbeddingModel,
    Encoder,
    TokenVectors,
    cut_windows,
    load_encoder,
    window_scores,
    window_texts,
)
from retrievers.interface import Documents, Floats
from retrievers.rerankers import maxsim
from retrievers.source import find_symbols

PACKAGES = ("requests", "rich", "hydra", "omegaconf", "fsspec")
WAYS = ((1, 16), (1, 8), (2, 8), (3, 8), (4, 8))
SHOWN = 10
LEAST_LETTERS = 30


def main() -> int:
    """Print a line for each way of storing token vectors."""
    encoder, drawn, queries = sample()
    texts = encoder.passage_tokens(drawn)
    asked = [encoder.query_tokens(query) for query in queries]
    exact = np.array([[maxsim(query, text) for text in texts] for query in asked], np.float32)
    whole = sum(text.nbytes for text in texts) / len(texts)
    print(f"{len(texts)} windows, {len(asked)} queries; as computed: {whole:.0f} bytes a window")
    for pooling, bits in WAYS:
        _show(texts, asked, exact, pooling=pooling, bits=bits)
    return 0


def sample() -> tuple[Encoder, list[str], list[str]]:
    """Return the model with a sample of windows and queries."""
    found = _arguments()
    documents = Documents.of(list(_files()))
    encoder = load_encoder(EmbeddingModel())
    windows = cut_windows(documents, encoder)
    draw, count = random.Random(1), min(found.windows, len(windows))  # noqa: S311
    places = sorted(draw.sample(range(len(windows)), count))
    texts = window_texts(documents, windows, places)
    return encoder, list(texts), _queries(documents, found.queries)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--windows", type=int, default=300)
    parser.add_argument("--queries", type=int, default=40)
    return parser.parse_args()


def _show(
    texts: list[Floats], asked: list[Floats], exact: Floats, *, pooling: int, bits: Any
) -> None:
    stored = TokenVectors.of(range(len(texts)), texts, pooling=pooling, bits=bits)
    queries = TokenVectors.of(range(len(asked)), asked, pooling=1, bits=bits)
    scores = window_scores(queries, iter([stored]), window_count=len(texts))
    kept = np.mean([len(_best(a) & _best(b)) / SHOWN for a, b in zip(scores, exact, strict=True)])
    size = (stored.vector.nbytes + stored.factor.nbytes) / len(texts)
    print(
        f"pooling={pooling} bits={bits}: {size:.0f} bytes a window, scores off by"
        f" {np.abs(scores - exact).max():.4f} at most, {kept:.3f} of the ten best kept"
    )


def _best(row: Floats) -> set[int]:
    return set(np.argsort(-row, kind="stable")[:SHOWN].tolist())


def _queries(documents: Documents, count: int) -> list[str]:
    lines = [doc.strip().partition("\n")[0] for doc in find_symbols(documents).docs]
    telling = sorted({line for line in lines if len(line) > LEAST_LETTERS})
    return random.Random(2).sample(telling, min(count, len(telling)))  # noqa: S311


def _files() -> Iterator[tuple[str, str]]:
    for package in PACKAGES:
        found = find_spec(package)
        for folder in (found.submodule_search_locations or []) if found else []:
            for path in sorted(Path(folder).glob("*.py")):
                yield f"{package}/{path.name}", path.read_text(encoding="utf-8", errors="replace")


if __name__ == "__main__":
    sys.exit(main())
