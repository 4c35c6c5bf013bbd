"""What is returned for queries that nothing answers."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.results.negatives import curve, negative_numbers

NAN = np.nan
# Five queries with an answer, of which one gets no hit; four negatives, of which one gets none.
BEST = np.array([9.0, 7, 5, 3, NAN, 8, 4, 3, NAN])
RETURNED = np.array([10.0, 10, 10, 2, 0, 10, 5, 1, 0])
NEGATIVE = np.array([False] * 5 + [True] * 4)


def test_numbers_by_hand() -> None:
    """Refusal, what was returned, and how the best scores compare."""
    found = negative_numbers(BEST, RETURNED, NEGATIVE, threshold=4.0)

    # 9 beats four, 7 three, 5 three, 3 one and is level with one, no hit is level with no hit.
    assert found == {
        "negative_refusal_rate": 1 / 4,
        "negative_returned": 4.0,
        "negative_auroc": pytest.approx((4 + 3 + 3 + 1.5 + 0.5) / 20),
        "negative_false_positives_at_95": 1.0,
        "negative_above_threshold": 2 / 4,
        "answered_above_threshold": 3 / 5,
    }


def test_a_score_at_the_threshold_is_above_it() -> None:
    """Of answers 9, 7, 5 and 3 reach 3, of negatives 8, 4 and 3."""
    found = negative_numbers(BEST, RETURNED, NEGATIVE, threshold=3.0)

    assert found["answered_above_threshold"] == 4 / 5
    assert found["negative_above_threshold"] == 3 / 4


def test_the_curve_keeps_at_least_its_share_of_answers() -> None:
    """From the strictest threshold to none."""
    points = curve(BEST, NEGATIVE)

    by_kept = {point.kept: (point.threshold, point.false_positives) for point in points}
    assert by_kept[0.5] == (5, 0.25)
    assert by_kept[0.6] == (5, 0.25)
    assert by_kept[0.8] == (3, 0.75)
    assert by_kept[1.0] == (None, 1)


def test_without_negatives_there_are_no_numbers() -> None:
    """Neither 0 nor 1."""
    none = np.zeros(9, np.bool_)

    found = negative_numbers(BEST, RETURNED, none, threshold=4.0)

    assert set(found.values()) == {None}
    assert curve(BEST, none) == ()


def test_without_a_threshold_nothing_is_above_it() -> None:
    """Have no number for what was not asked."""
    found = negative_numbers(BEST, RETURNED, NEGATIVE, threshold=None)

    assert found["negative_above_threshold"] is None
    assert found["answered_above_threshold"] is None


SCORES = st.lists(st.sampled_from([NAN, 0.0, 1.0, 2.0, 3.0]), min_size=1, max_size=8)


@given(SCORES, SCORES)
def test_the_area_is_the_share_of_pairs_in_the_right_order(
    right: list[float], wrong: list[float]
) -> None:
    """Equal counting all pairs."""
    best = np.array(right + wrong)
    negative = np.array([False] * len(right) + [True] * len(wrong))

    found = negative_numbers(best, np.ones(len(best)), negative, None)["negative_auroc"]

    values = np.where(np.isnan(best), -np.inf, best)
    pairs = [
        (values[i], values[j]) for i, j in product(range(len(right)), range(len(right), len(best)))
    ]
    expected = np.mean([(a > b) + (a == b) / 2 for a, b in pairs])
    assert found == pytest.approx(expected)


@given(SCORES, SCORES)
def test_the_curve_never_falls(right: list[float], wrong: list[float]) -> None:
    """Let more negatives through the more answers are kept."""
    best = np.array(right + wrong)
    negative = np.array([False] * len(right) + [True] * len(wrong))

    passed = [point.false_positives or 0 for point in curve(best, negative)]

    assert passed == sorted(passed)
