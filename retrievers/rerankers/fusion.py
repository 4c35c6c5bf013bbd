"""The fusion of the scores of a retriever and a reranker."""

from typing import Any

import numpy as np

from retrievers.interface import Floats


def fuse(first: Any, second: Any, weight: float) -> Floats:
    """Return joint scores of candidates: z(first) + weight · z(second).

    With a weight of 1 or more, only the second score counts, the usual way for cross-encoders.
    If all scores are equal, their z-scores are 0.
    """
    if weight >= 1:
        return np.asarray(second, np.float32)
    return np.asarray(_standard(first) + weight * _standard(second), np.float32)


def _standard(scores: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    numbers = np.asarray(scores, np.float64)
    if not numbers.size or np.ptp(numbers) == 0:
        return np.zeros(numbers.shape)
    return np.asarray((numbers - numbers.mean()) / numbers.std())
