"""Late interaction as a retriever: token vectors of windows, the ranking, and its live form."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bench.models import load_encoder
from bench.pipeline import Read, Record, Stage
from bench.stages.dense import PARTS, Model, slice_by_length
from bench.stages.live import POOL
from bench.stages.ranking import DEPTH
from bench.stages.sources import Questions
from bench.stages.vectors import belonging_of
from retrievers.dense import (
    Encoder,
    TokenVectors,
    Windows,
    best_of_windows,
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
    """What serves by token vectors: all of them in memory, and the model."""

    form: RankByTokenVectors
    model: Model

    def open(self, read: Read, /) -> "_LiveTokenVectors":
        """Read the vectors and load the model."""
        return _LiveTokenVectors(self, read)


class _LiveTokenVectors:
    """MaxSim over every window."""

    def __init__(self, live: LiveTokenVectors, read: Read) -> None:
        form = live.form
        self._encoder = load_encoder(live.model.settings)
        self._tokens = TokenVectors.joined([read(part) for part in form.tokens])
        self._bits: Bits = 8 if self._tokens.vector.dtype == np.int8 else 16
        windows, self._chunks = read(form.windows), len(read(form.chunks))
        self._windows, self._long_text = len(windows), form.long_text
        self._belonging = belonging_of(windows, read(form.chunks), form.long_text)

    def opinion(self, query: str) -> Rankings:
        """Return the best chunks of one query."""
        asked = _asked(self._encoder, (query,), self._bits)
        rows = window_scores(asked, iter([self._tokens]), window_count=self._windows)
        scores = best_of_windows(
            rows, self._belonging, chunk_count=self._chunks, long_text=self._long_text
        )
        return ranked(scores, POOL, floor=None)

    def close(self) -> None:
        """Let go of the vectors."""
        self._tokens = self._tokens.of_text(0)
