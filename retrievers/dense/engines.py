"""Vectors held by an engine: NumPy, Qdrant in process, or a Qdrant server.

All answer alike: the nearest first, equal scores by id. What an engine keeps is private scratch,
made from the vectors and gone with `close`.
"""

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import starmap
from typing import Any, Protocol
from uuid import uuid4

import numpy as np

from retrievers.dense.search import distinct
from retrievers.interface import Floats, Integers, best_first

Found = tuple[Integers, Floats]
KINDS = ("exact", "edge", "server")
_UPSERTED_TOGETHER = 1000
_SECONDS = 60
_COLLECTION = "rankgrid-"


class VectorError(ValueError):
    """Vectors that cannot be held, or an engine that cannot hold them."""


class VectorEngine(Protocol):
    """Vectors that can be searched."""

    def search(self, vector: Floats, limit: int) -> Found:
        """Return the ids and scores of the `limit` nearest, best first, ties by id."""
        ...

    def close(self) -> None:
        """Give back all that the engine holds."""
        ...


def open_engine(
    kind: str, vectors: Floats, *, url: str = "", key_variable: str = "", indexed: bool = True
) -> VectorEngine:
    """Return an engine that holds `vectors` under the numbers of their rows."""
    if kind not in KINDS:
        raise VectorError(f"vectors={kind}: no such engine; choose one of {', '.join(KINDS)}")
    if not np.isfinite(vectors).all():
        row = int(np.flatnonzero(~np.isfinite(vectors).all(axis=1))[0])
        raise VectorError(f"vectors={kind}: vector {row} has NaN or infinity; embed it again")
    if kind == "exact":
        return ExactEngine(vectors)
    if kind == "edge":
        return EdgeEngine(vectors, indexed=indexed)
    return ServerEngine(vectors, url=url, key_variable=key_variable, indexed=indexed)


class ExactEngine:
    """Every vector is looked at, in NumPy."""

    def __init__(self, vectors: Floats) -> None:
        self._vectors, self._copies = distinct(vectors)

    def search(self, vector: Floats, limit: int) -> Found:
        """Return the nearest vectors."""
        _check(vector)
        scores = (self._vectors @ vector)[self._copies]
        places = best_first(scores, limit) if limit > 0 else np.zeros(0, np.int64)
        return places, scores[places]

    def close(self) -> None:
        """Let go of the vectors."""
        self._vectors, self._copies = self._vectors[:0], self._copies[:0]


class EdgeEngine:
    """Qdrant's own engine in this process, in a folder that only it knows."""

    def __init__(self, vectors: Floats, *, indexed: bool = False) -> None:
        import qdrant_edge as edge

        self._size, self._exact = len(vectors), not indexed
        self._folder = tempfile.TemporaryDirectory(prefix="rankgrid-vectors-")
        parameters = edge.EdgeVectorParams(
            size=max(1, vectors.shape[1]), distance=edge.Distance.Dot
        )
        config = edge.EdgeConfig(vectors=parameters, max_search_threads=1)
        self._shard = edge.EdgeShard.create(self._folder.name, config)
        for start in range(0, len(vectors), _UPSERTED_TOGETHER):
            rows = vectors[start : start + _UPSERTED_TOGETHER].tolist()
            points = list(starmap(edge.Point, enumerate(rows, start)))
            self._shard.update(edge.UpdateOperation.upsert_points(points))
        if indexed:
            self._shard.optimize()

    def search(self, vector: Floats, limit: int) -> Found:
        """Return the nearest vectors."""
        import qdrant_edge as edge

        _check(vector)
        query = edge.Query.Nearest(vector.tolist())
        parameters = edge.SearchParams(exact=self._exact)

        def ask(depth: int) -> Sequence[Any]:
            request = edge.SearchRequest(query=query, limit=depth, params=parameters)
            return list(self._shard.search(request))

        return _ties_by_id(ask, limit, self._size)

    def close(self) -> None:
        """Close the shard and remove its folder."""
        self._shard.close()
        self._folder.cleanup()


class ServerEngine:
    """A Qdrant server, in a collection that is made for this engine and removed with it."""

    def __init__(
        self, vectors: Floats, *, url: str, key_variable: str = "", indexed: bool = False
    ) -> None:
        from qdrant_client import QdrantClient, models

        if not url:
            raise VectorError("vectors=server: it needs an address; add vectors.url=http://…")
        self._size, self._url = len(vectors), url
        self._parameters = models.SearchParams(exact=not indexed)
        self._name = f"{_COLLECTION}{uuid4().hex}"
        key = os.environ.get(key_variable) if key_variable else None
        self._client = QdrantClient(
            url=url, api_key=key, timeout=_SECONDS, check_compatibility=False
        )
        with self._answering():
            self._client.create_collection(
                self._name,
                vectors_config=models.VectorParams(
                    size=max(1, vectors.shape[1]), distance=models.Distance.DOT
                ),
            )
        with self._removed_on_failure(), self._answering():
            self._fill(vectors)

    def search(self, vector: Floats, limit: int) -> Found:
        """Return the nearest vectors."""
        _check(vector)

        def ask(depth: int) -> Sequence[Any]:
            with self._answering():
                answer = self._client.query_points(
                    self._name, query=vector.tolist(), limit=depth, search_params=self._parameters
                )
            return list(answer.points)

        return _ties_by_id(ask, limit, self._size)

    def close(self) -> None:
        """Remove the collection and hang up."""
        try:
            with self._answering():
                self._client.delete_collection(self._name)
        finally:
            self._client.close()

    def _fill(self, vectors: Floats) -> None:
        from qdrant_client import models

        for start in range(0, len(vectors), _UPSERTED_TOGETHER):
            some = vectors[start : start + _UPSERTED_TOGETHER]
            points = models.Batch(ids=[*range(start, start + len(some))], vectors=some.tolist())
            self._client.upsert(self._name, points=points, wait=True)
        held = self._client.count(self._name, exact=True).count
        if held != len(vectors):
            message = (
                f"vectors.url={self._url}: it holds {held} of {len(vectors)} vectors; ask again"
            )
            raise VectorError(message)

    @contextmanager
    def _removed_on_failure(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            with suppress(VectorError):
                self.close()
            raise

    @contextmanager
    def _answering(self) -> Iterator[None]:
        """Say in our words that the server failed."""
        from qdrant_client.common.client_exceptions import QdrantException
        from qdrant_client.http.exceptions import ApiException

        try:
            yield
        except (ApiException, QdrantException) as error:
            reason = " ".join(str(error).split())[:200]
            message = (
                f"vectors.url={self._url}: the server failed ({reason}); is it Qdrant, and up?"
            )
            raise VectorError(message) from error


def _check(vector: Floats) -> None:
    if not np.isfinite(vector).all():
        raise VectorError("the query's vector has NaN or infinity; embed it again")


def _ties_by_id(ask: Callable[[int], Sequence[Any]], limit: int, size: int) -> Found:
    """Return the best of what `ask` finds, asking deeper until no tie is cut in two."""
    wanted = min(limit, size)
    if wanted <= 0:
        return np.zeros(0, np.int64), np.zeros(0, np.float32)
    depth = min(wanted + 1, size)
    hits = ask(depth)
    while depth < size and len(hits) == depth and hits[-1].score == hits[wanted - 1].score:
        depth = min(2 * depth, size)
        hits = ask(depth)
    ids = np.array([hit.id for hit in hits], np.int64)
    scores = np.array([hit.score for hit in hits], np.float32)
    order = np.lexsort((ids, -scores))[:wanted]
    return ids[order], scores[order]
