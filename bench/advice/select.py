"""Tests between trials, and repositories on which another trial is better than the chosen one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bench.analysis import (
    Objective,
    Recommendation,
    ScoreMatrix,
    difference_here,
    lone_queries,
    recommend,
)
from bench.results import Exceptional, TrialResult
from bench.settings.study import AdviceSettings

FEWEST_QUERIES = 12
"""Below this number, the error rates of the tests are unknown."""
_ERROR = 0.05
"""Error rate across the comparisons on all repositories together (Bonferroni)."""

Truths = np.ndarray[Any, np.dtype[np.bool_]]


@dataclass(frozen=True, eq=False)
class Scores:
    """The scores of trials under one measure, NaN for queries without a score."""

    trials: Sequence[TrialResult]
    values: np.ndarray[Any, np.dtype[np.float64]]
    """Queries x trials."""

    @classmethod
    def of(cls, trials: Sequence[TrialResult], column: str) -> "Scores":
        """Return the scores in a measure's column."""
        columns = [[query.numbers.get(column) for query in trial.queries] for trial in trials]
        return cls(trials, np.array(columns, np.float64).T)

    @property
    def shared(self) -> Truths:
        """Whether each query has a score in every trial."""
        found: Truths = np.all(np.isfinite(self.values), axis=1)
        return found

    @property
    def differ(self) -> bool:
        """Whether some query has a score in some trials but not in all."""
        return not np.array_equal(self.shared, ~np.isnan(self.values).all(axis=1))

    @property
    def matrix(self) -> ScoreMatrix | None:
        """The scores of the shared queries; None without any."""
        if not self.shared.any():
            return None
        rows = np.flatnonzero(self.shared)
        repositories = [self.trials[0].queries[row].repository for row in rows]
        names = [trial.name for trial in self.trials]
        return ScoreMatrix.of(self.values[rows], repositories, names)


def testable(trials: Sequence[TrialResult], column: str) -> ScoreMatrix | None:
    """Return the scores of several trials, or None with too few queries for a test."""
    matrix = Scores.of(trials, column).matrix if len(trials) > 1 else None
    return matrix if matrix is not None and matrix.queries >= FEWEST_QUERIES else None


def tested(
    matrix: ScoreMatrix, trials: Sequence[TrialResult], settings: AdviceSettings, *, seed: int
) -> Recommendation:
    """Test the trials against each other."""
    costs = [trial.price(settings.cost) for trial in trials]
    return recommend(matrix, objective_of(settings), costs, seed=seed)


def objective_of(settings: AdviceSettings) -> Objective:
    """Return the objective of the tests."""
    return Objective(settings.margin)


def exceptions(matrix: ScoreMatrix, ship: str) -> tuple[Exceptional, ...]:
    """Return the repositories whose best trial is significantly better than the one to ship."""
    if len(matrix.names) == 1 or lone_queries(matrix):
        return ()
    # Every other trial on every repository could be the exception, so all are corrected for.
    confidence = 1 - _ERROR / (len(matrix.names) * (len(matrix.trials) - 1))
    found = (_exception(matrix, number, ship, confidence) for number in range(len(matrix.names)))
    return tuple(one for one in found if one is not None)


def _exception(
    matrix: ScoreMatrix, number: int, ship: str, confidence: float
) -> Exceptional | None:
    name = matrix.names[number]
    trial = matrix.trials[int(np.argmax(matrix.repository_means[number]))]
    if trial == ship:
        return None
    start = int(matrix.starts[number])
    rows = range(start, start + int(matrix.counts[number]))
    apart = difference_here(matrix.of_rows(rows), trial, ship, confidence=confidence)
    if apart.interval is None or apart.interval.low <= 0:
        return None
    return Exceptional(name, trial, apart.value, apart.interval.low, apart.interval.high)
