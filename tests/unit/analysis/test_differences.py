"""Two trials: known answers, refusals, and what must not matter."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from bench.analysis import (
    FewQueries,
    FewRepositories,
    NoChange,
    NoSpread,
    Question,
    ScoreMatrix,
    difference_elsewhere,
    difference_here,
    sign_count,
)
from bench.errors import UsageError
from tests.unit.analysis.simulations import World


def test_one_repository_is_the_paired_t_test() -> None:
    random = np.random.default_rng(1)
    scores = random.random((30, 2))
    matrix = ScoreMatrix.of(scores, ["a"] * 30, ["old", "new"])
    oracle = stats.ttest_rel(scores[:, 1], scores[:, 0])
    greater = stats.ttest_rel(scores[:, 1], scores[:, 0], alternative="greater")

    found = difference_here(matrix, "new", "old")

    assert found.degrees == pytest.approx(29)
    assert found.p_two_sided == pytest.approx(oracle.pvalue)
    assert found.p_better == pytest.approx(greater.pvalue)
    assert found.p_worse == pytest.approx(1 - greater.pvalue)
    assert found.interval is not None
    assert found.interval.low == pytest.approx(oracle.confidence_interval().low)
    assert found.interval.high == pytest.approx(oracle.confidence_interval().high)


def test_two_repositories_are_welch_on_half_the_sum() -> None:
    """The mean of two strata has Welch's error and degrees: that of a difference, halved."""
    random = np.random.default_rng(2)
    first, second = random.normal(0.2, 1, 14), random.normal(0.1, 3, 25)
    scores = np.stack([np.zeros(39), np.concatenate([first, second])], axis=1)
    matrix = ScoreMatrix.of(scores, ["a"] * 14 + ["b"] * 25, ["old", "new"])
    oracle = stats.ttest_ind(first, -second, equal_var=False)

    found = difference_here(matrix, "new", "old")

    assert found.value == pytest.approx((first.mean() + second.mean()) / 2)
    assert found.p_two_sided == pytest.approx(oracle.pvalue)
    assert found.degrees == pytest.approx(oracle.df)


def test_an_error_by_hand() -> None:
    """Repository a: 0, 1; b: 0, 0, 3. Variances 1/2 and 3, over n: 1/4 and 1, over G²: 5/16."""
    matrix = ScoreMatrix.of(
        [[0, 0], [0, 1], [0, 0], [0, 0], [0, 3]], ["a", "a", "b", "b", "b"], ["old", "new"]
    )

    found = difference_here(matrix, "new", "old")

    assert found.value == pytest.approx((0.5 + 1) / 2)
    assert found.standard_error == pytest.approx((5 / 16) ** 0.5)
    assert found.degrees == pytest.approx((5 / 16) ** 2 / ((1 / 16) ** 2 / 1 + (1 / 4) ** 2 / 2))


def test_repositories_like_these_is_t_on_their_differences() -> None:
    matrix = World(9, 12, apart=0.1).matrix(np.random.default_rng(3), np.array([0.0, 0.1]))
    oracle = stats.ttest_rel(matrix.repository_means[:, 1], matrix.repository_means[:, 0])

    found = difference_elsewhere(matrix, "t1", "t0")

    assert found.question is Question.ELSEWHERE
    assert found.degrees == 8
    assert found.p_two_sided == pytest.approx(oracle.pvalue)


def test_signs_are_counted_by_repository() -> None:
    matrix = ScoreMatrix.of(
        [[0, 1], [0, 1], [0, -1], [0.1, 0.3], [0.5, 0.3]],
        ["a", "b", "c", "d", "d"],
        ["old", "new"],
    )

    found = sign_count(matrix, "new", "old")

    assert (found.better, found.level, found.worse) == (2, 1, 1)
    assert dict(found.by_repository)["c"] == -1


