"""The gate's three states."""

from itertools import product

import numpy as np
import pytest

from bench.analysis import (
    GateState,
    LoneQueries,
    Sampling,
    ScoreMatrix,
    default_margin,
    difference_here,
    judge_change,
    queries_for,
    visible_drop,
)
from bench.analysis.gate import repository_drops
from tests.unit.analysis.simulations import FEW, SIBLING, World, shared_drop

SAMPLING = Sampling(1)


def changed(world: World, *, by: float, places: int) -> ScoreMatrix:
    """Return two trials of which the second is shifted in the first repositories."""
    matrix = world.matrix(np.random.default_rng(3), np.zeros(2))
    values = matrix.values.copy()
    values[: places * world.queries, 1] += by
    return ScoreMatrix(values, matrix.repositories, matrix.trials, matrix.queries)


def test_identical_scores_pass() -> None:
    matrix = ScoreMatrix.of([[0.5, 0.5]] * 24, ["a"] * 12 + ["b"] * 12, ["old", "new"])

    found = judge_change(matrix, "new", "old", SAMPLING, margin=0.02)

    assert found.state is GateState.PASS
    assert found.visible_drop is None


def test_a_drop_everywhere_fails() -> None:
    matrix = changed(World(9, 60), by=-0.15, places=9)

    found = judge_change(matrix, "t1", "t0", SAMPLING, margin=0.02)

    assert found.state is GateState.FAIL
    assert found.overall_fails
    assert found.overall is not None
    assert found.overall.p_worse < 0.0001


def test_a_drop_in_one_repository_of_nine_fails_by_name_and_can_be_waived() -> None:
    matrix = changed(World(9, 100, FEW), by=-0.15, places=1)
    waived = judge_change(matrix, "t1", "t0", SAMPLING, margin=0.05, waived=["r0"])

    found = judge_change(matrix, "t1", "t0", SAMPLING, margin=0.05)

    assert found.state is GateState.FAIL
    assert [drop.repository for drop in found.drops] == ["r0"]
    assert found.drops[0].value == pytest.approx(-0.15, abs=0.05)
    assert waived.drops[0].waived


def test_a_waived_repository_does_not_fail_the_gate() -> None:
    values = np.zeros((240, 2))
    values[:20, 1] = np.where(np.arange(20) % 2, -0.3, -0.1)
    values[20:, 1] = np.where(np.arange(220) % 2, 0.10, -0.07)
    names = [f"r{row // 20}" for row in range(240)]
    matrix = ScoreMatrix.of(values, names, ["old", "new"])

    strict = judge_change(matrix, "new", "old", SAMPLING, margin=0.05)
    waived = judge_change(matrix, "new", "old", SAMPLING, margin=0.05, waived=["r0"])

    assert strict.state is GateState.FAIL
    assert not strict.overall_fails
    assert waived.state is GateState.PASS


def test_a_drop_shared_by_all_repositories_fails_where_none_of_them_is_blamed() -> None:
    matrix = shared_drop(seed=0)

    found = judge_change(matrix, "t1", "t0", SAMPLING, margin=0.05)

    assert found.drops == ()
    assert found.state is GateState.FAIL
    assert found.overall_fails


def test_an_improvement_passes() -> None:
    matrix = changed(World(9, 60), by=0.15, places=9)

    found = judge_change(matrix, "t1", "t0", SAMPLING, margin=0.02)

    assert found.state is GateState.PASS
    assert found.drops == ()
    assert found.lower_bound is not None
    assert found.lower_bound > 0


def test_few_queries_are_inconclusive_and_more_are_forecast() -> None:
    matrix = changed(World(3, 12), by=0.0, places=0)

    found = judge_change(matrix, "t1", "t0", SAMPLING, margin=0.02)

    assert found.state is GateState.INCONCLUSIVE
    assert found.forecast is not None


