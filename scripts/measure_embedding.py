#!/usr/bin/env python
"""Measure our embedding beside sentence-transformers' own, in one run, on the same texts.

Run with the project's Python: python scripts/measure_embedding.py [--texts 400] [--dtype auto]
"""

import argparse
import random
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from retrievers.dense import EmbeddingModel, Encoder, cut_windows, load_encoder, window_texts
from retrievers.interface import Documents

PACKAGES = ("requests", "rich", "hydra", "omegaconf", "sklearn", "scipy.optimize", "fsspec")
ROUNDS = 2


def main() -> int:
    """Print texts per CPU-second of both, their ratio, and how far they agree."""
    arguments = _arguments()
    settings = EmbeddingModel(dtype=arguments.dtype).resolved()
    encoder = load_encoder(settings)
    texts, lengths = _texts(encoder, arguments.texts)
    plain = _plain_model(settings)
    print(f"{len(texts)} windows of installed packages, {lengths.mean():.0f} tokens on average")
    theirs: list[float] = []
    ours: list[float] = []
    for _ in range(ROUNDS):  # in turns, so that a busy machine slows both down
        reference, rate = _timed(lambda: plain.encode(texts, batch_size=32), len(texts))
        theirs.append(rate)
        vectors, rate = _timed(lambda: encoder.passages(texts), len(texts))
        ours.append(rate)
    print(f"SentenceTransformer.encode, float32: {max(theirs):.1f} texts per CPU-second")
    print(f"Encoder.passages, {settings.dtype}: {max(ours):.1f} texts per CPU-second")
    print(f"ratio: {max(ours) / max(theirs):.2f}")
    print(f"top-10 overlap: {_overlap(reference, vectors):.4f}")
    print(f"lowest cosine: {(reference * vectors).sum(axis=1).min():.6f}")
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=400)
    parser.add_argument("--dtype", default="auto", choices=("auto", "float32", "bfloat16"))
    return parser.parse_args()


def _texts(encoder: Encoder, count: int) -> tuple[list[str], np.ndarray[Any, Any]]:
    """Return a sample of the windows of installed packages, and their lengths."""
    files = [path for package in PACKAGES for path in _sources(package)]
    documents = Documents.of(
        [(f"{path.parent.name}/{path.name}#{n}.py", _read(path)) for n, path in enumerate(files)]
    )
    windows = cut_windows(documents, encoder)
    places = sorted(random.Random(1).sample(range(len(windows)), min(count, len(windows))))  # noqa: S311
    return window_texts(documents, windows, places), windows.length[places]


def _sources(package: str) -> list[Path]:
    found = find_spec(package)
    folders = list(found.submodule_search_locations or []) if found else []
    return sorted(path for folder in folders for path in Path(folder).glob("*.py"))


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def _plain_model(settings: EmbeddingModel) -> Any:
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(1)
    model = SentenceTransformer(settings.weights.source, device="cpu", local_files_only=True)
    model.encode(["warm up"] * 32, batch_size=32)
    return model


def _timed(work: Callable[[], Any], count: int) -> tuple[Any, float]:
    start = time.process_time()
    result = work()
    return result, count / (time.process_time() - start)


def _overlap(reference: np.ndarray[Any, Any], vectors: np.ndarray[Any, Any]) -> float:
    """Return the share of each text's ten nearest others that both find."""
    first, second = _nearest(reference), _nearest(vectors)
    shared = [len(set(a) & set(b)) for a, b in zip(first, second, strict=True)]
    return float(np.mean(shared)) / 10


def _nearest(vectors: np.ndarray[Any, Any]) -> list[list[int]]:
    scores = vectors @ vectors.T
    np.fill_diagonal(scores, -np.inf)
    return [list(row) for row in np.argsort(-scores, axis=1, kind="stable")[:, :10]]


if __name__ == "__main__":
    sys.exit(main())
