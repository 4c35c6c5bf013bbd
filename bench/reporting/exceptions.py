"""Repositories on which another trial than the one to ship is clearly better."""

from dataclasses import dataclass

import numpy as np

from bench.analysis import ScoreMatrix, difference_here
from bench.analysis.refusals import lone_queries

_ERROR = 0.05
"""Of all comparisons on all repositories together (Bonferroni)."""


@dataclass(frozen=True)
class Exceptional:
    """A repository, the trial that is best there, and by how much."""

    repository: str
    trial: str
    difference: float
    low: float
    high: float

    def __str__(self) -> str:
        return (
            f"Exception: on {self.repository} {self.trial} is better by {self.difference:.3f}"
            f" (interval {self.low:+.3f} to {self.high:+.3f}, corrected for all trials and"
            " repositories)."
        )


def exceptions(matrix: ScoreMatrix, ship: str) -> tuple[Exceptional, ...]:
    """Return the repositories whose best trial is better than `ship` beyond doubt."""
    if len(matrix.names) == 1 or lone_queries(matrix):
        return ()
    confidence = 1 - _ERROR / (len(matrix.names) * (len(matrix.trials) - 1))
    found = (_on(matrix, number, ship, confidence) for number in range(len(matrix.names)))
    return tuple(one for one in found if one is not None)


def _on(matrix: ScoreMatrix, number: int, ship: str, confidence: float) -> Exceptional | None:
    name, trial = matrix.names[number], matrix.trials[_best(matrix, number)]
    if trial == ship:
        return None
    start = int(matrix.starts[number])
    values = matrix.values[start : start + int(matrix.counts[number])]
    alone = ScoreMatrix.of(values, [name] * len(values), matrix.trials)
    apart = difference_here(alone, trial, ship, confidence=confidence)
    if apart.interval is None or apart.interval.low <= 0:
        return None
    return Exceptional(name, trial, apart.value, apart.interval.low, apart.interval.high)


def _best(matrix: ScoreMatrix, number: int) -> int:
    return int(np.argmax(matrix.repository_means[number]))
