#!/usr/bin/env python
"""Measure what computes vectors of texts: sentence-transformers, and ours in torch and OpenVINO.

Run with the project's Python: python scripts/measure_embedding.py [--texts 200] [--rounds 3]
All embed the same windows of installed packages in turns, one thread each. The table has windows
per CPU-second (the best and the median round), the multiply-adds of that beside what a large
product of matrices reaches in the same dtype, whether a vector is bitwise the same alone and in
another order, and how near vectors are to those in float32.
"""

import argparse
import os
import random
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, get_args

import numpy as np

from retrievers.dense import EmbeddingModel, Encoder, cut_windows, load_encoder, window_texts
from retrievers.dense.networks import load_network
from retrievers.dense.reader import Reader
from retrievers.dense.settings import ComputedBy
from retrievers.interface import Documents, Floats

PACKAGES = ("requests", "rich", "hydra", "omegaconf", "sklearn", "scipy.optimize", "fsspec")
ALONE = 20
SIZE = 1024
"""Rows and columns of the matrices in the reference product."""
Ways = Mapping[str, Callable[[Sequence[str]], Floats]]


def main() -> int:
    """Print the table."""
    arguments = _arguments()
    encoder = load_encoder(EmbeddingModel(dtype="float32"))
    texts, lengths = _texts(encoder, arguments.texts)
    ways = _ways()
    for embed in ways.values():
        embed(texts[:8])
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    peaks: list[float] = []
    # in turns, so that other load slows all of them down equally
    for _ in range(arguments.rounds):
        peaks.append(_peak(arguments.dtype))
        for name, embed in ways.items():
            seconds[name].append(_cpu_seconds(lambda embed=embed: embed(texts)))
    print(f"{len(texts)} windows, {lengths.mean():.0f} tokens on average; {_machine()}")
    print(f"a product of {SIZE} x {SIZE} in {arguments.dtype}: {max(peaks):.0f} GFLOP/s\n")
    exact = ways["torch, float32"](texts)
    work = sum(_operations(int(length)) for length in lengths) / 1e9
    print("| | windows per CPU-second | median | share of the peak | same | furthest cosine |")
    print("|---|---|---|---|---|---|")
    for name, embed in ways.items():
        best, middle = min(seconds[name]), float(np.median(seconds[name]))
        found = embed(texts)
        print(
            f"| {name} | {len(texts) / best:.1f} | {len(texts) / middle:.1f}"
            f" | {work / best / max(peaks):.2f} | {_is_same(embed, texts, found)}"
            f" | {(found * exact).sum(axis=1).min():.6f} |"
        )
    return 0


def _ways() -> Ways:
    """Return the encoders by name."""
    ways: dict[str, Callable[[Sequence[str]], Floats]] = {}
    plain = _plain_model(EmbeddingModel())
    ways["sentence-transformers, float32"] = lambda texts: plain.encode(list(texts))
    for runtime in get_args(ComputedBy):
        for dtype in ("float32", "bfloat16"):
            # Bypass the cache of the loader, which holds only one model.
            settings = EmbeddingModel(dtype=dtype, runtime=runtime)
            network = load_network.__wrapped__(
                settings.model, "", settings.dtype, runtime, trusted=False
            )
            reader = Reader(network.tokenizer, settings, longest=network.longest)
            ways[f"{runtime}, {dtype}"] = Encoder(network, settings, reader).passages
    return ways


def _peak(dtype: str) -> float:
    """Return the GFLOP per CPU-second of a matrix product."""
    import torch

    one = torch.ones(SIZE, SIZE, dtype=getattr(torch, dtype))
    torch.mm(one, one)
    spent = _cpu_seconds(lambda: [torch.mm(one, one) for _ in range(100)])
    return 100 * 2 * SIZE**3 / spent / 1e9


def _operations(tokens: int) -> int:
    """Return the operations of MiniLM for a text: 6 layers of width 384, plus attention."""
    return 6 * (24 * 384**2 * tokens + 4 * 384 * tokens**2)


def _is_same(
    embed: Callable[[Sequence[str]], Floats], texts: Sequence[str], found: Floats
) -> bool:
    """Return True if vectors do not change bitwise with the batch or the order of the texts."""
    order = np.random.default_rng(1).permutation(len(texts))
    shuffled = embed([texts[place] for place in order])
    alone = np.concatenate([embed([text]) for text in texts[:ALONE]])
    return np.array_equal(shuffled, found[order]) and np.array_equal(alone, found[:ALONE])


def _machine() -> str:
    return f"load {os.getloadavg()[0]:.1f}"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--dtype", default="bfloat16", choices=("float32", "bfloat16"), help="of the peak"
    )
    return parser.parse_args()


def _texts(encoder: Encoder, count: int) -> tuple[list[str], np.ndarray[Any, Any]]:
    """Return a sample of windows of installed packages with their lengths."""
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


def _cpu_seconds(work: Callable[[], Any]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


if __name__ == "__main__":
    sys.exit(main())
