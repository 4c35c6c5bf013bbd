"""Means of a measure over queries and repositories.

NaN marks a query that is not judged; it is in no mean. Where nothing is judged the mean is
None: neither zero, which would be a bad score, nor NaN, which has no JSON.
"""

from collections.abc import Sequence

import numpy as np

from bench.measures.formulas import Truths, Values

Labels = Sequence[str]


def micro(values: Values) -> float | None:
    """Return the mean over judged queries."""
    judged = values[~np.isnan(values)]
    return float(judged.mean()) if len(judged) else None


def macro(values: Values, repositories: Labels) -> float | None:
    """Return the mean over repositories of the mean over each one's judged queries."""
    means = [mean for mean in by_repository(values, repositories).values() if mean is not None]
    return float(np.mean(means)) if means else None


def by_repository(values: Values, repositories: Labels) -> dict[str, float | None]:
    """Return the mean over the judged queries of each repository, by name."""
    return {name: micro(values[rows]) for name, rows in _members(repositories).items()}


def by_group(values: Values, repositories: Labels, groups: Labels) -> dict[str, float | None]:
    """Return the macro mean of each group of queries, by name; "" is no group.

    A repository counts in the groups in which it has judged queries.
    """
    return {
        name: macro(values[rows], [repositories[row] for row in np.flatnonzero(rows).tolist()])
        for name, rows in _members(groups).items()
        if name
    }


def _members(labels: Labels) -> dict[str, Truths]:
    """Return which rows have each label, in the order of the labels' names."""
    column = np.array(labels, np.str_)
    return {str(name): column == name for name in np.unique(column)}
