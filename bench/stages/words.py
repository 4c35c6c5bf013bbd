"""Ranking by words: the data of indexes, what opens them, the ranking and its live form.

A form says what an index is opened from: the same one ranks offline and serves one query.
"""

from dataclasses import dataclass
from typing import ClassVar, Protocol

from bench.pipeline import Read, Record, Stage
from bench.stages.live import POOL
from bench.stages.ranking import DEPTH
from bench.stages.sources import Questions
from retrievers.interface import Chunks, Documents, Index, Rankings, ranked
from retrievers.lexical import (
    BM25,
    BM25Index,
    Fields,
    FieldsIndex,
    FieldTexts,
    Grep,
    GrepIndex,
    Names,
    NamesIndex,
    Postings,
    TokenizerName,
    count_words,
    field_texts,
)
from retrievers.source import Symbols


@dataclass(frozen=True)
class CountWords(Stage[Postings]):
    """Count the words of each chunk; weights such as k1 and b come later and share this."""

    kind: ClassVar[str] = "count-words"
    codec: ClassVar[Record[Postings]] = Record(Postings)

    documents: Stage[Documents]
    chunks: Stage[Chunks]
    tokenizer: TokenizerName

    def run(self, read: Read, /) -> Postings:
        """Return the postings."""
        texts = read(self.chunks).all_shown(read(self.documents))
        return count_words(texts, self.tokenizer)


@dataclass(frozen=True)
class SplitFields(Stage[FieldTexts]):
    """Find the words of each chunk's columns; the columns' weights share this."""

    kind: ClassVar[str] = "split-fields"
    codec: ClassVar[Record[FieldTexts]] = Record(FieldTexts)

    documents: Stage[Documents]
    chunks: Stage[Chunks]
    symbols: Stage[Symbols]
    tokenizer: TokenizerName

    def run(self, read: Read, /) -> FieldTexts:
        """Return the columns."""
        return field_texts(
            read(self.documents), read(self.chunks), read(self.symbols), self.tokenizer
        )


class IndexForm(Protocol):
    """What an index is opened from."""

    def index(self, read: Read, /) -> Index:
        """Return the index."""
        ...


@dataclass(frozen=True)
class WordsForm:
    """The counts of words, weighed as BM25 does."""

    postings: Stage[Postings]
    settings: BM25

    def index(self, read: Read, /) -> Index:
        """Return the index."""
        return BM25Index(read(self.postings), self.settings)


@dataclass(frozen=True)
class FieldsForm:
    """Columns of words, each with its weight."""

    texts: Stage[FieldTexts]
    settings: Fields

    def index(self, read: Read, /) -> Index:
        """Return the index."""
        return FieldsIndex(read(self.texts), self.settings)


@dataclass(frozen=True)
class GrepForm:
    """The texts themselves."""

    documents: Stage[Documents]
    chunks: Stage[Chunks]
    settings: Grep

    def index(self, read: Read, /) -> Index:
        """Return the index."""
        return GrepIndex(read(self.chunks).all_shown(read(self.documents)), self.settings)


@dataclass(frozen=True)
class NamesForm:
    """The names of what begins in each chunk."""

    symbols: Stage[Symbols]
    documents: Stage[Documents]
    chunks: Stage[Chunks]
    settings: Names

    def index(self, read: Read, /) -> Index:
        """Return the index."""
        symbols, documents = read(self.symbols), read(self.documents)
        return NamesIndex(symbols, documents, read(self.chunks), self.settings)


@dataclass(frozen=True)
class RankByWords(Stage[Rankings]):
    """Score every chunk by the words it shares with each query."""

    kind: ClassVar[str] = "rank-by-words"
    version: ClassVar[int] = 2
    codec: ClassVar[Record[Rankings]] = Record(Rankings)

    questions: Stage[Questions]
    form: IndexForm
    depth: int = DEPTH

    def run(self, read: Read, /) -> Rankings:
        """Return the chunks with a score above zero."""
        index = self.form.index(read)
        rows = (index.scores(text) for text in read(self.questions).texts)
        return ranked(rows, self.depth, floor=0.0)


@dataclass(frozen=True)
class LiveWords:
    """What serves by words."""

    form: IndexForm

    def open(self, read: Read, /) -> "LiveIndex":
        """Return the index."""
        return LiveIndex(self.form.index(read))


@dataclass(frozen=True)
class LiveIndex:
    """An index that scores every chunk, asked for one query at a time."""

    index: Index

    def opinion(self, query: str) -> Rankings:
        """Return the chunks with a score above zero."""
        return ranked([self.index.scores(query)], POOL, floor=0.0)

    def close(self) -> None:
        """Hold nothing."""
