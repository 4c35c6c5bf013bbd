"""The chance that a trial is the best, and that it is within a margin of the best.

From a joint resampling of queries within each repository: all trials see the same queries.
Neither chance is a guarantee; the first is never to be shown without its margin.
"""

from dataclasses import dataclass

import numpy as np

from bench.analysis.matrix import ScoreMatrix, Values
from bench.analysis.sampling import Sampling

_ROUNDING = 1e-6


@dataclass(frozen=True, eq=False)
class Chances:
    """For each trial, the share of resamples in which it is the best, or nearly."""

    best: Values
    within: Values


def chances(matrix: ScoreMatrix, sampling: Sampling, *, margin: float) -> Chances:
    """Resample queries within repositories and see who is best; equals share the place."""
    common = matrix.values.mean(axis=1, keepdims=True)
    centred = ((matrix.values - common) * matrix.weights[:, None]).astype(np.float32)
    rounding = _ROUNDING * max(float(np.ptp(matrix.values)), np.finfo(np.float64).tiny)
    best, within = np.zeros(len(matrix.trials)), np.zeros(len(matrix.trials))
    for weights in sampling.resampled(matrix.starts, matrix.counts):
        means = weights @ centred
        behind = means.max(axis=1, keepdims=True) - means
        first = behind <= rounding
        best += (first / first.sum(axis=1, keepdims=True)).sum(axis=0)
        within += (behind <= margin + rounding).sum(axis=0)
    return Chances(best / sampling.draws, within / sampling.draws)
