"""Means of a measure over queries and repositories.

NaN marks a query that is not judged; means exclude it. The mean of no judged queries is None: 0
would be a bad score, and JSON has no NaN.
"""

from collections.abc import Sequence

import numpy as np

from bench.measures.formulas import Values

Labels = Sequence[str]


def micro(values: Values) -> float | None:
    """Return the mean over judged queries."""
    judged = values[~np.isnan(values)]
    return float(judged.mean()) if len(judged) else None


def macro(values: Values, repositories: Labels) -> float | None:
    """Return the mean over repositories of their means over judged queries."""
    column = np.array(repositories, np.str_)
    means = [micro(values[column == name]) for name in np.unique(column)]
    judged = [mean for mean in means if mean is not None]
    return float(np.mean(judged)) if judged else None
