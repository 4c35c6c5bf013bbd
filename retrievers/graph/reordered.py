"""The retriever that reorders the first symbols of a graph by vectors.

`retrievers.graph` does not export it, because it imports all of dense retrieval.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from retrievers.dense import (
    EmbeddingModel,
    Encoder,
    LoadedModel,
    QueryVectors,
    Vectors,
    joined,
)
from retrievers.graph.reordering import Reordering, reordered
from retrievers.graph.retriever import Graph
from retrievers.graph.shown_symbols import chunk_of_symbols, chunk_scores
from retrievers.interface import (
    CHUNKS,
    SEARCHED,
    Floats,
    Input,
    Rankings,
    ReadInput,
    Retriever,
    ranked,
)
from retrievers.source import SYMBOLS


@dataclass(frozen=True)
class SymbolVectors(Input[tuple[Vectors, ...]]):
    """The vectors of the symbols' passages, in parts. They do not depend on a graph's settings."""

    model: EmbeddingModel


@dataclass(frozen=True)
class ReorderedGraph(Retriever):
    """A graph whose first symbols are ordered by its scores and by cosines of a model."""

    # When the ranking of a graph changes, so does this ranking.
    algorithm_version: ClassVar[int] = Graph.algorithm_version

    graph: Graph
    reordering: Reordering
    embedder: EmbeddingModel

    @property
    def inputs(self) -> tuple[Input[Any], ...]:
        """The inputs of the graph, the vectors of its symbols, and the model."""
        return *self.graph.inputs, *self.vector_inputs, LoadedModel(self.embedder)

    @property
    def vector_inputs(self) -> tuple[Input[Any], ...]:
        """The vectors of the symbols."""
        return (SymbolVectors(self.embedder),)

    @property
    def query_inputs(self) -> tuple[Input[Any], ...]:
        """The vectors of all queries."""
        return (QueryVectors(self.embedder),)

    def rank(self, queries: Sequence[str], read: ReadInput, /, *, depth: int) -> Rankings:
        """Return the chunks that show ranked symbols."""
        index = ReorderedIndex(self, read)
        vectors = read(QueryVectors(self.embedder)).vector
        rows = (index.scores(*asked) for asked in zip(queries, vectors, strict=True))
        return ranked(rows, depth, floor=0.0)

    def searcher(self, read: ReadInput, /) -> "ReorderedSearcher":
        """Open the graph and load the model."""
        return ReorderedSearcher(ReorderedIndex(self, read), read(LoadedModel(self.embedder)))


class ReorderedIndex:
    """An index that scores chunks by a walk and by the vectors of the ranked symbols."""

    def __init__(self, settings: ReorderedGraph, read: ReadInput) -> None:
        chunks = read(CHUNKS)
        self._graph = settings.graph.open(read)
        self._home = chunk_of_symbols(read(SYMBOLS), chunks)
        self._chunks = len(chunks)
        self._vectors = joined(read(SymbolVectors(settings.embedder)))
        self._settings = settings.reordering

    def scores(self, query: str, vector: Floats) -> Floats:
        """Return the score of every chunk; 0 without a ranked symbol."""
        scored = self._graph.for_task(query).scored
        similarity = self._vectors[scored.node[: self._settings.depth]] @ vector
        scored = reordered(scored, similarity, self._settings.weight)
        return chunk_scores(scored, self._home, self._chunks)


@dataclass(frozen=True)
class ReorderedSearcher:
    """A searcher over a reordered graph. It embeds each query."""

    index: ReorderedIndex
    encoder: Encoder

    def search(self, query: str) -> Rankings:
        """Return the chunks that show ranked symbols."""
        vector = self.encoder.queries([query])[0]
        return ranked([self.index.scores(query, vector)], SEARCHED, floor=0.0)

    def close(self) -> None:
        """Do nothing, since the index is only memory."""
