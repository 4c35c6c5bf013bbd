"""Which trials nothing cheaper equals, and which are beaten beyond doubt."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from bench.analysis import ScoreMatrix, Standing, answering, frontier, mean_intervals

QUERIES = 40
Scores = np.ndarray[Any, np.dtype[np.float64]]


def matrix_of(*columns: Scores) -> ScoreMatrix:
    """Return the scores of some trials on one repository."""
    names = [f"t{place}" for place in range(len(columns))]
    return ScoreMatrix.of(np.stack(columns, axis=1), ["shop"] * len(columns[0]), names)


def scores(seed: int, mean: float, spread: float = 0.05) -> Scores:
    """Return scores around a mean."""
    noise = np.random.default_rng(seed).normal(0, spread, QUERIES)
    found: Scores = np.clip(mean + noise - noise.mean(), 0, 1)
    return found


def test_a_cheaper_and_better_trial_dominates() -> None:
    """t1 costs more than t0 and is worse on every query; t2 costs more and is better."""
    matrix = matrix_of(scores(1, 0.5), scores(2, 0.2), scores(3, 0.8))

    cheap, worse, dear = frontier(matrix, [1.0, 2.0, 3.0])

    assert (cheap.standing, dear.standing) == (Standing.FRONTIER, Standing.FRONTIER)
    assert (worse.standing, worse.dominated_by) == (Standing.DOMINATED, "t0")


def test_behind_by_noise_is_not_dominated() -> None:
    """A mean that is lower by less than the queries can tell is not a verdict."""
    matrix = matrix_of(scores(1, 0.5, 0.3), scores(2, 0.499, 0.3))

    _, behind = frontier(matrix, [1.0, 2.0])

    assert (behind.standing, behind.dominated_by) == (Standing.BEHIND, None)


def test_costs_within_five_percent_are_equal() -> None:
    """A trial is not on the frontier for the noise of a clock."""
    found = frontier(matrix_of(scores(1, 0.5), scores(2, 0.2)), [100.0, 99.0])

    assert [point.standing for point in found] == [Standing.FRONTIER, Standing.DOMINATED]


def test_of_two_that_are_equally_good_the_cheaper_one_stays() -> None:
    """By however little it is cheaper."""
    same = scores(1, 0.5)

    found = frontier(matrix_of(same, same), [100.0, 99.0])

    assert [point.standing for point in found] == [Standing.BEHIND, Standing.FRONTIER]


def test_equal_trials_are_both_on_the_frontier() -> None:
    """Neither of two that are the same in all is behind the other."""
    same = scores(1, 0.5)

    found = frontier(matrix_of(same, same), [1.0, 1.0])

    assert {point.standing for point in found} == {Standing.FRONTIER}


def test_a_dearer_trial_never_dominates() -> None:
    """Better and slower is a choice, not a victory."""
    slow, fast = frontier(matrix_of(scores(1, 0.9), scores(2, 0.1)), [10.0, 1.0])

    assert (slow.standing, fast.standing) == (Standing.FRONTIER, Standing.FRONTIER)


@given(st.lists(st.tuples(st.integers(0, 100), st.floats(0, 9)), min_size=1, max_size=8))
def test_there_is_always_a_frontier_and_it_never_loses_to_anything(
    points: list[tuple[int, float]],
) -> None:
    """Whatever qualities and costs there are."""
    matrix = matrix_of(*(np.full(3, quality / 100) for quality, _ in points))

    found = frontier(matrix, [cost for _, cost in points])

    best = [point for point in found if point.standing is Standing.FRONTIER]
    assert best
    assert not any(
        other.quality > one.quality and other.cost <= one.cost for one in best for other in found
    )


def test_the_interval_of_a_mean_is_students() -> None:
    """One repository: the interval of a plain mean."""
    values = scores(7, 0.5, 0.2)
    oracle = stats.ttest_1samp(values, 0).confidence_interval()

    (found,) = mean_intervals(matrix_of(values))

    assert found is not None
    assert [found.low, found.high] == pytest.approx([oracle.low, oracle.high])


def test_an_interval_stays_between_nothing_and_everything() -> None:
    """A score is never below 0 or above 1."""
    high, low = np.array([1, 1, 1, 0.9]), np.array([0, 0, 0, 0.1])

    found = mean_intervals(matrix_of(high, low))

    assert found[0] is not None
    assert found[1] is not None
    assert (found[0].high, found[1].low) == (1.0, 0.0)


def test_a_cost_keeps_where_it_lies_and_lengths_of_text_are_no_shares() -> None:
    """An end that the samples do not bound stays open; a mean of tokens may be above 1."""
    matrix = matrix_of(scores(1, 0.5), scores(2, 0.2))
    tokens = ScoreMatrix.of(1000 * matrix.values, matrix.repositories, matrix.trials)

    first, second = frontier(matrix, [1.0, 2.0], reaches=[(0.9, None), None])
    (found, _) = mean_intervals(tokens, most=float("inf"))

    assert (first.cost_reach, second.cost_reach) == ((0.9, None), None)
    assert found is not None
    assert found.low < 500 < found.high


def test_trials_that_answer_fewer_queries_are_not_weighed() -> None:
    """Empty answers are short and fast."""
    assert answering([0.0, 0.04, 0.34]) == (0, 1)
    assert answering([0.5, 0.52]) == (0, 1)
    assert answering([]) == ()
