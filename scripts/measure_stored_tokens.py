#!/usr/bin/env python
"""Measure late interaction over stored token vectors beside vectors computed for each query.

Run with the project's Python: python scripts/measure_stored_tokens.py [--windows 300]
Windows and queries are those of measure_late.py. The first table has the CPU-seconds and bytes
of one embedding pass with and without token vectors. The second has the time of a query whose
20 nearest windows are scored: its own embedding included, nothing kept between queries. The last
line compares all scores, and the order of the 20 with that of vectors that are not rounded.
"""

import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from measure_late import sample

from bench.engine import ArtifactStore, PartCache
from bench.stages.token_cache import StoredPassages, TokenCache
from retrievers.dense import Encoder
from retrievers.interface import Floats
from retrievers.rerankers import ComputedPassages, LateInteractionScorer, Passages, maxsim, rounded

DEPTH = 20


def main() -> int:
    """Print both tables."""
    encoder, texts, queries = sample()
    encoder.passages(texts[:8])  # warm up, so that the first measurement is not slower
    print(f"{len(texts)} windows, {len(queries)} queries, load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as folder:
        vectors = show_passes(encoder, texts, folder)
        cache = TokenCache(PartCache(ArtifactStore(folder), "tokens"))
        computed = ComputedPassages(encoder, kept_bytes=0)
        ways = {"stored": StoredPassages(cache, computed), "computed": computed}
        scores = {
            name: show_queries(name, encoder, passages, (queries, texts, vectors))
            for name, passages in ways.items()
        }
    show_equality(encoder, (queries, texts, vectors), scores)
    return 0


def show_passes(encoder: Encoder, texts: Sequence[str], folder: str) -> Floats:
    """Print the cost of embedding without and with token vectors; return the text vectors."""
    print("| one pass | CPU-seconds | bytes of token vectors in the store |")
    print("|---|---|---|")
    began = time.process_time()
    vectors = encoder.passages(texts)
    plain = time.process_time() - began
    print(f"| vectors | {plain:.2f} | 0 |")
    cache = TokenCache(PartCache(ArtifactStore(folder), "tokens"))
    began, both = time.process_time(), np.empty_like(vectors)
    for places, some in encoder.passages_with_tokens(
        texts, lambda text, tokens: cache.add(text, rounded(tokens))
    ):
        both[places] = some
    cache.write()
    spent = time.process_time() - began
    size = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
    print(f"| vectors and token vectors | {spent:.2f} ({spent / plain:.2f} times) | {size:,} |")
    print(f"vectors equal, bit for bit: {np.array_equal(vectors, both)}\n")
    return vectors


Asked = tuple[Sequence[str], Sequence[str], Floats]
"""Queries, the texts of all windows and their vectors."""


def show_queries(name: str, encoder: Encoder, passages: Passages, asked: Asked) -> Floats:
    """Print the time of a query; return the scores of each query's hits."""
    queries, texts, vectors = asked
    scorer = LateInteractionScorer(encoder, passages)
    wall, cpu, scores = [], [], []
    for query in queries:
        start, spent = time.perf_counter(), time.process_time()
        embedded = encoder.query(query)
        near = nearest(vectors, embedded.vector)
        scores.append(scorer.token_scores(embedded.tokens, [texts[place] for place in near]))
        wall.append(1000 * (time.perf_counter() - start))
        cpu.append(1000 * (time.process_time() - spent))
    if name == "stored":
        print("| a query with 20 hits | p50 ms | p50 CPU-ms |\n|---|---|---|")
    print(f"| {name} | {np.median(wall):.1f} | {np.median(cpu):.1f} |")
    return np.array(scores)


def nearest(vectors: Floats, query: Floats) -> list[int]:
    """Return the indexes of the windows nearest to a query."""
    found: list[int] = np.argsort(-(vectors @ query), kind="stable")[:DEPTH].tolist()
    return found


def show_equality(encoder: Encoder, asked: Asked, scores: dict[str, Floats]) -> None:
    """Print whether the scores are equal, and their error against unrounded vectors."""
    queries, texts, vectors = asked
    equal = np.array_equal(scores["stored"], scores["computed"])
    exact = []
    for query in queries:
        embedded = encoder.query(query)
        hits = [texts[place] for place in nearest(vectors, embedded.vector)]
        tokens = encoder.passage_tokens(hits)
        exact.append([maxsim(embedded.tokens, one) for one in tokens])
    off = np.abs(scores["stored"] - np.array(exact)).max()
    orders = [
        np.argsort(-np.array(rows), axis=1, kind="stable") for rows in (scores["stored"], exact)
    ]
    same = (orders[0] == orders[1]).all(axis=1).mean()
    print(f"\nstored and computed scores equal, bit for bit: {equal}")
    print(f"not rounded: off by {off:.4f} at most; {same:.2f} of the queries keep the order of 20")


if __name__ == "__main__":
    sys.exit(main())
