"""Cosines of queries and chunks, by the windows of each chunk.

An exact search scores all points; an engine returns the nearest of the same points.

A matrix product may give two equal vectors scores that differ in the last bit, by their positions.
Distinct vectors are scored once, so that equal vectors tie.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from retrievers.dense.settings import LongText
from retrievers.dense.windows import Members
from retrievers.interface import SEARCHED, Floats, Integers, Rankings

_QUERIES = 32
"""Queries per product. The number of rows is fixed, so that a query alone has the same score."""
_DIGESTED = 4096


def chunk_scores(
    query_vectors: Floats,
    window_vectors: Floats,
    belonging: Members,
    *,
    chunk_count: int,
    long_text: LongText = "max",
) -> Iterator[Floats]:
    """Yield for each query the cosines of all chunks: of the best window, or of the mean."""
    points, shown = points_of_chunks(
        window_vectors, belonging, chunk_count=chunk_count, long_text=long_text
    )
    vectors, copies = distinct(points)
    rows = (row[copies] for row in _rows(query_vectors, vectors))
    yield from best_of_windows(rows, shown, chunk_count=chunk_count, long_text=long_text)


def points_of_chunks(
    window_vectors: Floats, belonging: Members, *, chunk_count: int, long_text: LongText
) -> tuple[Floats, Members]:
    """Return the vectors that are searched, and the pairs of chunks and vectors.

    There is one vector for each window or, with `long_text="mean"`, one for each chunk.
    """
    if long_text != "mean":
        return window_vectors, belonging
    chunks, windows = belonging
    own = np.arange(chunk_count)
    return _means(window_vectors[windows], _first_places(chunks, chunk_count)), (own, own)


def best_of_windows(
    rows: Iterable[Floats], belonging: Members, *, chunk_count: int, long_text: LongText
) -> Iterator[Floats]:
    """Yield for each query the scores of chunks: the best or the mean of their windows' scores."""
    chunks, windows = belonging
    starts = _first_places(chunks, chunk_count)
    for row in rows:
        if not chunk_count:
            yield row[:0]
        elif long_text == "mean":
            sums = np.add.reduceat(row[windows], starts, dtype=np.float64)
            yield (sums / np.bincount(chunks, minlength=chunk_count)).astype(np.float32)
        else:
            yield np.maximum.reduceat(row[windows], starts)


class ChunksOfPoints:
    """Map from the points of an engine to their chunks."""

    def __init__(self, belonging: Members, *, points: int, chunks: int) -> None:
        chunk, point = belonging
        order = np.argsort(point, kind="stable")
        self._chunk = chunk[order]
        self._stops = np.append(0, np.cumsum(np.bincount(point, minlength=points)))
        self._points, self._chunks = points, chunks

    def found(self, search: Callable[[int], tuple[Integers, Floats]]) -> Rankings:
        """Return the ranking of one query by the best point of each chunk.

        `search` returns as many of the nearest points as requested. Several may belong to one
        chunk, so the limit doubles until enough chunks are found.
        """
        limit, wanted = SEARCHED, min(SEARCHED, self._chunks)
        while True:
            points, scores = search(limit)
            row = self._best(points, scores)
            found = np.flatnonzero(np.isfinite(row))
            if len(found) >= wanted or limit >= self._points:
                return _ranking(found, row[found])
            limit *= 2

    def _best(self, points: Integers, scores: Floats) -> Floats:
        counts = self._stops[points + 1] - self._stops[points]
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        pairs = np.repeat(self._stops[points], counts) + within
        row = np.full(self._chunks, -np.inf, np.float32)
        np.maximum.at(row, self._chunk[pairs], np.repeat(scores, counts))
        return row


def _ranking(chunks: Integers, scores: Floats) -> Rankings:
    order = np.argsort(-scores, kind="stable")[:SEARCHED]
    kept = scores[order]
    mean, deviation = (float(kept.mean()), float(kept.std())) if len(kept) else (0.0, 0.0)
    return Rankings.of([(chunks[order], kept)], [mean], [deviation])


def distinct(vectors: Floats) -> tuple[Floats, Integers]:
    """Return the distinct vectors, and for each vector its position among them."""
    _, firsts, copies = np.unique(_digests(vectors), return_index=True, return_inverse=True)
    if len(firsts) == len(vectors):
        return vectors, np.arange(len(vectors))
    return vectors[firsts], np.asarray(copies, np.int64)


def _digests(vectors: Floats) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Return a hash per vector: equal for equal vectors, in practice different for others."""
    # Odd factors: a change of a single number always changes the sum modulo 2^64.
    factors = np.random.default_rng(0).integers(2**63, size=vectors.shape[1], dtype=np.uint64)
    bits = np.ascontiguousarray(vectors, np.float32).view(np.uint32)
    blocks = (bits[start : start + _DIGESTED] for start in range(0, len(bits), _DIGESTED))
    parts = [block.astype(np.uint64) @ (factors * 2 + 1) for block in blocks]
    return np.concatenate(parts) if parts else np.zeros(0, np.uint64)


def _first_places(chunks: Integers, chunk_count: int) -> Integers:
    """Return where each chunk's windows begin among the pairs, which are sorted by chunk."""
    starts = np.searchsorted(chunks, np.arange(chunk_count))
    if len(starts) and (starts[-1] >= len(chunks) or (chunks[starts] != range(chunk_count)).any()):
        lone = int(np.setdiff1d(np.arange(chunk_count), chunks)[0])
        raise ValueError(f"chunk {lone} has no window: give each chunk one, sorted by chunk")
    return starts


def _means(vectors: Floats, starts: Integers) -> Floats:
    if not len(starts):
        return vectors[:0]
    sums = np.add.reduceat(vectors, starts, axis=0)
    norms = np.linalg.norm(sums, axis=1, keepdims=True)
    return np.asarray(sums / np.maximum(norms, np.finfo(np.float32).tiny), np.float32)


def _rows(queries: Floats, vectors: Floats) -> Iterator[Floats]:
    """Yield the products of each query with all vectors."""
    block = np.zeros((_QUERIES, vectors.shape[1]), np.float32)
    for start in range(0, len(queries), _QUERIES):
        some = queries[start : start + _QUERIES]
        # The product always has as many rows, because its last bits depend on its shape.
        block[:] = 0
        block[: len(some)] = some
        yield from (block @ vectors.T)[: len(some)]
