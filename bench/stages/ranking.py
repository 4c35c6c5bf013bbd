"""Rankings by any retriever, and fusion of several rankings."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from bench.engine import Read, Record, Stage
from bench.stages.inputs import Inputs, RepositoryStages
from bench.stages.sources import Questions
from bench.stages.weighing import ChosenWeights
from retrievers.fusion import Normalisation, align, fuse, weigh_each
from retrievers.interface import Rankings, Retriever
from retrievers.reading import QueryKind, read_query

DEPTH = 1000
"""Maximum number of chunks in a ranking, enough for 8,000 tokens with the smallest chunks."""


@dataclass(frozen=True)
class RankQueries(Stage[Rankings]):
    """Rank the chunks of a repository for every query with a retriever."""

    kind: ClassVar[str] = "rank-queries"
    codec: ClassVar[Record[Rankings]] = Record(Rankings)

    questions: Stage[Questions]
    retriever: Retriever
    algorithm_version: int
    data: Inputs
    depth: int = DEPTH
    engine: str = field(default="", metadata={"later": True})
    """Name and version of an engine that ranks in place of our own code, or ""."""

    @classmethod
    def of(cls, retriever: Retriever, stages: RepositoryStages) -> "RankQueries":
        """Return the stage that ranks a repository's chunks."""
        ranker = retriever.for_ranking
        data = stages.inputs((*ranker.inputs, *ranker.query_inputs))
        version, engine = type(ranker).algorithm_version, ranker.ranking_engine
        return cls(stages.asked, ranker, version, data, engine=engine)

    @property
    def versions(self) -> Mapping[str, int]:
        """Versions of the stage and of the retriever's algorithm."""
        return {**super().versions, type(self.retriever).__name__: self.algorithm_version}

    def run(self, read: Read, /) -> Rankings:
        """Return the rankings."""
        texts = read(self.questions).texts
        return self.retriever.rank(texts, self.data.reader(read), depth=self.depth)


@dataclass(frozen=True)
class Fuse(Stage[Rankings]):
    """Normalize several rankings and add them up."""

    kind: ClassVar[str] = "fuse"
    version: ClassVar[int] = 2
    codec: ClassVar[Record[Rankings]] = Record(Rankings)

    rankings: tuple[Stage[Rankings], ...]
    weights: tuple[float, ...] | Stage[ChosenWeights]
    normalisation: Normalisation = "relu_z"
    rank_constant: int = 60
    depth: int = DEPTH

    def run(self, read: Read, /) -> Rankings:
        """Return the fused rankings."""
        weights = self.weights if isinstance(self.weights, tuple) else read(self.weights).weights
        return fuse(
            [read(ranking) for ranking in self.rankings],
            weights,
            normalisation=self.normalisation,
            rank_constant=self.rank_constant,
            depth=self.depth,
        )


@dataclass(frozen=True)
class FuseByKind(Stage[Rankings]):
    """Fuse several rankings with weights that depend on the kind of each query."""

    kind: ClassVar[str] = "fuse-by-kind"
    version: ClassVar[int] = 3
    codec: ClassVar[Record[Rankings]] = Record(Rankings)

    rankings: tuple[Stage[Rankings], ...]
    questions: Stage[Questions]
    weights: tuple[float, ...] | Stage[ChosenWeights]
    of_kind: tuple[tuple[QueryKind, tuple[float, ...]], ...]
    """Weights for kinds of queries that have their own."""
    normalisation: Normalisation = "relu_z"
    rank_constant: int = 60
    depth: int = DEPTH

    def run(self, read: Read, /) -> Rankings:
        """Return the fused rankings."""
        others = self.weights if isinstance(self.weights, tuple) else read(self.weights).weights
        own: dict[str, tuple[float, ...]] = dict(self.of_kind)
        kinds = [read_query(text).kind for text in read(self.questions).texts]
        aligned = align(
            [read(ranking) for ranking in self.rankings],
            normalisation=self.normalisation,
            rank_constant=self.rank_constant,
        )
        return weigh_each(aligned, [own.get(kind, others) for kind in kinds], self.depth)
