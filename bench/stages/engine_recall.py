"""How much of an exact search a vector engine finds that ranks what is judged."""

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
"""By which two computations of the same score may differ."""


@dataclass(frozen=True)
class EngineRecall:
    """For each query, the share of the nearest chunks that the engine finds."""

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
        """Return the shares."""
        found, exact = read(self.ranking), read(self.exact)
        shares = [_share(found, exact, query, self.nearest) for query in range(len(exact))]
        return EngineRecall(np.array(shares, np.float32))


def _share(found: Rankings, exact: Rankings, query: int, nearest: int) -> float:
    """Return the share of the nearest that were found; equally near ones count."""
    chunks, scores = exact.of_query(query)
    wanted = min(nearest, len(chunks))
    if not wanted:
        return 1.0
    near = chunks[scores >= scores[wanted - 1] - _ROUNDING]
    hits = found.of_query(query)[0][:wanted]
    return float(np.isin(hits, near).sum()) / wanted
