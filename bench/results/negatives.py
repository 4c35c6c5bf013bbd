"""Separation of negative queries from answerable ones by their scores.

A negative query is refused if nothing is returned for it. Scores of different retrievers have
different scales. Numbers without a threshold therefore compare the best scores of negative queries
with those of answerable queries.
"""

from typing import Any

import numpy as np

from bench.results.query_result import Numbers
from bench.results.trial_result import ThresholdPoint

Floats = np.ndarray[Any, np.dtype[np.float64]]
Truths = np.ndarray[Any, np.dtype[np.bool_]]
KEPT = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)
"""Shares of the answerable queries that a threshold keeps."""
_USUAL = 0.95
_NAMES = (
    "negative_refusal_rate",
    "negative_returned",
    "negative_auroc",
    "negative_false_positives_at_95",
    "negative_above_threshold",
    "answered_above_threshold",
)


def negative_numbers(
    best: Floats, returned: Floats, negative: Truths, threshold: float | None
) -> Numbers:
    """Return numbers on negative queries; `best` is a query's best score, NaN without hits."""
    nothing: Numbers = dict.fromkeys(_NAMES)
    if not negative.any():
        return nothing
    scores = np.where(np.isnan(best), -np.inf, best)
    wrong, right = scores[negative], scores[~negative]
    usual = curve(best, negative)
    found: dict[str, float | None] = {
        "negative_refusal_rate": float((returned[negative] == 0).mean()),
        "negative_returned": float(returned[negative].mean()),
        "negative_auroc": _auroc(right, wrong),
        "negative_false_positives_at_95": next(
            (point.false_positives for point in usual if point.kept == _USUAL), None
        ),
    }
    if threshold is not None:
        found["negative_above_threshold"] = float((wrong >= threshold).mean())
        found["answered_above_threshold"] = float((right >= threshold).mean())
    return {**nothing, **found}


def no_negative_numbers() -> Numbers:
    """Return the same columns, all None, for a trial without a result."""
    return dict.fromkeys(_NAMES)


def curve(best: Floats, negative: Truths) -> tuple[ThresholdPoint, ...]:
    """Return the highest threshold that keeps at least each share of the answerable queries.

    `false_positives` is the share of the negative queries above the threshold.
    """
    scores = np.where(np.isnan(best), -np.inf, best)
    wrong, right = scores[negative], np.sort(scores[~negative])[::-1]
    if not len(wrong) or not len(right):
        return ()
    points = []
    for kept in KEPT:
        threshold = right[int(np.ceil(kept * len(right) - 1e-9)) - 1]
        passing = wrong >= threshold if np.isfinite(threshold) else np.ones(len(wrong), np.bool_)
        points.append(
            ThresholdPoint(
                kept,
                float(threshold) if np.isfinite(threshold) else None,
                float(passing.mean()),
            )
        )
    return tuple(points)


def _auroc(right: Floats, wrong: Floats) -> float | None:
    """Return the probability that an answerable query scores above a negative one; ties are
    1/2."""
    if not len(right):
        return None
    ordered = np.sort(wrong)
    below = np.searchsorted(ordered, right, "left")
    level = np.searchsorted(ordered, right, "right") - below
    return float((below + level / 2).mean() / len(wrong))
