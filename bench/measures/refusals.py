"""When to refuse: a threshold on the score of a query's first hit, and what each one costs."""

from collections.abc import Mapping
from typing import Any

import numpy as np

Floats = np.ndarray[Any, np.dtype[np.float64]]
Truths = np.ndarray[Any, np.dtype[np.bool_]]
_POINTS = 20


def best_threshold(best: Floats, negative: Truths, *, most_false_refusals: float) -> float | None:
    """Return the threshold that tells negative queries best from the others, or None.

    Best is the largest difference between the shares that are refused of either, with at most
    `most_false_refusals` of the others; of equals the lowest. `best` is NaN for no hit.
    """
    scores = np.where(np.isnan(best), -np.inf, best)
    wrong, right = scores[negative], scores[~negative]
    distinct = np.unique(scores[np.isfinite(scores)])
    between = (distinct[1:] + distinct[:-1]) / 2
    if not len(wrong) or not len(right) or not len(between):
        return None
    gains = [
        float((wrong < one).mean() - (right < one).mean())
        if (right < one).mean() <= most_false_refusals
        else -1.0
        for one in between
    ]
    place = int(np.argmax(gains))
    # Where nothing is gained over refusing only what has no hit, nothing else is refused.
    none = float(np.isinf(wrong).mean() - np.isinf(right).mean())
    return float(between[place]) if gains[place] > none else None


def refusal_gain(best: Floats, negative: Truths, threshold: float) -> float:
    """Return by how much more of the negative queries than of the others are refused."""
    refused = ~(best >= threshold)
    return float(refused[negative].mean() - refused[~negative].mean())


def trade_off(
    best: Floats, negative: Truths, parts: Mapping[str, Truths]
) -> tuple[dict[str, float | None], ...]:
    """Return what thresholds over the range of scores refuse, in each part of the queries."""
    scores = np.where(np.isnan(best), -np.inf, best)
    known = np.unique(scores[np.isfinite(scores)])
    if not len(known) or not negative.any():
        return ()
    points = np.unique(np.quantile(known, np.linspace(0, 1, _POINTS + 1)))
    return tuple(
        {
            "threshold": float(point),
            **{
                f"{name}_{part}": _share(scores[chosen & members] < point)
                for part, members in parts.items()
                for name, chosen in (
                    ("refusal_correctness", negative),
                    ("false_refusal_rate", ~negative),
                )
            },
        }
        for point in points
    )


def _share(truths: Truths) -> float | None:
    return float(truths.mean()) if len(truths) else None
