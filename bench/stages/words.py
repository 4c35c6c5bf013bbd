"""Ranking by words: the data of an index, the ranking, and its live form."""

from dataclasses import dataclass
from typing import ClassVar

from bench.pipeline import Read, Record, Stage
from bench.stages.live import POOL
from bench.stages.ranking import DEPTH
from bench.stages.sources import Questions
from retrievers.interface import Chunks, Documents, Index, Rankings, ranked
from retrievers.lexical import BM25, BM25Index, Postings, TokenizerName, count_words


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
        texts = read(self.chunks).texts(read(self.documents))
        return count_words(texts, self.tokenizer)


@dataclass(frozen=True)
class RankByWords(Stage[Rankings]):
    """Score every chunk by the words it shares with each query."""

    kind: ClassVar[str] = "rank-by-words"
    codec: ClassVar[Record[Rankings]] = Record(Rankings)

    questions: Stage[Questions]
    postings: Stage[Postings]
    settings: BM25
    depth: int = DEPTH

    def run(self, read: Read, /) -> Rankings:
        """Return the chunks with a score above zero."""
        index = BM25Index(read(self.postings), self.settings)
        rows = (index.scores(text) for text in read(self.questions).texts)
        return ranked(rows, self.depth, floor=0.0)


@dataclass(frozen=True)
class LiveWords:
    """What serves by words."""

    postings: Stage[Postings]
    settings: BM25

    def open(self, read: Read, /) -> "LiveIndex":
        """Return the index."""
        return LiveIndex(BM25Index(read(self.postings), self.settings))


class LiveIndex:
    """Any index that scores every chunk, asked for one query at a time."""

    def __init__(self, index: Index) -> None:
        self._index = index

    def opinion(self, query: str) -> Rankings:
        """Return the chunks with a score above zero."""
        return ranked([self._index.scores(query)], POOL, floor=0.0)

    def close(self) -> None:
        """Hold nothing."""
