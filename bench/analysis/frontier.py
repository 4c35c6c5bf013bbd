"""Quality and cost: the trials on the frontier, and those that are clearly dominated."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from bench.analysis.caveats import lone_queries
from bench.analysis.differences import Interval, difference_here
from bench.analysis.matrix import ScoreMatrix, Truths
from bench.analysis.spread import all_pairs, spread_of
from bench.analysis.student import normal_quantile

_ZERO = "zero"
Reach = tuple[float | None, float | None]
"""Interval of a cost at 95 %; None for a bound that the samples do not determine."""
ALIKE = 0.05
"""Costs within this relative difference are equal: repeated measurements vary as much."""


ANSWERED = 0.05
"""Allowed share of queries without hits, beyond the lowest share of any trial.

Trials above it are not compared by cost, because missing text is short and fast to find.
"""


def answering(empty: Sequence[float]) -> tuple[int, ...]:
    """Return the places of trials that answer nearly as many queries as the best in this respect.

    `empty` is the share of queries without hits, for each trial.
    """
    most = min(empty, default=0.0) + ANSWERED
    return tuple(place for place, share in enumerate(empty) if share <= most)


class Standing(StrEnum):
    """Position of a trial in the plane of quality and cost."""

    FRONTIER = "on the frontier"
    BEHIND = "behind, by less than these queries can tell"
    DOMINATED = "clearly dominated"


@dataclass(frozen=True)
class Point:
    """A trial's quality and cost."""

    trial: str
    quality: float
    interval: Interval | None
    """Interval of the quality on these repositories; None for lone queries or without spread."""
    cost: float
    standing: Standing
    dominated_by: str | None = None
    """The best of the trials that cost no more and are significantly better."""
    cost_reach: Reach | None = None
    """Interval of the cost; None if it was measured once."""


def mean_intervals(
    matrix: ScoreMatrix, *, confidence: float = 0.95, most: float = 1.0
) -> tuple[Interval | None, ...]:
    """Return the interval of each trial's macro mean, uncorrected. Scores are 0 to `most`."""
    if lone_queries(matrix):
        return (None,) * len(matrix.trials)
    columns = np.column_stack([matrix.values, np.zeros(matrix.units)])
    names = tuple(f"{place}" for place in range(len(matrix.trials)))
    table = ScoreMatrix(columns, matrix.repositories, (*names, _ZERO), matrix.queries)
    found = [difference_here(table, name, _ZERO, confidence=confidence) for name in names]
    return tuple(one.interval and _within_bounds(one.interval, most) for one in found)


def frontier(
    matrix: ScoreMatrix,
    costs: Sequence[float],
    *,
    reaches: Sequence[Reach | None] = (),
    confidence: float = 0.95,
) -> tuple[Point, ...]:
    """Classify every trial by quality and cost. Costs within 5 % count as equal.

    A trial is dominated if another costs no more and is better in a paired comparison, corrected
    for the number of its rivals.
    """
    means, prices = matrix.means, np.array(costs, np.float64)
    no_dearer = prices[None, :] <= prices[:, None] * (1 + ALIKE)
    beaten = no_dearer & _better(matrix, confidence)
    better = no_dearer & (means[None, :] > means[:, None])
    cheaper = (prices[None, :] < prices[:, None]) & (means[None, :] >= means[:, None])
    behind: Truths = np.any(better | cheaper, axis=1)
    intervals = mean_intervals(matrix, confidence=confidence)
    return tuple(
        Point(
            trial=trial,
            quality=float(means[place]),
            interval=intervals[place],
            cost=float(prices[place]),
            standing=_standing(beaten[place], behind=bool(behind[place])),
            dominated_by=_best_of(matrix, beaten[place]),
            cost_reach=reaches[place] if reaches else None,
        )
        for place, trial in enumerate(matrix.trials)
    )


def _better(matrix: ScoreMatrix, confidence: float) -> Truths:
    """Return for each trial (row) which others (columns) are significantly better."""
    count = len(matrix.trials)
    none = np.zeros((count, count), np.bool_)
    if lone_queries(matrix) or count == 1:
        return none
    pairs = all_pairs(spread_of(matrix))
    level = float(normal_quantile((1 - confidence) / (count - 1)))
    found = [pairs.contrast(trial).deviates() >= level for trial in range(count)]
    return np.array(found)


def _standing(beaten: Truths, *, behind: bool) -> Standing:
    if beaten.any():
        return Standing.DOMINATED
    return Standing.BEHIND if behind else Standing.FRONTIER


def _best_of(matrix: ScoreMatrix, rivals: Truths) -> str | None:
    if not rivals.any():
        return None
    return matrix.trials[int(np.argmax(np.where(rivals, matrix.means, -np.inf)))]


def _within_bounds(interval: Interval, most: float) -> Interval:
    return Interval(max(0.0, interval.low), min(most, interval.high), interval.level)
