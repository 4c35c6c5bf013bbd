"""Dense retrieval: the cosine of a query with the windows of each chunk.

Quality is judged with an exact search over all points. A chunk has a point for each window, or one
for the mean of its windows. Queries are served by a vector engine that holds the same points and
returns the nearest. With `vectors.ranked`, quality is judged with this engine.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from retrievers.dense.encoder import Encoder
from retrievers.dense.engine_settings import VectorSettings
from retrievers.dense.engines import VectorEngine, recall
from retrievers.dense.qdrant import open_engine
from retrievers.dense.search import ChunksOfPoints, chunk_scores, points_of_chunks
from retrievers.dense.settings import EmbeddingModel
from retrievers.dense.windows import Windows, members
from retrievers.interface import (
    CHUNKS,
    Floats,
    Input,
    Rankings,
    ReadInput,
    Retriever,
    ranked,
)


@dataclass(frozen=True)
class Vectors:
    """Vectors of texts, with the position of each text among all."""

    place: np.ndarray[Any, np.dtype[np.int32]]
    vector: np.ndarray[Any, np.dtype[np.float32]]


@dataclass(frozen=True)
class ModelWindows(Input[Windows]):
    """Windows of a repository's chunks for a model or, with small_to_big, of its documents."""

    model: EmbeddingModel


@dataclass(frozen=True)
class WindowVectors(Input[tuple[Vectors, ...]]):
    """Vectors of a model's windows, in parts."""

    model: EmbeddingModel


@dataclass(frozen=True)
class QueryVectors(Input[Vectors]):
    """Vectors of the queries by a model, in the order of the queries."""

    model: EmbeddingModel


@dataclass(frozen=True)
class LoadedModel(Input[Encoder]):
    """The loaded model, to embed queries one at a time."""

    model: EmbeddingModel


@dataclass(frozen=True)
class Dense(Retriever):
    """Search by one vector for each window of a text."""

    embedder: EmbeddingModel = field(default_factory=EmbeddingModel)
    vectors: VectorSettings = field(default_factory=VectorSettings)
    """The engine that serves queries."""

    @property
    def inputs(self) -> tuple[Input[Any], ...]:
        """Chunks, windows with their vectors, and the model."""
        model = self.embedder
        return CHUNKS, ModelWindows(model), WindowVectors(model), LoadedModel(model)

    @property
    def query_inputs(self) -> tuple[Input[Any], ...]:
        """Vectors of all queries."""
        return (QueryVectors(self.embedder),)

    @property
    def for_ranking(self) -> "Dense":
        """These settings without the engine, unless it makes the judged rankings."""
        return replace(self, vectors=self.vectors.for_ranking)

    @property
    def for_serving(self) -> "Dense":
        """These settings as they affect latency: the engine serves whether it ranks or not."""
        return replace(self, vectors=replace(self.vectors, ranked=False))

    @property
    def exact(self) -> "Dense":
        """These settings with an exact search."""
        return replace(self, vectors=VectorSettings())

    @property
    def ranking_engine(self) -> str:
        """Name of the vector engine if it makes the judged rankings; otherwise empty."""
        return self.vectors.engine if self.vectors.ranked else ""

    def rank(self, _queries: Sequence[str], read: ReadInput, /, *, depth: int) -> Rankings:
        """Score every chunk by the cosine of its windows with each query, or ask the engine.

        Rankings of the engine keep the mean and the deviation of all exact scores. A hybrid then
        puts them on the scale of an exact search, and only the found chunks and their order
        differ.
        """
        exact = ranked(self._scores(read), depth, floor=None)
        if not self.vectors.ranked:
            return exact
        found = self._found(read)
        return Rankings.of(found, exact.mean, exact.deviation)

    def _found(self, read: ReadInput) -> list[tuple[Any, Floats]]:
        """Return the engine's hits for every query, as many as in serving."""
        vectors, chunks = self.points(read)
        engine = open_engine(self.vectors, vectors)
        try:
            return [
                chunks.found(partial(engine.search, vector)).of_query(0)
                for vector in read(QueryVectors(self.embedder)).vector
            ]
        finally:
            engine.close()

    def _scores(self, read: ReadInput) -> Iterator[Floats]:
        """Yield for each query the scores of all chunks."""
        chunks, model = read(CHUNKS), self.embedder
        return chunk_scores(
            read(QueryVectors(model)).vector,
            joined(read(WindowVectors(model))),
            members(read(ModelWindows(model)), chunks),
            chunk_count=len(chunks),
            long_text=model.long_text,
        )

    def points(self, read: ReadInput) -> tuple[Floats, ChunksOfPoints]:
        """Return the vectors for an engine, and the chunks that they belong to."""
        chunks, model = read(CHUNKS), self.embedder
        vectors, shown = points_of_chunks(
            joined(read(WindowVectors(model))),
            members(read(ModelWindows(model)), chunks),
            chunk_count=len(chunks),
            long_text=model.long_text,
        )
        return vectors, ChunksOfPoints(shown, points=len(vectors), chunks=len(chunks))

    def searcher(self, read: ReadInput, /) -> "DenseSearcher":
        """Return a searcher with a filled engine and a loaded model."""
        return DenseSearcher(self, read)


class DenseSearcher:
    """Dense search through a vector engine."""

    def __init__(self, settings: Dense, read: ReadInput) -> None:
        vectors, self._chunks = settings.points(read)
        self._encoder = read(LoadedModel(settings.embedder))
        self._engine: VectorEngine = open_engine(settings.vectors, vectors)
        self._known = None if settings.vectors.is_exact else vectors

    def search(self, query: str) -> Rankings:
        """Return the chunks of the points that the engine finds, best first."""
        vector = self._encoder.queries([query])[0]
        return self._chunks.found(lambda limit: self._engine.search(vector, limit))

    def recall(self, query: str, limit: int) -> float | None:
        """Return the share of the nearest points that the engine finds; None if it is exact."""
        if self._known is None:
            return None
        vector = self._encoder.queries([query])[0]
        found, _ = self._engine.search(vector, limit)
        return recall(found, self._known, vector, limit)

    def close(self) -> None:
        """Close the engine."""
        self._engine.close()


def joined(parts: Sequence[Vectors]) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Return the vectors of all parts, ordered by position."""
    count = sum(len(part.place) for part in parts)
    whole = np.empty((count, parts[0].vector.shape[1]), np.float32)
    for part in parts:
        whole[part.place] = part.vector
    return whole
