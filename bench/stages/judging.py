"""From rankings to numbers: targets found in the tree, hits compared with them."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bench.judgements import Judgements, Query, resolve
from bench.measures import Scores, TokenLines, score
from bench.pipeline import Read, Record, Stage
from retrievers.interface import Chunks, Documents, Rankings, TokenEnds
from retrievers.source import Symbols


@dataclass(frozen=True)
class ResolveTargets(Stage[Judgements]):
    """Find every target in the source tree."""

    kind: ClassVar[str] = "resolve-targets"
    codec: ClassVar[Record[Judgements]] = Record(Judgements)

    documents: Stage[Documents]
    symbols: Stage[Symbols]
    queries: tuple[Query, ...]

    def run(self, read: Read, /) -> Judgements:
        """Return the targets' places; a target that is not there is an error."""
        return resolve(self.queries, read(self.documents), read(self.symbols))


@dataclass(frozen=True)
class Evaluate(Stage[Scores]):
    """Score the rankings of one repository at every level."""

    kind: ClassVar[str] = "evaluate"
    codec: ClassVar[Record[Scores]] = Record(Scores)

    ranking: Stage[Rankings]
    chunks: Stage[Chunks]
    documents: Stage[Documents]
    tokens: Stage[TokenEnds]
    judgements: Stage[Judgements]
    limit: int
    overlap: float = 0.5

    def run(self, read: Read, /) -> Scores:
        """Return a value per level, query and measure."""
        rankings = read(self.ranking)
        return score(
            rankings,
            read(self.chunks),
            read(self.judgements),
            TokenLines.of(read(self.documents), read(self.tokens)),
            query_count=len(rankings),
            overlap=self.overlap,
            limit=self.limit,
        )


@dataclass(frozen=True)
class HitList:
    """The first hits of each query, as people see them."""

    query: np.ndarray[Any, np.dtype[np.int32]]
    path: tuple[str, ...]
    start: np.ndarray[Any, np.dtype[np.int32]]
    end: np.ndarray[Any, np.dtype[np.int32]]
    score: np.ndarray[Any, np.dtype[np.float32]]


@dataclass(frozen=True)
class ListHits(Stage[HitList]):
    """Name the first hits of each query by path and lines."""

    kind: ClassVar[str] = "list-hits"
    codec: ClassVar[Record[HitList]] = Record(HitList)

    ranking: Stage[Rankings]
    chunks: Stage[Chunks]
    documents: Stage[Documents]
    limit: int

    def run(self, read: Read, /) -> HitList:
        """Return the hits, in the order of the queries and then of their rank."""
        rankings, chunks, documents = read(self.ranking), read(self.chunks), read(self.documents)
        tops = [rankings.of_query(query) for query in range(len(rankings))]
        chosen = np.concatenate([np.zeros(0, np.int32), *(hits[: self.limit] for hits, _ in tops)])
        counts = [min(len(hits), self.limit) for hits, _ in tops]
        return HitList(
            query=np.repeat(np.arange(len(tops)), counts).astype(np.int32),
            path=tuple(documents.paths[number] for number in chunks.document[chosen]),
            start=chunks.start_line[chosen],
            end=chunks.end_line[chosen],
            score=np.concatenate(
                [np.zeros(0, np.float32), *(scores[: self.limit] for _, scores in tops)]
            ),
        )
