"""Means over queries, repositories and groups of queries."""

import numpy as np
import pytest

from bench.measures import macro, micro

NAN = np.nan
VALUES = np.array([1.0, 0.0, 0.5, NAN, 1.0, NAN])
REPOSITORIES = ["flask", "flask", "flask", "flask", "click", "rich"]


def test_micro_is_over_judged_queries() -> None:
    """Leave queries without targets out of the denominator."""
    assert micro(VALUES) == 2.5 / 4


def test_macro_gives_every_judged_repository_one_voice() -> None:
    """Average .5 of flask and 1 of click; rich has no judged query."""
    assert macro(VALUES, REPOSITORIES) == 0.75


@pytest.mark.parametrize("values", [np.array([]), np.array([NAN, NAN])])
def test_nothing_judged_is_neither_zero_nor_nan(values: np.ndarray) -> None:
    """Return None, which JSON can say and no floor can pass."""
    labels = ["flask"] * len(values)

    assert micro(values) is None
    assert macro(values, labels) is None


def test_the_order_of_queries_does_not_matter() -> None:
    """Give the same mean to the same queries in another order."""
    order = [5, 2, 4, 0, 3, 1]

    shuffled = macro(VALUES[order], [REPOSITORIES[place] for place in order])

    assert shuffled == macro(VALUES, REPOSITORIES)
