"""The result of the tests in sentences."""

from dataclasses import replace

import numpy as np
import pytest

from bench.advice.wording.recommendation import (
    Labels,
    recommendation_statements,
    recommendation_warnings,
)
from bench.analysis import Objective, Recommendation, ScoreMatrix, WinnerKind, recommend
from tests.unit.analysis.simulations import FEW, World

LABELS = Labels("NDCG@10 at symbol level", "median latency in ms")
OBJECTIVE = Objective()


def study(effects: list[float], *, repositories: int = 9, queries: int = 100) -> ScoreMatrix:
    """Return a study in which trials differ by their effects and a little noise."""
    return World(repositories, queries, FEW).matrix(np.random.default_rng(1), np.array(effects))


def text(found: Recommendation) -> str:
    """Return everything that is said."""
    said = [one.text for one in recommendation_statements(found, LABELS)]
    return "\n".join([*said, *recommendation_warnings(found, LABELS)])


def test_the_trial_to_ship_comes_first_with_its_bound() -> None:
    found = recommend(study([0.0, 0.2, 0.203, 0.201]), OBJECTIVE, [1, 9, 8, 2], seed=1)

    first = recommendation_statements(found, LABELS)[0]

    assert first.text == (
        f"Ship t3: no other trial is more than {found.cheapest_regret:.3f} better in NDCG@10 at"
        " symbol level on these 9 repositories (900 queries), with 95 % confidence across all 3."
        " No cheaper trial (median latency in ms) is shown to be within 0.02 of the best."
    )
    assert dict(first.evidence) == {"regret_bound": found.cheapest_regret, "margin": 0.02}


def test_a_winner_is_named_and_its_bound_is_never_zero() -> None:
    """A sample gives no certainty: a bound of 0 is shown as the smallest that is."""
    found = recommend(study([0.0, 0.2, 0.05]), OBJECTIVE, seed=1)

    said = text(found)
    assert found.regret_bound == 0
    assert "Winner within 0.02: t1, NDCG@10 at symbol level 0." in said
    assert "No other trial is more than 0.001 better (95 % confidence across all 2)." in said
    assert "No costs are known (median latency in ms)" in said


def test_a_probable_winner_has_its_chance_and_the_bound_that_always_holds() -> None:
    found = recommend(study([0.0, 0.02, 0.01], repositories=3, queries=40), OBJECTIVE, seed=1)
    probable = replace(found, chance_best=0.84, winner="t1", winner_kind=WinnerKind.PROBABLE)

    said = text(probable)

    assert "Probably the best: t1" in said
    assert "It is the best in 84 % of resamples" in said
    assert f"another trial may be up to {found.regret_bound:.3f} better" in said


def test_few_queries_are_not_decidable_and_the_chances_of_more_are_said() -> None:
    found = recommend(study([0.0] * 8, queries=12), OBJECTIVE, [1.0] * 8, seed=1)

    said = text(found)

    assert "Not decidable yet: 8 of 8 trials may be the best" in said
    assert "t5 and 2 more" in said
    assert "with 2 times as many" in said
    assert "with 10 times as many" in said
    assert "shortlist" in said


def test_likely_is_labelled_as_not_guaranteed() -> None:
    found = recommend(study([0.0] * 3, queries=30), Objective(0.015), [3, 2, 1], seed=1)

    assert "Likely, not guaranteed" in text(found)


def test_identical_trials_are_represented_by_one() -> None:
    matrix = study([0.0, 0.2])
    values = np.concatenate([matrix.values, matrix.values[:, 1:]], axis=1)
    tied = ScoreMatrix(values, matrix.repositories, ("a", "b", "twin"), matrix.queries)

    found = recommend(tied, OBJECTIVE, [5, 9, 3], seed=1)

    assert "Same score on every query: twin, b; twin represents them." in text(found)


def test_trials_that_are_all_identical_are_tied() -> None:
    matrix = ScoreMatrix.of([[0.5, 0.5]] * 4, ["a"] * 4, ["dear", "cheap"])

    said = text(recommend(matrix, OBJECTIVE, [2, 1], seed=1))

    assert "All 2 trials have the same NDCG@10 at symbol level on each of 4 queries" in said
    assert "Ship cheap, the cheapest (median latency in ms)." in said


def test_the_two_questions_are_answered_apart() -> None:
    said = text(recommend(study([0.0, 0.1]), OBJECTIVE, [1, 2], seed=1))

    assert "On these repositories: t1 against t0 +0." in said
    assert "On repositories like these: t1 against t0 +0." in said
    assert "better in 9 of 9 repositories" in said


@pytest.mark.parametrize(
    ("repositories", "said"),
    [(1, "this holds on r0 only"), (2, "too few for an interval"), (3, "unless the difference")],
)
def test_few_repositories_are_said_to_be_few(repositories: int, said: str) -> None:
    found = recommend(study([0.0, 0.1], repositories=repositories), OBJECTIVE, [1, 2], seed=1)

    assert said in text(found)


def test_a_lone_query_leaves_everything_open() -> None:
    matrix = ScoreMatrix.of([[0, 1]] * 5, ["a"] * 4 + ["lone"], ["x", "y"])

    said = text(recommend(matrix, OBJECTIVE, [1, 2], seed=1))

    assert "no test was run" in said
    assert "No interval: lone has a single query" in said


def test_big_grids_on_few_repositories_are_told_what_to_expect() -> None:
    found = recommend(study([0.0] * 24, queries=12), OBJECTIVE, [1.0] * 24, seed=1, draws=1_000)

    assert "hardly any trial can be excluded" in text(found)


def test_looking_again_costs_confidence() -> None:
    found = recommend(study([0.0] * 3, queries=30), Objective(looks=2), [1, 2, 3], seed=1)

    assert "divided by 2" in text(found)
    assert "97.5 % confidence" in text(found)


def test_the_word_for_a_passed_test_never_stands_alone() -> None:
    for effects in ([0.0, 0.2], [0.0, 0.0], [0.0, 0.01, 0.02]):
        assert "significan" not in text(recommend(study(effects), OBJECTIVE, seed=1))
