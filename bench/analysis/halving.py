"""Which trials need not see more queries: those clearly behind the leader already."""

from dataclasses import dataclass

import numpy as np

from bench.analysis.matrix import ScoreMatrix
from bench.analysis.spread import spread_of

_RUNGS, _STEP = (4, 8), 8
_BEHIND = 3.0


@dataclass(frozen=True)
class Stopped:
    """A trial that sees no more queries, and how far behind it was."""

    trial: str
    behind: float
    standard_errors: float
    """Behind the leader, each pair's own, as rare as so many of a normal distribution."""
    queries: int


@dataclass(frozen=True)
class Rung:
    """What a look at the queries so far decides; only trials that saw all enter decisions."""

    leader: str
    kept: tuple[str, ...]
    stopped: tuple[Stopped, ...]


def rung_sizes(most: int) -> tuple[int, ...]:
    """Return how many queries a repository are seen at each look: 4, 8, 16, 24 and so on."""
    sizes = [size for size in (*_RUNGS, *range(2 * _STEP, most, _STEP)) if size < most]
    return (*sizes, most)


def look(matrix: ScoreMatrix) -> Rung:
    """Stop the trials that are three paired standard errors behind the leader, or more."""
    leader = int(np.argmax(matrix.means))
    contrast = spread_of(matrix).contrast(leader)
    far = (-contrast.deviates()).tolist()
    kept = tuple(
        trial for trial, distance in zip(matrix.trials, far, strict=True) if distance < _BEHIND
    )
    stopped = tuple(
        Stopped(trial, behind, distance, matrix.queries)
        for trial, distance, behind in zip(
            matrix.trials, far, (-contrast.value).tolist(), strict=True
        )
        if distance >= _BEHIND
    )
    return Rung(matrix.trials[leader], kept, stopped)
