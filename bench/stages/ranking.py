"""From an index and what is asked to rankings: by words, by vectors, fused."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bench.pipeline import Read, Record, Stage
from bench.stages.dense import Vectors, joined
from bench.stages.sources import Questions
from retrievers.dense import Members, Windows, chunk_scores, members
from retrievers.dense.settings import LongText
from retrievers.fusion import fuse
from retrievers.interface import Chunks, Documents, Rankings, ranked
from retrievers.lexical import BM25, BM25Index, Postings

DEPTH = 1000
"""How many chunks a ranking keeps: enough to fill 8,000 tokens with the smallest chunks."""


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
class RankByVectors(Stage[Rankings]):
    """Score every chunk by the cosine of its windows with each query; exact."""

    kind: ClassVar[str] = "rank-by-vectors"
    codec: ClassVar[Record[Rankings]] = Record(Rankings)

    questions: Stage[Vectors]
    documents: Stage[Documents]
    chunks: Stage[Chunks]
    windows: Stage[Windows]
    vectors: tuple[Stage[Vectors], ...]
    long_text: LongText
    depth: int = DEPTH

    def run(self, read: Read, /) -> Rankings:
        """Return the best chunks."""
        chunks = read(self.chunks)
        belonging = belonging_of(read(self.windows), chunks, self.long_text)
        rows = chunk_scores(
            read(self.questions).vector,
            joined([read(part) for part in self.vectors]),
            belonging,
            chunk_count=len(chunks),
            long_text=self.long_text,
        )
        return ranked(rows, self.depth, floor=None)


def belonging_of(windows: Windows, chunks: Chunks, long_text: LongText) -> Members:
    """Return which windows count for which chunk; truncated, each chunk has its own."""
    if long_text == "truncate":
        own = np.arange(len(chunks))
        return own, own
    return members(windows, chunks)


@dataclass(frozen=True)
class Fuse(Stage[Rankings]):
    """Put two opinions on one scale and add them up."""

    kind: ClassVar[str] = "fuse"
    codec: ClassVar[Record[Rankings]] = Record(Rankings)

    rankings: tuple[Stage[Rankings], ...]
    weights: tuple[float, ...]
    depth: int = DEPTH

    def run(self, read: Read, /) -> Rankings:
        """Return the fused rankings."""
        opinions = [read(ranking) for ranking in self.rankings]
        return fuse(opinions, self.weights, depth=self.depth)
