"""Late interaction: settings, exact ranking, and two searchers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

import numpy as np

from retrievers.dense import (
    ChunksOfPoints,
    EmbeddingModel,
    Encoder,
    LoadedModel,
    Members,
    ModelWindows,
    TokenVectors,
    VectorSettings,
    best_of_windows,
    members,
    open_multivectors,
    window_scores,
)
from retrievers.dense.settings import Bits, LongText, check_choice
from retrievers.errors import ModelError
from retrievers.interface import (
    CHUNKS,
    SEARCHED,
    Floats,
    Input,
    Integers,
    Rankings,
    ReadInput,
    Retriever,
    Searcher,
    ranked,
)

ServedFrom = Literal["memory", "vectors"]


@dataclass(frozen=True)
class WindowTokens(Input[tuple[TokenVectors, ...]]):
    """Stored token vectors of a model's windows, in parts."""

    model: EmbeddingModel
    pooling: int
    bits: Bits


@dataclass(frozen=True)
class QueryTokens(Input[TokenVectors]):
    """Token vectors of the queries, in the order of the queries."""

    model: EmbeddingModel
    bits: Bits


@dataclass(frozen=True)
class LateSearch(Retriever):
    """Search by token vectors of texts (MaxSim) instead of one vector per window."""

    embedder: EmbeddingModel = field(default_factory=EmbeddingModel)
    pooling: int = 1
    """Number of neighbouring tokens of a passage that are stored as their mean; 1: no means."""
    bits: Bits = 8
    """Bits of each stored number."""
    served_from: ServedFrom = "memory"
    """Search when serving, which affects only the latency: NumPy over all vectors, or multivectors
    in a vector engine."""
    vectors: VectorSettings | None = None
    """Engine for `served_from="vectors"`; otherwise None."""

    def __post_init__(self) -> None:
        """Refuse what cannot be computed, and drop settings that have no effect."""
        check_choice("served_from", self.served_from, get_args(ServedFrom))
        if self.pooling < 1:
            raise ModelError(f"pooling={self.pooling}: give 1 (every token) or more")
        if self.bits not in get_args(Bits):
            raise ModelError(f"bits={self.bits}: choose 8 or 16")
        if type(self.embedder) is not EmbeddingModel:
            message = f"embedder: {type(self.embedder).__name__} gives one vector a text"
            raise ModelError(f"{message}; retriever=late needs a model that runs here")
        if self.embedder.dimensions:
            message = f"dimensions={self.embedder.dimensions}: tokens are compared in all of them"
            raise ModelError(f"{message}; give 0 with retriever=late")
        # Pooling to one vector does not affect tokens. Without it, equal searches are equal.
        effective = replace(self.embedder, pooling="model", normalise=True)
        object.__setattr__(self, "embedder", effective)
        if self.served_from == "memory":
            object.__setattr__(self, "vectors", None)

    @property
    def inputs(self) -> tuple[Input[Any], ...]:
        """Chunks, windows with their token vectors, and the model."""
        return CHUNKS, ModelWindows(self.embedder), self.stored, LoadedModel(self.embedder)

    @property
    def query_inputs(self) -> tuple[Input[Any], ...]:
        """Token vectors of all queries."""
        return (QueryTokens(self.embedder, self.bits),)

    @property
    def stored(self) -> WindowTokens:
        """Token vectors that are searched."""
        return WindowTokens(self.embedder, self.pooling, self.bits)

    @property
    def for_ranking(self) -> "LateSearch":
        """These settings without the engine: quality is judged with an exact search."""
        return replace(self, served_from="memory", vectors=None)

    def rank(self, _queries: Sequence[str], read: ReadInput, /, *, depth: int) -> Rankings:
        """Score every chunk by exact MaxSim of its windows with each query, part by part."""
        queries = read(QueryTokens(self.embedder, self.bits))
        return _Chunks.of(self, read).ranked(queries, read(self.stored), depth)

    def searcher(self, read: ReadInput, /) -> Searcher:
        """Return a searcher with loaded vectors, in memory or in an engine, and a loaded model."""
        if self.vectors is None or self.vectors.is_exact:
            return MemorySearcher(self, read)
        return EngineSearcher(self, read, self.vectors)


def query_tokens(encoder: Encoder, texts: Sequence[str], bits: Bits) -> TokenVectors:
    """Return the token vectors of queries, without pooling of neighbours."""
    tokens = [encoder.query_tokens(text) for text in texts]
    return TokenVectors.of(range(len(texts)), tokens, pooling=1, bits=bits)


class MemorySearcher:
    """Exact MaxSim over every window, in NumPy."""

    def __init__(self, settings: LateSearch, read: ReadInput) -> None:
        self._bits = settings.bits
        self._encoder = read(LoadedModel(settings.embedder))
        self._tokens = TokenVectors.joined(read(settings.stored))
        self._chunks = _Chunks.of(settings, read)

    def search(self, query: str) -> Rankings:
        """Return the best chunks of one query."""
        asked = query_tokens(self._encoder, [query], self._bits)
        return self._chunks.ranked(asked, [self._tokens], SEARCHED)

    def close(self) -> None:
        """Free the vectors."""
        self._tokens = TokenVectors.of([], [], pooling=1, bits=self._bits)


class EngineSearcher:
    """MaxSim over multivectors in a vector engine."""

    def __init__(self, settings: LateSearch, read: ReadInput, engine: VectorSettings) -> None:
        self._bits = settings.bits
        self._encoder = read(LoadedModel(settings.embedder))
        self._chunks = _Chunks.of(settings, read)
        self._engine = open_multivectors(engine, TokenVectors.joined(read(settings.stored)))

    def search(self, query: str) -> Rankings:
        """Return the chunks of the windows that the engine finds."""
        asked = query_tokens(self._encoder, [query], self._bits).whole
        return self._chunks.found(lambda limit: self._nearest(asked, limit))

    def _nearest(self, asked: Floats, limit: int) -> tuple[Integers, Floats]:
        windows, sums = self._engine.search(asked, limit)
        return windows, np.asarray(sums / len(asked), np.float32)

    def close(self) -> None:
        """Close the engine."""
        self._engine.close()


@dataclass(frozen=True)
class _Chunks:
    count: int
    windows: int
    shown: Members
    long_text: LongText

    @classmethod
    def of(cls, settings: LateSearch, read: ReadInput) -> "_Chunks":
        windows, chunks = read(ModelWindows(settings.embedder)), read(CHUNKS)
        long_text = settings.embedder.long_text
        return cls(len(chunks), len(windows), members(windows, chunks), long_text)

    def ranked(self, queries: TokenVectors, parts: Sequence[TokenVectors], depth: int) -> Rankings:
        """Return the best chunks of each query by MaxSim with their windows."""
        rows = window_scores(queries, iter(parts), window_count=self.windows)
        scores = best_of_windows(
            rows, self.shown, chunk_count=self.count, long_text=self.long_text
        )
        return ranked(scores, depth, floor=None)

    def found(self, search: Callable[[int], tuple[Integers, Floats]]) -> Rankings:
        """Return the best chunks of one query; `search` returns that many of the best windows."""
        if self.long_text == "mean":  # the mean needs the scores of all windows of a chunk
            windows, scores = search(self.windows)
            row = np.zeros(self.windows, np.float32)
            row[windows] = scores
            rows = best_of_windows([row], self.shown, chunk_count=self.count, long_text="mean")
            return ranked(rows, SEARCHED, floor=None)
        chunks = ChunksOfPoints(self.shown, points=self.windows, chunks=self.count)
        return chunks.found(search)
