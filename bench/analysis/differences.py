"""The difference of two trials under two questions, each with its own error.

HERE is about these repositories and generalises to more queries of the same kind. ELSEWHERE is
about repositories like these and generalises to other repositories.
"""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from bench.analysis.caveats import (
    Caveat,
    NoChange,
    NoSpread,
    few_queries,
    few_repositories,
    refuse_lone_queries,
    too_few_repositories,
)
from bench.analysis.matrix import ScoreMatrix, Values
from bench.analysis.student import one_sided, t_quantile
from bench.errors import UsageError

_SAME = 1e-12
"""Differences below this share of the largest are rounding errors of zero."""


class Question(StrEnum):
    """The population that a number generalises to."""

    HERE = "on these repositories"
    ELSEWHERE = "on repositories like these"


@dataclass(frozen=True)
class Interval:
    """Confidence interval of a difference."""

    low: float
    high: float
    level: float


@dataclass(frozen=True)
class Difference:
    """The difference of two trials, positive if the first is better, with its error."""

    question: Question
    value: float
    standard_error: float
    degrees: float
    interval: Interval | None
    """None without spread; `notes` has the reason."""
    p_two_sided: float
    p_better: float
    """Chance of at least this value if the trial were not better."""
    p_worse: float
    notes: tuple[Caveat, ...] = ()


@dataclass(frozen=True)
class SignCount:
    """Number of repositories in which a trial is better, equal and worse."""

    better: int
    level: int
    worse: int
    by_repository: tuple[tuple[str, float], ...]


def difference_here(
    matrix: ScoreMatrix, trial: str, against: str, *, confidence: float = 0.95
) -> Difference:
    """Compare two trials on these repositories: stratified t with Satterthwaite's degrees."""
    refuse_lone_queries(matrix)
    apart = _apart(matrix, trial, against)
    if not apart.any():
        return _unchanged(Question.HERE, matrix)
    means = _means(matrix, apart)
    squares = (apart - np.repeat(means, matrix.counts)) ** 2
    sums = np.add.reduceat(squares, matrix.starts)
    # Variance of the macro mean: s² / n of each repository, over their number squared.
    parts = sums / (matrix.counts - 1) / matrix.counts / len(means) ** 2
    degrees = parts.sum() ** 2 / (parts**2 / (matrix.counts - 1)).sum() if parts.any() else 1.0
    error = float(np.sqrt(parts.sum()))
    if error <= _SAME * float(np.abs(apart).max()):
        error = 0.0
    found = _Estimate(Question.HERE, float(means.mean()), error, float(degrees), matrix.units)
    return found.difference(confidence, few_queries(matrix))


def difference_elsewhere(
    matrix: ScoreMatrix, trial: str, against: str, *, confidence: float = 0.95
) -> Difference:
    """Compare two trials on repositories like these: t on the repositories' differences."""
    if too_few := too_few_repositories(matrix):
        raise UsageError(
            f"repositories={','.join(too_few.repositories)}: too few for an interval on"
            " repositories like these. Add repositories (three or more)."
        )
    apart = _apart(matrix, trial, against)
    if not apart.any():
        return _unchanged(Question.ELSEWHERE, matrix)
    means = _means(matrix, apart)
    error = float(means.std(ddof=1) / np.sqrt(len(means)))
    if error <= _SAME * float(np.abs(apart).max()):
        error = 0.0
    count = len(means)
    found = _Estimate(Question.ELSEWHERE, float(means.mean()), error, count - 1.0, count)
    return found.difference(confidence, few_repositories(matrix))


def difference_in_one_further(
    matrix: ScoreMatrix, trial: str, against: str, *, confidence: float = 0.95
) -> Interval | None:
    """Return the prediction interval of the difference in one more repository like these.

    It is wider than the interval of the mean over such repositories, because a single repository
    differs from that mean. None with fewer than three repositories, or for identical scores.
    """
    apart = _apart(matrix, trial, against)
    if too_few_repositories(matrix) or not apart.any():
        return None
    means = _means(matrix, apart)
    count, spread = len(means), float(means.std(ddof=1))
    reach = float(t_quantile((1 - confidence) / 2, count - 1)) * spread * np.sqrt(1 + 1 / count)
    return Interval(float(means.mean() - reach), float(means.mean() + reach), confidence)


def sign_count(matrix: ScoreMatrix, trial: str, against: str) -> SignCount:
    """Count the repositories in which a trial is better, equal or worse than another."""
    means = _means(matrix, _apart(matrix, trial, against))
    return SignCount(
        better=int((means > 0).sum()),
        level=int((means == 0).sum()),
        worse=int((means < 0).sum()),
        by_repository=tuple(zip(matrix.names, means.tolist(), strict=True)),
    )


def _apart(matrix: ScoreMatrix, trial: str, against: str) -> Values:
    found: Values = matrix.values[:, matrix.place(trial)] - matrix.values[:, matrix.place(against)]
    return found


def _means(matrix: ScoreMatrix, apart: Values) -> Values:
    """Return the mean of each repository, with rounding errors set to 0."""
    sums: Values = np.add.reduceat(apart, matrix.starts)
    means = sums / matrix.counts
    return np.where(np.abs(means) <= _SAME * np.abs(apart).max(), 0.0, means)


def _unchanged(question: Question, matrix: ScoreMatrix) -> Difference:
    unchanged = NoChange(matrix.units)
    return Difference(question, 0.0, 0.0, 0.0, None, 1.0, 1.0, 1.0, (unchanged,))


@dataclass(frozen=True)
class _Estimate:
    question: Question
    value: float
    error: float
    degrees: float
    units: int

    def difference(self, confidence: float, notes: tuple[Caveat, ...]) -> Difference:
        better = float(one_sided(self.value, self.error, self.degrees, units=self.units))
        worse = float(one_sided(-self.value, self.error, self.degrees, units=self.units))
        interval = None
        if self.error > 0:
            reach = float(t_quantile((1 - confidence) / 2, self.degrees)) * self.error
            interval = Interval(self.value - reach, self.value + reach, confidence)
        else:
            notes = (*notes, NoSpread(self.units, self.value))
        return Difference(
            question=self.question,
            value=self.value,
            standard_error=self.error,
            degrees=self.degrees,
            interval=interval,
            p_two_sided=min(1.0, 2 * min(better, worse)),
            p_better=better,
            p_worse=worse,
            notes=notes,
        )
