"""What quality costs: which trials nothing cheaper equals, and which are beaten beyond doubt."""

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
"""From and to, 95 %; None for an end that the samples do not bound."""
ALIKE = 0.05
"""Costs that differ by less are equal: measuring again changes them as much."""


ANSWERED = 0.05
"""A trial that leaves more queries without hits than another does, by this share of all, is not
weighed against its costs: no text is short, and found fast."""


def answering(empty: Sequence[float]) -> tuple[int, ...]:
    """Return the places of trials that answer nearly as many queries as the most that one does.

    `empty` is the share of queries for which each has no hits.
    """
    most = min(empty, default=0.0) + ANSWERED
    return tuple(place for place, share in enumerate(empty) if share <= most)


class Standing(StrEnum):
    """A trial's quality and cost, seen together."""

    FRONTIER = "on the frontier"
    BEHIND = "behind, by less than these queries can tell"
    DOMINATED = "clearly dominated"


@dataclass(frozen=True)
class Point:
    """A trial's quality and cost."""

    trial: str
    quality: float
    interval: Interval | None
    """Of the quality on these repositories, by itself; None for lone queries or no spread."""
    cost: float
    standing: Standing
    dominated_by: str | None = None
    """The best of those that cost no more and are better beyond doubt."""
    cost_reach: Reach | None = None
    """Where the cost lies; None where it was measured once."""


def mean_intervals(
    matrix: ScoreMatrix, *, confidence: float = 0.95, most: float = 1.0
) -> tuple[Interval | None, ...]:
    """Return where each trial's macro mean lies, each by itself; scores are 0 to `most`."""
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
    """Place every trial; costs count as equal within 5 %, qualities have their uncertainty.

    A trial is dominated if one that costs no more is better in a paired comparison, corrected
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
    """Return for each trial (row) which others (columns) are better beyond doubt."""
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
