"""The order by a first and a second score."""

from typing import Any

import numpy as np

from retrievers.interface import Floats


def fuse(first: Any, second: Any, weight: float) -> Floats:
    """Return joint scores of candidates: z(first) + weight · z(second).

    From a weight of 1 the second score decides alone, as cross-encoders are meant to be used.
    Scores that are all equal say nothing: their z is 0.
    """
    if weight >= 1:
        return np.asarray(second, np.float32)
    return np.asarray(_standard(first) + weight * _standard(second), np.float32)


def _standard(scores: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    numbers = np.asarray(scores, np.float64)
    if not numbers.size or np.ptp(numbers) == 0:
        return np.zeros(numbers.shape)
    return np.asarray((numbers - numbers.mean()) / numbers.std())
