"""Windows and their vectors: the pieces of text that a model sees, and their embeddings."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any, ClassVar

import numpy as np

from bench.engine import ContentCache, Digest, Read, Record, Stage, digest_of
from bench.models import load_encoder
from bench.stages.by_file import Table, tables_by_file
from bench.stages.sources import Questions
from bench.stages.token_cache import TokenCache, are_stored, token_cache
from retrievers.chunkers import joined_token_ends
from retrievers.dense import (
    EmbeddingModel,
    Encoder,
    Vectors,
    Windows,
    chunk_headers,
    chunk_windows,
    document_windows,
    joined_windows,
    rows_by_document,
    slice_by_length,
    text_token_ends,
    window_texts,
)
from retrievers.interface import Chunks, Documents, Floats, Integers, TokenEnds
from retrievers.rerankers import rounded

PARTS = 8
"""Number of stages that embed a repository's windows, so that workers can share them."""


@dataclass(frozen=True)
class Model:
    """A model with its settings and everything else that decides its numbers."""

    settings: EmbeddingModel
    identity: str

    @classmethod
    def of(cls, settings: EmbeddingModel) -> "Model":
        """Return the model of these settings.

        Settings of windows are reset, because they do not change the vector of a text.
        """
        return cls(replace(settings, long_text="max", windows="own"), settings.identity)

    @property
    def cache_name(self) -> str:
        """Name of the cache of this model's vectors."""
        return f"vectors-{self._digest}"

    @property
    def windows_cache_name(self) -> str:
        """Name of the cache of this model's windows by file."""
        return f"windows-{self._digest}"

    @property
    def _digest(self) -> str:
        whole = f"{self.settings!r} {self.identity}{self.settings.unusual}"
        return sha256(whole.encode()).hexdigest()[:24]


@dataclass(frozen=True)
class TokenizeByModel(Stage[TokenEnds]):
    """Find the end of every token of a model; white space belongs to the previous token."""

    kind: ClassVar[str] = "tokenize-by-model"
    codec: ClassVar[Record[TokenEnds]] = Record(TokenEnds)

    documents: Stage[Documents]
    model: Model

    def prepare(self) -> None:
        """Load the model."""
        load_encoder(self.model.settings)

    def run(self, read: Read, /) -> TokenEnds:
        """Return the end of each token."""
        documents, reader = read(self.documents), load_encoder(self.model.settings).reader
        found = (text_token_ends(reader, documents.text(one)) for one in range(len(documents)))
        tokens = joined_token_ends(list(found))
        read.count(tokens=len(tokens.ends))
        return tokens


@dataclass(frozen=True)
class CutWindows(Stage[Windows]):
    """Cut documents into pieces that fit the model, independent of the chunk size.

    These are the windows of `embedder.windows=small_to_big`.
    """

    kind: ClassVar[str] = "cut-windows"
    version: ClassVar[int] = 2
    codec: ClassVar[Record[Windows]] = Record(Windows)

    documents: Stage[Documents]
    model: Model

    def prepare(self) -> None:
        """Load the model."""
        load_encoder(self.model.settings)

    def run(self, read: Read, /) -> Windows:
        """Return the windows."""
        documents, encoder = read(self.documents), load_encoder(self.model.settings)
        headers = [encoder.reader.header(path) for path in documents.paths]
        texts = (documents.text(number) for number in range(len(documents)))
        keys = [digest_of(header, text) for header, text in zip(headers, texts, strict=True)]

        def table(number: int) -> Table:
            return document_windows(documents, number, encoder)

        tables = tables_by_file(read, self.model.windows_cache_name, keys, table)
        windows = joined_windows(tables, headers)
        read.count(**_seen(windows))
        return windows


@dataclass(frozen=True)
class CutChunkWindows(Stage[Windows]):
    """Cut each chunk on its own into pieces that fit the model."""

    kind: ClassVar[str] = "cut-chunk-windows"
    version: ClassVar[int] = 2
    codec: ClassVar[Record[Windows]] = Record(Windows)

    documents: Stage[Documents]
    chunks: Stage[Chunks]
    model: Model
    beginning: bool = False
    """True to keep only the first piece of each chunk (`long_text=truncate`)."""

    def prepare(self) -> None:
        """Load the model."""
        load_encoder(self.model.settings)

    def run(self, read: Read, /) -> Windows:
        """Return the windows."""
        documents, chunks = read(self.documents), read(self.chunks)
        encoder = load_encoder(self.model.settings)
        headers = chunk_headers(documents, chunks, encoder)
        rows = rows_by_document(chunks, len(documents))
        keys = [
            _key(documents.text(number), chunks, own, headers) for number, own in enumerate(rows)
        ]

        def table(number: int) -> Table:
            return chunk_windows(
                documents,
                chunks,
                rows[number],
                encoder,
                headers=headers,
                beginning=self.beginning,
            )

        cache = f"{self.model.windows_cache_name}-{'beginnings' if self.beginning else 'chunks'}"
        windows = joined_windows(tables_by_file(read, cache, keys, table), headers, chunks)
        read.count(**_seen(windows))
        return windows


