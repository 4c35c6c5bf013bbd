"""Vector engines: NumPy in this module, Qdrant in `qdrant`.

All return the nearest first, equal scores by id. An engine's files are private scratch, made from
the vectors and removed by `close`.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from retrievers.dense.search import distinct
from retrievers.errors import VectorError
from retrievers.interface import Floats, Integers, best_first

Found = tuple[Integers, Floats]
_ROUNDING = 1e-6
"""Largest difference between two computations of the same product of vectors."""


class VectorEngine(Protocol):
    """Vectors that can be searched."""

    def search(self, vector: Floats, limit: int) -> Found:
        """Return the ids and scores of the `limit` nearest, best first, ties by id."""
        ...

    def close(self) -> None:
        """Release everything that the engine holds."""
        ...


class ExactEngine:
    """Exact search over all vectors, in NumPy."""

    def __init__(self, vectors: Floats) -> None:
        self._vectors, self._copies = distinct(vectors)

    def search(self, vector: Floats, limit: int) -> Found:
        """Return the nearest vectors."""
        check_query(vector)
        scores = (self._vectors @ vector)[self._copies]
        places = best_first(scores, limit) if limit > 0 else np.zeros(0, np.int64)
        return places, scores[places]

    def close(self) -> None:
        """Free the vectors."""
        # A slice of nothing would keep the whole array, so it is copied.
        self._vectors, self._copies = self._vectors[:0].copy(), self._copies[:0].copy()


def recall(found: Integers, vectors: Floats, query: Floats, limit: int) -> float:
    """Return the share of the `limit` nearest that an engine found; ties with the last count."""
    wanted = min(limit, len(vectors))
    if not wanted:
        return 1.0
    scores = vectors @ query
    floor = np.partition(scores, -wanted)[-wanted] - _ROUNDING
    return min(1.0, float((scores[found[:wanted]] >= floor).sum()) / wanted)


def check_query(vector: Floats) -> None:
    """Refuse a query vector with NaN or infinity."""
    if not np.isfinite(vector).all():
        raise VectorError("the query's vector has NaN or infinity; embed it again")


def ties_by_id(ask: Callable[[int], Sequence[Any]], limit: int, size: int) -> Found:
    """Return the best results of `ask`, with larger limits until no group of ties is cut."""
    wanted = min(limit, size)
    if wanted <= 0:
        return np.zeros(0, np.int64), np.zeros(0, np.float32)
    # One more than wanted shows whether the last score is tied with the next one.
    depth = min(wanted + 1, size)
    hits = ask(depth)
    while depth < size and len(hits) == depth and hits[-1].score == hits[wanted - 1].score:
        depth = min(2 * depth, size)
        hits = ask(depth)
    ids = np.array([hit.id for hit in hits], np.int64)
    scores = np.array([hit.score for hit in hits], np.float32)
    order = np.lexsort((ids, -scores))[:wanted]
    return ids[order], scores[order]