def test_no_change_is_no_interval_of_width_zero() -> None:
    matrix = ScoreMatrix.of([[0.5, 0.5]] * 60, ["a"] * 30 + ["b"] * 30, ["old", "new"])

    found = difference_here(matrix, "new", "old")

    assert found.interval is None
    assert found.p_two_sided == 1
    assert found.notes == (NoChange(60),)
    assert NoChange(60).most == pytest.approx(0.05)


def test_equal_changes_have_the_chance_of_equal_signs() -> None:
    matrix = ScoreMatrix.of([[0.0, 1.0]] * 5, ["a"] * 5, ["old", "new"])

    found = difference_here(matrix, "new", "old")

    assert found.interval is None
    assert found.p_better == 2**-5
    assert found.notes[-1] == NoSpread(5, 1.0)


def test_a_repository_with_one_query_is_refused() -> None:
    matrix = ScoreMatrix.of([[0, 1]] * 4, ["a", "a", "a", "lone"], ["old", "new"])

    with pytest.raises(UsageError, match="lone has a single query"):
        difference_here(matrix, "new", "old")


def test_few_queries_are_warned_of_by_name() -> None:
    matrix = ScoreMatrix.of(
        np.random.default_rng(0).random((23, 2)), ["a"] * 12 + ["b"] * 11, ["old", "new"]
    )

    found = difference_here(matrix, "new", "old")

    assert found.notes == (FewQueries((("b", 11),)),)


@pytest.mark.parametrize(("repositories", "said"), [(1, "=r0: too few"), (2, "=r0,r1: too few")])
def test_too_few_repositories_do_not_stand_for_others(repositories: int, said: str) -> None:
    matrix = World(repositories, 12).matrix(np.random.default_rng(0), np.zeros(2))

    with pytest.raises(UsageError, match=said):
        difference_elsewhere(matrix, "t1", "t0")


@pytest.mark.parametrize(("repositories", "warned"), [(3, True), (5, True), (6, False)])
def test_three_to_five_repositories_hardly_generalise(repositories: int, warned: bool) -> None:
    matrix = World(repositories, 12).matrix(np.random.default_rng(0), np.zeros(2))

    found = difference_elsewhere(matrix, "t1", "t0")

    assert (FewRepositories(repositories) in found.notes) is warned


@given(seed=st.integers(0, 1000), shift=st.floats(-3, 3), scale=st.floats(0.1, 10))
def test_what_all_trials_share_and_the_scale_do_not_matter(
    seed: int, shift: float, scale: float
) -> None:
    random = np.random.default_rng(seed)
    matrix = World(3, 12).matrix(random, np.array([0.0, 0.1]))
    shared = shift * random.random((matrix.units, 1))
    moved = ScoreMatrix(
        (matrix.values + shared) * scale, matrix.repositories, matrix.trials, matrix.queries
    )

    before, after = difference_here(matrix, "t1", "t0"), difference_here(moved, "t1", "t0")

    assert after.value == pytest.approx(before.value * scale)
    assert after.standard_error == pytest.approx(before.standard_error * scale)
    assert after.p_two_sided == pytest.approx(before.p_two_sided)


@given(seed=st.integers(0, 1000))
def test_the_order_of_queries_and_the_direction_do_not_matter(seed: int) -> None:
    random = np.random.default_rng(seed)
    matrix = World(4, 12).matrix(random, np.array([0.0, 0.1]))
    order = random.permutation(matrix.units)
    shuffled = ScoreMatrix.of(
        matrix.values[order], [matrix.repositories[row] for row in order.tolist()], matrix.trials
    )

    before = difference_here(matrix, "t1", "t0")
    after, back = difference_here(shuffled, "t1", "t0"), difference_here(matrix, "t0", "t1")

    assert after.standard_error == pytest.approx(before.standard_error)
    assert after.degrees == pytest.approx(before.degrees)
    assert back.value == pytest.approx(-before.value)
    assert back.p_worse == pytest.approx(before.p_better)
