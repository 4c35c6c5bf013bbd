"""Trials with the same score on every query: one column of the analysis, several names."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bench.analysis.matrix import ScoreMatrix


@dataclass(frozen=True, eq=False)
class Distinct:
    """The table without repeated columns; each column stands for one or more trials."""

    matrix: ScoreMatrix
    costs: tuple[float | None, ...] | None
    groups: tuple[tuple[str, ...], ...]
    """The trials that each column stands for; the first is the cheapest and gives the name."""

    def column_of(self, trial: str) -> int:
        """Return the column that stands for a trial."""
        return next(place for place, group in enumerate(self.groups) if trial in group)

    def names_of(self, columns: Sequence[int]) -> tuple[str, ...]:
        """Return every trial that some columns stand for."""
        return tuple(name for column in columns for name in self.groups[column])

    @property
    def ties(self) -> tuple[tuple[str, ...], ...]:
        """Return the groups of several trials."""
        return tuple(group for group in self.groups if len(group) > 1)


def distinct(matrix: ScoreMatrix, costs: Sequence[float | None] | None) -> Distinct:
    """Merge trials with identical scores; the cheapest of them, or the first, stands for all."""
    columns: dict[bytes, list[int]] = {}
    for place in range(len(matrix.trials)):
        scores = matrix.values[:, place] + 0.0  # -0.0 is no other score than 0.0
        columns.setdefault(scores.tobytes(), []).append(place)
    prices = [_price(costs, place) for place in range(len(matrix.trials))]
    groups = [
        sorted(places, key=lambda place: (prices[place], place)) for places in columns.values()
    ]
    first = [places[0] for places in groups]
    return Distinct(
        matrix.keep(first),
        None if costs is None else tuple(costs[place] for place in first),
        tuple(tuple(matrix.trials[place] for place in places) for places in groups),
    )


def _price(costs: Sequence[float | None] | None, place: int) -> float:
    """Return a trial's cost; an unknown one is never the lowest."""
    cost = None if costs is None else costs[place]
    return float("inf") if cost is None or not np.isfinite(cost) else float(cost)
