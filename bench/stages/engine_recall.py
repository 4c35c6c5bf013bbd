"""Recall of a vector engine in comparison with an exact search."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bench.engine import Read, Record, Stage
from bench.stages.inputs import RepositoryStages
from bench.stages.ranking import RankQueries
from retrievers.dense import Dense
from retrievers.interface import Floats, Rankings

NEAREST = 10
_ROUNDING = 1e-6
"""Tolerance for rounding between two computations of the same score."""


@dataclass(frozen=True)
class EngineRecall:
    """Share of the nearest chunks that the engine finds, for each query."""

    share: Floats


@dataclass(frozen=True)
class MeasureEngineRecall(Stage[EngineRecall]):
    """Compare the first chunks of an engine with those of an exact search."""

    kind: ClassVar[str] = "measure-engine-recall"
    codec: ClassVar[Record[EngineRecall]] = Record(EngineRecall)

    ranking: RankQueries
    exact: RankQueries
    nearest: int = NEAREST

    @classmethod
    def of(
        cls, retriever: Dense, ranking: RankQueries, stages: RepositoryStages
    ) -> "MeasureEngineRecall":
        """Return the comparison of an engine's ranking with the exact one."""
        return cls(ranking, RankQueries.of(retriever.exact, stages))

    def run(self, read: Read, /) -> EngineRecall:
        """Return the share for each query."""
        found, exact = read(self.ranking), read(self.exact)
        shares = [_share(found, exact, query, self.nearest) for query in range(len(exact))]
        return EngineRecall(np.array(shares, np.float32))


def _share(found: Rankings, exact: Rankings, query: int, nearest: int) -> float:
    """Return the share of the nearest chunks that were found; ties with the last one count."""
    chunks, scores = exact.of_query(query)
    wanted = min(nearest, len(chunks))
    if not wanted:
        return 1.0
    near = chunks[scores >= scores[wanted - 1] - _ROUNDING]
    hits = found.of_query(query)[0][:wanted]
    return float(np.isin(hits, near).sum()) / wanted
