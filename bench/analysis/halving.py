"""Successive halving: trials that clearly trail the leader see no more queries."""

from dataclasses import dataclass

import numpy as np

from bench.analysis.matrix import ScoreMatrix
from bench.analysis.spread import spread_of

_FIRST_SIZES, _STEP = (4, 8), 8
_BEHIND = 3.0


@dataclass(frozen=True)
class Stopped:
    """A trial that was stopped, with its distance to the leader."""

    trial: str
    behind: float
    standard_errors: float
    """The distance in standard errors of the pair, as the equally rare normal deviate."""
    queries: int


@dataclass(frozen=True)
class Round:
    """The trials that continue after a round. Only trials that see every query are compared."""

    leader: str
    kept: tuple[str, ...]
    stopped: tuple[Stopped, ...]


def round_sizes(most: int) -> tuple[int, ...]:
    """Return the number of queries per repository in each round: 4, 8, 16, 24 and so on."""
    sizes = [size for size in (*_FIRST_SIZES, *range(2 * _STEP, most, _STEP)) if size < most]
    return (*sizes, most)


def stop_trailing(matrix: ScoreMatrix) -> Round:
    """Stop the trials that trail the leader by three standard errors of the pair or more."""
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
    return Round(matrix.trials[leader], kept, stopped)
