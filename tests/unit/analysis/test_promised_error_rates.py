"""The statistics keep their promises on simulated studies of which the truth is known.

Seeds are fixed, so that a result is the same on every run; bounds are four or more standard
errors of the simulation away from what is promised, so that only a real change crosses them.
"""

import numpy as np
import pytest

from bench.analysis import GateState, Question
from tests.unit.analysis.simulations import (
    FAMILY,
    FEW,
    SIBLING,
    Change,
    Elsewhere,
    Weights,
    World,
    changed_tree_states,
    choices,
    choices_by_budget,
    choices_with_prior,
    coverage,
    family_errors,
    further_repositories,
    gate_states,
    halving,
    optimism,
    shared_drops_caught,
)


@pytest.mark.parametrize("change", [FEW, SIBLING, FAMILY])
@pytest.mark.parametrize(("repositories", "queries"), [(1, 60), (3, 12), (9, 24)])
def test_intervals_here_hold_the_truth(change: Change, repositories: int, queries: int) -> None:
    held = coverage(World(repositories, queries, change), Question.HERE, 1_000)

    most = 1.0 if change is FEW else 0.985  # where hardly a query changes intervals are wide
    assert 0.91 < held <= most


@pytest.mark.parametrize("repositories", [3, 9])
def test_intervals_elsewhere_hold_the_truth(repositories: int) -> None:
    held = coverage(World(repositories, 24, apart=0.04), Question.ELSEWHERE, 1_000)

    assert 0.92 < held < 0.98


@pytest.mark.parametrize("apart", [0.0, 0.1])
def test_a_prediction_holds_the_difference_of_one_further_repository(apart: float) -> None:
    held = further_repositories(World(9, 24, apart=apart), 1_000)

    assert 0.92 < held < 0.98


SIX = np.array([0.0, -0.05, -0.02, -0.08, -0.02, -0.02])


@pytest.mark.parametrize(("queries", "apart"), [(10, 0.01), (10, 0.03), (40, 0.03), (40, 0.06)])
def test_a_choice_with_other_repositories_is_near_the_better_of_the_two(
    queries: int, apart: float
) -> None:
    """What own queries and the others choose alone differs by up to .05 in these studies."""
    rates = choices_with_prior(Elsewhere(queries, apart), SIX, 60)

    assert rates["regret together"] < min(rates["regret alone"], rates["regret elsewhere"]) + 0.008
    assert rates["overruled wrongly"] < 0.15


def test_where_repositories_are_alike_few_queries_choose_better_with_others() -> None:
    rates = choices_with_prior(Elsewhere(10, 0.01), SIX, 60)

    assert rates["better than alone"] > 0.15
    assert rates["worse than alone"] < 0.05


def test_hundreds_of_queries_find_what_other_repositories_advise_against() -> None:
    """The trial that is the worst elsewhere is the best here by far."""
    rates = choices_with_prior(Elsewhere(240, 0.03, shift=0.25), SIX, 40)

    assert rates["overruled"] > 0.9
    assert rates["overruled wrongly"] == 0
    assert rates["regret together"] < 0.02


def test_several_budgets_together_seldom_have_one_bad_choice() -> None:
    """Each alone would be wrong more often: that is why they are corrected together."""
    edge = np.full((4, 6), -0.02 - 1e-9)
    edge[range(4), range(4)] = 0.0
    world = World(9, 24, FEW)

    together = choices_by_budget(world, edge, 60)
    apart = choices_by_budget(world, edge, 60, together=False)

    assert together["best left out"] <= 0.1
    assert together["cheapest worse"] <= 0.1
    assert together["abstained"] > apart["abstained"]


def test_intervals_here_do_not_answer_the_question_about_elsewhere() -> None:
    """This is why the questions are kept apart, and that the simulation can see it."""
    world = World(9, 100, FEW, apart=0.08)

    assert coverage(world, Question.HERE, 500) < 0.75
    assert coverage(world, Question.ELSEWHERE, 500) > 0.91


@pytest.mark.parametrize("trials", [6, 24])
@pytest.mark.parametrize(("repositories", "queries"), [(3, 12), (9, 24)])
def test_equal_trials_are_seldom_told_apart(trials: int, repositories: int, queries: int) -> None:
    here, elsewhere = family_errors(World(repositories, queries), trials, 120)

    assert here < 0.13
    assert elsewhere < 0.13


@pytest.mark.parametrize("trials", [6, 24])
def test_choices_are_seldom_bad(trials: int) -> None:
    effects = np.full(trials, -0.0201)
    effects[0] = 0.0

    found = choices(World(9, 40, FEW), effects, 40)

    assert found["best left out"] <= 0.1
    assert found["cheapest worse"] <= 0.15
    assert found["winner worse"] <= 0.15


def test_a_gate_seldom_fails_on_noise() -> None:
    assert gate_states(World(9, 24), 300)[GateState.FAIL] < 0.11


def test_a_gate_catches_a_drop_in_one_repository_of_nine() -> None:
    assert gate_states(World(9, 100), 50, drop=0.15, places=1)[GateState.FAIL] > 0.9


def test_a_gate_catches_a_drop_that_all_repositories_share() -> None:
    """Single repositories are blamed in a quarter of these studies; the overall test is needed."""
    assert shared_drops_caught(200) > 0.74


def test_tuned_scores_are_corrected() -> None:
    in_sample, here, new = optimism(Weights(3, 20), 200)

    assert in_sample > 0.05
    assert abs(here) < 0.02
    assert abs(new) < 0.04


def test_stopping_early_saves_queries_and_keeps_the_choice() -> None:
    effects = -np.random.default_rng(0).gamma(2.0, 0.05, 72)

    worse, saved = halving(World(9, 40), effects, 40)

    assert worse <= 0.05
    assert saved > 0.26


@pytest.mark.parametrize(("left_out", "is_uneven"), [(0.1, False), (0.4, False), (0.4, True)])
def test_equal_quality_fails_no_more_often_where_queries_are_left_out(
    left_out: float, is_uneven: bool
) -> None:
    """The promise is .07; of 300 studies 33 are three standard errors above it."""
    states = changed_tree_states(World(9, 24), 300, left_out=left_out, is_uneven=is_uneven)

    assert states[GateState.FAIL] < 0.11
