"""Standard errors of differences between trials, stratified by repository, for every pair.

Residuals are deviations from the mean of the repository, scaled so that the sum of products of two
columns is the covariance of the two macro means.
"""

from dataclasses import dataclass

import numpy as np

from bench.analysis.caveats import refuse_lone_queries
from bench.analysis.matrix import Counts, ScoreMatrix, Values
from bench.analysis.student import deviate, t_quantile

_ROUNDING = 1e-12
"""Variances of differences below this share of the two variances are rounding errors."""


@dataclass(frozen=True, eq=False)
class Contrast:
    """The difference of every trial to one control, positive if the trial is better."""

    control: int
    value: Values
    error: Values
    degrees: Values
    units: int

    def deviates(self, margin: float = 0.0) -> Values:
        """Return the equally rare normal deviate of each difference plus a margin."""
        return deviate(self.value + margin, self.error, self.degrees, units=self.units)

    def half_widths(self, area: float) -> Values:
        """Return the half width of each trial's interval with this area above it."""
        known = self.error > 0
        return t_quantile(area, np.where(known, self.degrees, 1.0)) * self.error


@dataclass(frozen=True, eq=False)
class Spread:
    """Macro means, and the residuals whose products are their covariances."""

    means: Values
    residuals: Values
    starts: Counts
    counts: Counts

    @property
    def units(self) -> int:
        """The number of rows."""
        return len(self.residuals)

    def contrast(self, control: int) -> Contrast:
        """Return the difference of every trial to one control."""
        apart = self.residuals - self.residuals[:, [control]]
        by_repository = np.add.reduceat(apart**2, self.starts, axis=0)
        variance = by_repository.sum(axis=0)
        squares = (by_repository**2 / (self.counts - 1)[:, None]).sum(axis=0)
        known = variance > _floor(self, control)
        return Contrast(
            control,
            _without_rounding(self.means - self.means[control], self.means),
            np.sqrt(np.where(known, variance, 0.0)),
            np.divide(variance**2, squares, out=np.ones_like(variance), where=known),
            self.units,
        )


@dataclass(frozen=True, eq=False)
class Pairs:
    """The standard error and the degrees of freedom of every difference of two trials."""

    means: Values
    errors: Values
    degrees: Values
    units: int

    def contrast(self, control: int) -> Contrast:
        """Return the difference of every trial to one control."""
        value = _without_rounding(self.means - self.means[control], self.means)
        return Contrast(control, value, self.errors[control], self.degrees[control], self.units)


def spread_of(matrix: ScoreMatrix) -> Spread:
    """Return the means and scaled residuals of a table; each repository needs two units."""
    refuse_lone_queries(matrix)
    centred = matrix.values - np.repeat(matrix.repository_means, matrix.counts, axis=0)
    inflated = np.sqrt(matrix.counts / (matrix.counts - 1))
    scale = matrix.weights * np.repeat(inflated, matrix.counts)
    return Spread(matrix.means, centred * scale[:, None], matrix.starts, matrix.counts)


def all_pairs(spread: Spread) -> Pairs:
    """Return the standard error and Satterthwaite's degrees of freedom of every pair."""
    trials = len(spread.means)
    variance, squares = np.zeros((trials, trials)), np.zeros((trials, trials))
    for start, count in zip(spread.starts.tolist(), spread.counts.tolist(), strict=True):
        own = spread.residuals[start : start + count]
        part = own.T @ own
        diagonal = part.diagonal().copy()
        # In place: var(a - b) = var(a) + var(b) - 2 cov(a, b), without another trials x trials
        # array.
        part *= -2
        part += diagonal[:, None]
        part += diagonal
        variance += part
        part *= part
        part /= count - 1
        squares += part
    totals = (spread.residuals**2).sum(axis=0)
    rounding = variance <= _ROUNDING * (totals[:, None] + totals)
    variance[rounding] = 0.0
    squares[rounding] = 1.0
    degrees = np.divide(variance**2, squares, out=squares)
    degrees[rounding] = 1.0
    return Pairs(spread.means, np.sqrt(variance, out=variance), degrees, spread.units)


def _floor(spread: Spread, control: int) -> Values:
    totals = (spread.residuals**2).sum(axis=0)
    found: Values = _ROUNDING * (totals + totals[control])
    return found


def _without_rounding(value: Values, means: Values) -> Values:
    """Set differences that are rounding errors of equal means to 0."""
    scale = np.abs(means).max()
    return np.where(np.abs(value) <= _ROUNDING * scale, 0.0, value)
