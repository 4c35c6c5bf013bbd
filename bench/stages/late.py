"""Late interaction as a retriever: token vectors of windows, the ranking, and its live form."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bench.models import load_encoder
from bench.pipeline import Read, Record, Stage
from bench.stages.dense import PARTS, Model, slice_by_length
from bench.stages.live import POOL, LiveChannel
from bench.stages.ranking import DEPTH
from bench.stages.sources import Questions
from bench.stages.vectors import belonging_of, chunk_of_each, of_windows
from retrievers.dense import (
    Encoder,
    TokenVectors,
    VectorSettings,
    Windows,
    best_of_windows,
    open_multivectors,
    window_scores,
    window_texts,
)
from retrievers.dense.settings import Bits, LongText
from retrievers.interface import Chunks, Documents, Floats, Rankings, ranked

_EMBEDDED_TOGETHER = 256
"""Windows whose token vectors are in memory before they are made small."""


@dataclass(frozen=True)
class EmbedTokens(Stage[TokenVectors]):
    """Embed every token of one part of the windows, and store neighbours together."""

    kind: ClassVar[str] = "embed-tokens"
    codec: ClassVar[Record[TokenVectors]] = Record(TokenVectors)

    documents: Stage[Documents]
    windows: Stage[Windows]
    model: Model
    pooling: int
    bits: Bits
    part: int
    parts: int = PARTS

    def prepare(self) -> None:
        """Load the model."""
        load_encoder(self.model.settings)

    def run(self, read: Read, /) -> TokenVectors:
        """Return the token vectors of this part's windows."""
        windows, documents = read(self.windows), read(self.documents)
        places = slice_by_length(windows.length, self.part, self.parts)
        encoder = load_encoder(self.model.settings)
        blocks = []
        for start in range(0, len(places), _EMBEDDED_TOGETHER):
            some = places[start : start + _EMBEDDED_TOGETHER]
            texts = encoder.passage_tokens(window_texts(documents, windows, encoder, some))
            blocks.append(self._stored(some, texts))
        read.count(texts=len(places), embedded=len(places))
        return TokenVectors.joined(blocks or [self._stored(places, [])])

    def _stored(
        self, places: np.ndarray[tuple[int], np.dtype[np.int64]], texts: list[Floats]
    ) -> TokenVectors:
        return TokenVectors.of(places, texts, pooling=self.pooling, bits=self.bits)


@dataclass(frozen=True)
class EmbedQueryTokens(Stage[TokenVectors]):
    """Embed every token of what is asked; none is stored together with another."""

    kind: ClassVar[str] = "embed-query-tokens"
    codec: ClassVar[Record[TokenVectors]] = Record(TokenVectors)

    questions: Stage[Questions]
    model: Model
    bits: Bits

    def prepare(self) -> None:
        """Load the model."""
        load_encoder(self.model.settings)

    def run(self, read: Read, /) -> TokenVectors:
        """Return the token vectors of each query."""
        encoder = load_encoder(self.model.settings)
        return _asked(encoder, read(self.questions).texts, self.bits)


def _asked(encoder: Encoder, texts: tuple[str, ...], bits: Bits) -> TokenVectors:
    tokens = [encoder.query_tokens(text) for text in texts]
    return TokenVectors.of(range(len(texts)), tokens, pooling=1, bits=bits)


@dataclass(frozen=True)
class RankByTokenVectors(Stage[Rankings]):
    """Score every chunk by MaxSim of its windows with each query; exact, a part at a time."""

    kind: ClassVar[str] = "rank-by-token-vectors"
    codec: ClassVar[Record[Rankings]] = Record(Rankings)

    questions: Stage[TokenVectors]
    chunks: Stage[Chunks]
    windows: Stage[Windows]
    tokens: tuple[Stage[TokenVectors], ...]
    long_text: LongText
    depth: int = DEPTH

    def run(self, read: Read, /) -> Rankings:
        """Return the best chunks."""
        windows, chunks = read(self.windows), read(self.chunks)
        parts: Iterator[TokenVectors] = (read(part) for part in self.tokens)
        rows = window_scores(read(self.questions), parts, window_count=len(windows))
        belonging = belonging_of(windows, chunks, self.long_text)
        scores = best_of_windows(
            rows, belonging, chunk_count=len(chunks), long_text=self.long_text
        )
        return ranked(scores, self.depth, floor=None)


@dataclass(frozen=True)
class LiveTokenVectors:
    """What serves by token vectors: all of them in memory or in an engine, and the model."""

    form: RankByTokenVectors
    model: Model
    engine: VectorSettings | None = None
    """What holds them as multivectors; None: memory."""

    def open(self, read: Read, /) -> LiveChannel:
        """Read the vectors and load the model."""
        if self.engine is None or self.engine.is_exact:
            return _InMemory(self, read)
        return _InEngine(self, read, self.engine)


class _Loaded:
    """The model, the stored vectors and which windows count for which chunk."""

    def __init__(self, live: LiveTokenVectors, read: Read) -> None:
        form = live.form
        self.encoder = load_encoder(live.model.settings)
        self.tokens = TokenVectors.joined([read(part) for part in form.tokens])
        self.bits: Bits = 8 if self.tokens.vector.dtype == np.int8 else 16
        windows, chunks = read(form.windows), read(form.chunks)
        self.windows, self.chunks, self.long_text = len(windows), len(chunks), form.long_text
        self.belonging = belonging_of(windows, chunks, form.long_text)

    def asked(self, query: str) -> TokenVectors:
        """Return the vectors of a query's tokens."""
        return _asked(self.encoder, (query,), self.bits)


class _InMemory:
    """MaxSim over every window, in NumPy."""

    def __init__(self, live: LiveTokenVectors, read: Read) -> None:
        self._loaded = _Loaded(live, read)

    def opinion(self, query: str) -> Rankings:
        """Return the best chunks of one query."""
        own = self._loaded
        rows = window_scores(own.asked(query), iter([own.tokens]), window_count=own.windows)
        scores = best_of_windows(
            rows, own.belonging, chunk_count=own.chunks, long_text=own.long_text
        )
        return ranked(scores, POOL, floor=None)

    def close(self) -> None:
        """Let go of the vectors."""
        self._loaded.tokens = self._loaded.tokens.of_text(0)


class _InEngine:
    """MaxSim over multivectors in a vector engine."""

    def __init__(self, live: LiveTokenVectors, read: Read, engine: VectorSettings) -> None:
        self._loaded = _Loaded(live, read)
        self._chunk_of = chunk_of_each(self._loaded.belonging, self._loaded.windows)
        self._engine = open_multivectors(engine, self._loaded.tokens)
        self._loaded.tokens = self._loaded.tokens.of_text(0)

    def opinion(self, query: str) -> Rankings:
        """Return the chunks of the windows that the engine finds."""
        asked = self._loaded.asked(query).whole
        windows, sums = self._engine.search(asked, POOL)
        means = np.asarray(sums / len(asked), np.float32)
        return of_windows(means, self._chunk_of[windows], self._loaded.chunks)

    def close(self) -> None:
        """Let go of the engine."""
        self._engine.close()
