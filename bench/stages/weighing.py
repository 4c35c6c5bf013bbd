"""Choice of fusion weights: every weighting is scored on all repositories."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bench.engine import Read, Record, Stage
from bench.errors import ArtifactError
from bench.measures import (
    Characters,
    Rule,
    SymbolCredit,
    Wish,
    measure_of_ranks,
    scores_under,
)
from bench.queries import Judgements
from retrievers.fusion import Normalisation, align, weightings_near
from retrievers.interface import Chunks, Documents, Rankings

Doubles = np.ndarray[Any, np.dtype[np.float64]]
_EQUAL = 9
"""Decimals for comparisons of means, since equal means may be summed in different orders."""


@dataclass(frozen=True)
class WeightScores:
    """Scores of every weighting on the queries of the tune half."""

    values: np.ndarray[Any, np.dtype[np.float32]]
    """Queries x weightings; NaN for queries without targets."""


@dataclass(frozen=True)
class Weighing:
    """A grid of weights around the recipe's weights, with the objective."""

    recipe: tuple[float, ...]
    steps: int
    objective: str
    level: str
    limit: int
    normalisation: Normalisation = "relu_z"
    rank_constant: int = 60
    symbol_credit: SymbolCredit = "strict"

    @property
    def weightings(self) -> Doubles:
        """All weightings, ordered by distance from the recipe."""
        return weightings_near(self.recipe, self.steps)


@dataclass(frozen=True)
class ScoreWeights(Stage[WeightScores]):
    """Score every weighting of several rankings on some queries of a repository."""

    kind: ClassVar[str] = "score-weights"
    version: ClassVar[int] = 2
    codec: ClassVar[Record[WeightScores]] = Record(WeightScores)

    rankings: tuple[Stage[Rankings], ...]
    chunks: Stage[Chunks]
    documents: Stage[Documents]
    judgements: Stage[Judgements]
    queries: tuple[int, ...]
    """Indexes of the queries of the tune half."""
    weighing: Weighing

    def run(self, read: Read, /) -> WeightScores:
        """Return a value per query and weighting."""
        weighing = self.weighing
        aligned = align(
            [read(ranking) for ranking in self.rankings],
            normalisation=weighing.normalisation,
            rank_constant=weighing.rank_constant,
        )
        measure = measure_of_ranks(weighing.objective)
        characters = Characters(read(self.documents))
        rule = Rule(characters, symbol_credit=weighing.symbol_credit)
        wish = Wish(measure, weighing.level, weighing.limit, self.queries, rule)
        weights = weighing.weightings
        values = scores_under(aligned, weights, read(self.chunks), read(self.judgements), wish)
        read.count(weightings=len(weights))
        return WeightScores(values.astype(np.float32))


@dataclass(frozen=True)
class ChosenWeights:
    """The best weighting over all repositories, and the scores of the others."""

    weights: tuple[float, ...]
    weightings: Doubles
    means: Doubles
    """Macro mean of each weighting."""


@dataclass(frozen=True)
class ChooseWeights(Stage[ChosenWeights]):
    """Choose the weighting with the highest macro mean; on a tie, the nearest to the recipe."""

    kind: ClassVar[str] = "choose-weights"
    codec: ClassVar[Record[ChosenWeights]] = Record(ChosenWeights)

    scored: tuple[ScoreWeights, ...]
    repositories: tuple[str, ...]
    """Repository of each entry in `scored`; it repeats for several commits."""
    weighing: Weighing

    @property
    def subject(self) -> str:
        """Empty, because the stage covers all repositories."""
        return ""

    def run(self, read: Read, /) -> ChosenWeights:
        """Return the chosen weighting with the means of all weightings."""
        tables = by_repository(self.repositories, [read(scored) for scored in self.scored])
        if not tables:
            message = (
                f"no query of the tune half has a target at {self.weighing.level} level;"
                " weights cannot be chosen: give weights=[…]"
            )
            raise ArtifactError(message)
        mean = np.mean([table.mean(axis=0) for table in tables.values()], axis=0)
        weightings = self.weighing.weightings
        best = weightings[int(np.argmax(np.round(mean, _EQUAL)))]
        return ChosenWeights(tuple(best.tolist()), weightings, mean)


def by_repository(names: Sequence[str], scored: Sequence[WeightScores]) -> dict[str, Doubles]:
    """Return queries x weightings for each repository with judged queries."""
    found: dict[str, list[Doubles]] = {}
    for name, scores in zip(names, scored, strict=True):
        values = scores.values.astype(np.float64)
        found.setdefault(name, []).append(values[~np.isnan(values).any(axis=1)])
    whole = {name: np.concatenate(tables) for name, tables in found.items()}
    return {name: table for name, table in whole.items() if len(table)}