def test_trials_that_are_judged_together_share_the_error_rates() -> None:
    """A p value of about .02 fails one trial, and not one of two; the bound is wider."""
    apart = np.tile([-0.04, 0.0, 0.0, -0.02, 0.03, -0.03], 10) + 0.0035
    matrix = ScoreMatrix.of(
        np.column_stack([np.full(60, 0.5), 0.5 + apart]), ["a"] * 30 + ["b"] * 30, ["old", "new"]
    )

    alone = judge_change(matrix, "new", "old", SAMPLING, margin=0.01)
    both = judge_change(matrix, "new", "old", SAMPLING, margin=0.01, trials=2)

    assert alone.overall is not None
    assert 0.0125 < alone.overall.p_worse < 0.025
    assert (alone.overall_fails, both.overall_fails) == (True, False)
    assert alone.lower_bound is not None
    assert both.lower_bound is not None
    assert alone.lower_bound > both.lower_bound
    assert alone.visible_drop is not None
    assert both.visible_drop is not None
    assert alone.visible_drop < both.visible_drop


def test_any_of_several_equal_trials_fails_as_seldom_as_one() -> None:
    random, fails, world = np.random.default_rng(9), 0, World(3, 24)
    for study in range(150):
        matrix = world.matrix(random, np.zeros(7))
        sampling = Sampling(study, 1_000, 500)
        found = [
            judge_change(matrix, name, "t0", sampling, margin=0.05, trials=6)
            for name in matrix.trials[1:]
        ]
        fails += any(one.state is GateState.FAIL for one in found)

    assert fails <= 150 * 0.12


def test_the_bound_is_the_lower_end_of_a_90_percent_interval() -> None:
    matrix = changed(World(3, 30), by=0.0, places=0)
    interval = difference_here(matrix, "t1", "t0", confidence=0.90).interval

    found = judge_change(matrix, "t1", "t0", SAMPLING, margin=0.02)

    assert interval is not None
    assert found.lower_bound == pytest.approx(interval.low)


def test_sign_flips_agree_with_all_of_them_written_out() -> None:
    falls = np.array([-3.0, -2.0, -2.0, -1.0, 0.5, -1.5, -2.5, -3.5, -1.0, -0.5])
    matrix = ScoreMatrix.of(np.stack([np.zeros(10), falls], axis=1), ["a"] * 10, ["old", "new"])
    sums = [
        sum(map(float.__mul__, signs, falls.tolist())) for signs in product([1.0, -1.0], repeat=10)
    ]
    exact = float(np.mean(np.array(sums) <= falls.sum() + 1e-9))

    (found,) = repository_drops(matrix, "new", "old", Sampling(1, 40_000))

    assert exact < 0.01
    assert found.p_worse == pytest.approx(exact, abs=0.002)


def test_repositories_with_a_single_query_leave_the_gate_inconclusive() -> None:
    matrix = ScoreMatrix.of([[0, 1], [1, 0]], ["a", "b"], ["old", "new"])

    found = judge_change(matrix, "new", "old", SAMPLING, margin=0.02)

    assert found.state is GateState.INCONCLUSIVE
    assert found.overall is None
    assert found.caveats == (LoneQueries(("a", "b")),)


def test_two_equal_changes_are_too_few_to_pass_on() -> None:
    matrix = ScoreMatrix.of([[0.0, 0.01]] * 2, ["a"] * 2, ["old", "new"])

    found = judge_change(matrix, "new", "old", SAMPLING, margin=0.02)

    assert found.state is GateState.INCONCLUSIVE


@pytest.mark.parametrize(("drop", "deviation", "queries"), [(0.02, 0.17, 447), (0.05, 0.41, 416)])
def test_the_queries_that_a_drop_needs(drop: float, deviation: float, queries: int) -> None:
    needed = queries_for(drop, deviation)

    assert needed == queries
    assert visible_drop(deviation / needed**0.5) == pytest.approx(drop, rel=0.01)


def test_small_suites_allow_larger_drops() -> None:
    assert (default_margin(449), default_margin(450)) == (0.05, 0.02)


def test_a_gate_repeats_itself() -> None:
    matrix = changed(World(3, 30, SIBLING), by=-0.05, places=1)

    first, again = (judge_change(matrix, "t1", "t0", SAMPLING, margin=0.02) for _ in range(2))

    assert first == again
