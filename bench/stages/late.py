"""Token vectors as stages: of windows in parts, and of queries."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from bench.engine import Read, Record, Stage
from bench.models import load_encoder
from bench.stages.dense import PARTS, EmbeddedWindows, EmbedWindows, Model
from bench.stages.sources import Questions
from bench.stages.token_cache import StoredPassages, are_stored, store_missing, token_cache
from retrievers.dense import Encoder, TokenVectors, Windows, slice_by_length, window_texts
from retrievers.dense.settings import Bits
from retrievers.interface import Documents
from retrievers.late import WindowTokens, query_tokens
from retrievers.rerankers import BITS, Passages

_EMBEDDED_TOGETHER = 256
"""Number of windows whose token vectors are in memory before they are compressed."""


@dataclass(frozen=True)
class EmbedTokens(Stage[TokenVectors]):
    """Embed every token of one part of the windows, with pooling of neighbours."""

    kind: ClassVar[str] = "embed-tokens"
    version: ClassVar[int] = 2
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
        places = slice_by_length(windows.length, self.part, self.parts, whole_batches=True)
        passages = _Embedded(load_encoder(self.model.settings), self.pooling, self.bits)
        source: Passages = passages
        if (self.pooling, self.bits) == (1, BITS):  # what rerankers store, bit for bit
            source = StoredPassages(token_cache(read, self.model.cache_name), passages)
        parts: list[TokenVectors] = []
        for start in range(0, len(places), _EMBEDDED_TOGETHER):
            some = places[start : start + _EMBEDDED_TOGETHER]
            found = source.of(window_texts(documents, windows, some))
            parts += [
                replace(one, place=np.array([place], np.int32))
                for place, one in zip(some, found, strict=True)
            ]
        read.count(texts=len(places), embedded=passages.count)
        nothing = TokenVectors.of([], [], pooling=self.pooling, bits=self.bits)
        return TokenVectors.joined(parts or [nothing])


class _Embedded:
    """Token vectors computed by the model; `count` is the number of embedded texts."""

    def __init__(self, encoder: Encoder, pooling: int, bits: Bits) -> None:
        self._encoder, self._pooling, self._bits = encoder, pooling, bits
        self.count = 0

    def of(self, texts: Sequence[str], /) -> list[TokenVectors]:
        """Return the token vectors of each text."""
        self.count += len(texts)
        return [
            TokenVectors.of([0], [tokens], pooling=self._pooling, bits=self._bits)
            for tokens in self._encoder.passage_tokens(texts)
        ]


@dataclass(frozen=True)
class EmbedQueryTokens(Stage[TokenVectors]):
    """Embed every token of the queries, without pooling."""

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
        return query_tokens(encoder, read(self.questions).texts, self.bits)


@dataclass(frozen=True)
class StoredTokens:
    """Number of texts with stored token vectors in one part of the windows."""

    texts: int


@dataclass(frozen=True)
class StoreTokens(Stage[StoredTokens]):
    """Store the missing token vectors of one part of the windows.

    None are missing if the windows were embedded in the same plan, because that pass stores them.
    """

    kind: ClassVar[str] = "store-tokens"
    version: ClassVar[int] = 2
    codec: ClassVar[Record[StoredTokens]] = Record(StoredTokens)

    documents: Stage[Documents]
    windows: Stage[Windows]
    embedding: EmbedWindows

    @property
    def model(self) -> Model:
        """Model of the vectors."""
        return self.embedding.model

    def prepare(self) -> None:
        """Load the model."""
        load_encoder(self.model.settings)

    def run(self, read: Read, /) -> StoredTokens:
        """Return the number of texts with stored vectors."""
        windows, documents = read(self.windows), read(self.documents)
        places = slice_by_length(
            windows.length, self.embedding.part, self.embedding.parts, whole_batches=True
        )
        encoder = load_encoder(self.model.settings)
        if not are_stored(windows, encoder):
            return StoredTokens(0)
        texts = window_texts(documents, windows, places)
        cache = token_cache(read, self.model.cache_name)
        read.count(token_texts_embedded=store_missing(cache, encoder, texts))
        return StoredTokens(len(texts))


def stored_tokens(
    documents: Stage[Documents], embedded: EmbeddedWindows
) -> tuple[StoreTokens, ...]:
    """Return the stages that store the token vectors of windows, one per part."""
    return tuple(StoreTokens(documents, embedded.windows, part) for part in embedded.vectors)


def token_parts(
    documents: Stage[Documents], windows: Stage[Windows], wanted: WindowTokens
) -> tuple[Stage[TokenVectors], ...]:
    """Return the stages that embed the tokens of windows, one per part."""
    return tuple(
        EmbedTokens(
            documents,
            windows,
            Model.of(wanted.model),
            pooling=wanted.pooling,
            bits=wanted.bits,
            part=part,
        )
        for part in range(PARTS)
    )