@dataclass(frozen=True)
class EmbedWindows(Stage[Vectors]):
    """Embed one part of the windows, a slice in the order of their length."""

    kind: ClassVar[str] = "embed"
    version: ClassVar[int] = 2
    codec: ClassVar[Record[Vectors]] = Record(Vectors)

    documents: Stage[Documents]
    windows: Stage[Windows]
    model: Model
    part: int
    parts: int = PARTS
    keeps_tokens: bool = field(default=False, compare=False)
    """True to store token vectors in the same pass. The vectors do not depend on it."""

    @property
    def leaves_more(self) -> bool:
        """Return True if token vectors are stored."""
        return self.keeps_tokens

    def prepare(self) -> None:
        """Load the model."""
        load_encoder(self.model.settings)

    def run(self, read: Read, /) -> Vectors:
        """Return the vectors of this part's windows."""
        windows, documents = read(self.windows), read(self.documents)
        places = slice_by_length(windows.length, self.part, self.parts, whole_batches=True)
        texts = window_texts(documents, windows, places)
        tokens = None
        if self.keeps_tokens and are_stored(windows, load_encoder(self.model.settings)):
            tokens = token_cache(read, self.model.cache_name)
        return embedded_at(places, texts, self.model, read, tokens)


@dataclass(frozen=True)
class EmbedQueries(Stage[Vectors]):
    """Embed the queries."""

    kind: ClassVar[str] = "embed-queries"
    codec: ClassVar[Record[Vectors]] = Record(Vectors)

    questions: Stage[Questions]
    model: Model

    def prepare(self) -> None:
        """Load the model."""
        load_encoder(self.model.settings)

    def run(self, read: Read, /) -> Vectors:
        """Return a vector per query."""
        texts = read(self.questions).texts
        vectors = load_encoder(self.model.settings).queries(texts)
        return Vectors(np.arange(len(texts), dtype=np.int32), vectors)


@dataclass(frozen=True)
class LoadModel:
    """Loader of a model that embeds queries one at a time."""

    model: Model

    def load(self, _read: Read, /) -> Encoder:
        """Return the encoder."""
        return load_encoder(self.model.settings)


@dataclass(frozen=True)
class EmbeddedWindows:
    """Windows of a repository's chunks with their vectors and the model."""

    model: Model
    windows: Stage[Windows]
    vectors: tuple[EmbedWindows, ...]

    @classmethod
    def of(
        cls,
        documents: Stage[Documents],
        chunks: Stage[Chunks],
        settings: EmbeddingModel,
        *,
        keeps_tokens: bool = False,
    ) -> "EmbeddedWindows":
        """Return the embedded windows of these chunks."""
        model = Model.of(settings)
        windows = windows_of(settings, documents, chunks)
        parts = embedded_parts(documents, windows, model, keeps_tokens=keeps_tokens)
        return cls(model, windows, parts)

    def queries(self, questions: Stage[Questions]) -> EmbedQueries:
        """Return the stage that embeds queries with the same model."""
        return EmbedQueries(questions, self.model)


def windows_of(
    settings: EmbeddingModel, documents: Stage[Documents], chunks: Stage[Chunks]
) -> Stage[Windows]:
    """Return the windows of each chunk or, for small to big, of the documents."""
    model = Model.of(settings)
    if settings.windows == "small_to_big":
        return CutWindows(documents, model)
    return CutChunkWindows(documents, chunks, model, settings.long_text == "truncate")


def embedded_parts(
    documents: Stage[Documents],
    windows: Stage[Windows],
    model: Model,
    *,
    keeps_tokens: bool = False,
) -> tuple[EmbedWindows, ...]:
    """Return the stages that embed the windows, one per part."""
    return tuple(
        EmbedWindows(documents, windows, model, part, keeps_tokens=keeps_tokens)
        for part in range(PARTS)
    )


def _key(text: str, chunks: Chunks, rows: range, headers: Sequence[str]) -> Digest:
    """Return the cache key of the windows of a document's chunks."""
    own = slice(rows.start, rows.stop)
    places = [
        column[own].tolist() for column in (chunks.start_byte, chunks.end_byte, chunks.start_line)
    ]
    return digest_of(text, repr(places), *headers[own])


def _seen(windows: Windows) -> dict[str, int]:
    return {
        "windows": len(windows),
        "tokens": int(windows.length.sum()),
        "unseen_tokens": int(windows.truncated.sum()),
    }


def embedded_at(
    places: np.ndarray[Any, np.dtype[np.int64]],
    texts: Sequence[str],
    model: Model,
    read: Read,
    tokens: TokenCache | None = None,
) -> Vectors:
    """Return the vectors of texts; `places` are their indexes in the whole collection.

    If `tokens` is given, the token vectors of newly embedded texts are added to it.
    """
    encoder = load_encoder(model.settings)
    vectors = embedded(texts, encoder, read.cache(model.cache_name), read, tokens)
    return Vectors(places.astype(np.int32), vectors)


def embedded(
    texts: Sequence[str],
    encoder: Encoder,
    cache: ContentCache,
    read: Read,
    tokens: TokenCache | None = None,
) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Return the vectors of `texts`; each distinct text is embedded only if it is not cached."""
    digests = [digest_of(text) for text in texts]
    known = cache.find(digests)
    missing = {d: t for d, t in zip(digests, texts, strict=True) if d not in known}
    keys, contents = list(missing), list(missing.values())
    for places, vectors in _embedded_in_batches(encoder, contents, tokens):
        done = [keys[place] for place in places]
        cache.add(done, vectors)
        known.update(zip(done, vectors, strict=True))
    read.count(texts=len(texts), embedded=len(missing))
    if not digests:
        return np.zeros((0, encoder.dimensions), np.float32)
    return np.stack([known[digest] for digest in digests]).astype(np.float32)


def _embedded_in_batches(
    encoder: Encoder, texts: Sequence[str], tokens: TokenCache | None
) -> Iterator[tuple[Integers, Floats]]:
    if tokens is None:
        yield from encoder.passages_in_batches(texts)
        return

    def keep(text: str, states: Floats) -> None:
        tokens.add(text, rounded(states))

    yield from encoder.passages_with_tokens(texts, keep)
    tokens.write()
