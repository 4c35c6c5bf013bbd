"""Rules of thumb for single values. They do not replace a comparison."""

from bench.measures.measure import parse_measure

RATINGS: dict[str, tuple[float, float, float]] = {
    "mrr": (0.4, 0.6, 0.8),
    "recall_at_5": (0.5, 0.7, 0.9),
    "ndcg_at_10": (0.6, 0.8, 0.9),
}
"""Lowest fair, good and excellent value of each column."""
WORDS = ("poor", "fair", "good", "excellent")


def rating(column: str, value: float) -> str | None:
    """Return the word for a value of a measure, or None if the measure has no rule."""
    bounds = RATINGS.get(parse_measure(column).column)
    if bounds is None:
        return None
    return WORDS[sum(value >= bound for bound in bounds)]
