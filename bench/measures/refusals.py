"""Refusal thresholds on the score of a query's first hit, and their costs."""

from collections.abc import Mapping
from typing import Any

import numpy as np

Floats = np.ndarray[Any, np.dtype[np.float64]]
Truths = np.ndarray[Any, np.dtype[np.bool_]]
_POINTS = 20


def best_threshold(best: Floats, negative: Truths, *, most_false_refusals: float) -> float | None:
    """Return the threshold that best separates negative queries from the others, or None.

    The best threshold has the largest difference between the two shares refused. At most the share
    `most_false_refusals` of the other queries may be refused. Ties go to the lowest threshold.
    `best` is NaN for queries without hits.
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
    # Queries without hits are always refused. A threshold must gain more than that alone.
    none = float(np.isinf(wrong).mean() - np.isinf(right).mean())
    return float(between[place]) if gains[place] > none else None


def refusal_gain(best: Floats, negative: Truths, threshold: float) -> float:
    """Return the share of negative queries refused minus the share of the others refused."""
    refused = ~(best >= threshold)
    return float(refused[negative].mean() - refused[~negative].mean())


def trade_off(
    best: Floats, negative: Truths, parts: Mapping[str, Truths]
) -> tuple[dict[str, float | None], ...]:
    """Return the refusal rates of thresholds across the range of scores, for each part.

    The result is empty without scores or negative queries.
    """
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
