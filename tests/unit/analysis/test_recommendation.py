"""What is advised, and when nothing is."""

import numpy as np
import pytest
from scipy import stats

from bench.analysis import (
    Objective,
    Recommendation,
    Sampling,
    ScoreMatrix,
    WinnerKind,
    difference_here,
    recommend,
    select,
)
from bench.analysis.selection import probable_threshold
from bench.errors import UsageError
from tests.unit.analysis.simulations import FEW, World

NDCG = Objective("NDCG@10", "symbol", cost="median latency in ms")


def study(effects: list[float], *, repositories: int = 9, queries: int = 100) -> ScoreMatrix:
    """Return a study in which trials differ by their effects and a little noise."""
    return World(repositories, queries, FEW).matrix(np.random.default_rng(1), np.array(effects))


def text(found: Recommendation) -> str:
    """Return all that is said."""
    return "\n".join([*(one.text for one in found.statements), *found.warnings])


def test_the_cheapest_that_is_not_worse_is_advised_rather_than_the_best() -> None:
    found = recommend(study([0.0, 0.2, 0.203, 0.201]), NDCG, [1, 9, 8, 2], seed=1)

    assert found.cheapest == "t3"
    assert found.cheapest_regret is not None
    assert found.cheapest_regret < 0.02
    assert found.decided
    assert found.statements[0].text.startswith(
        "Ship t3: the cheapest trial (median latency in ms)"
    )
    assert "NDCG@10 at symbol level on these 9 repositories (900 queries)" in text(found)


def test_a_clear_winner_is_named_with_its_bound() -> None:
    found = recommend(study([0.0, 0.2, 0.05]), NDCG, seed=1)

    assert (found.winner, found.winner_kind) == ("t1", WinnerKind.WITHIN_MARGIN)
    assert found.may_be_best == ("t1",)
    assert found.regret_bound == 0
    assert found.cheapest is None
    assert "No costs are known" in text(found)
    assert "Winner within 0.02: t1" in text(found)


def test_few_queries_are_not_decidable_and_the_chances_of_more_are_said() -> None:
    found = recommend(study([0.0] * 8, queries=12), NDCG, [1.0] * 8, seed=1)

    assert not found.decided
    assert found.forecast is not None
    assert "Not decidable yet: 8 of 8 trials may be the best" in text(found)
    assert "2 times" in text(found)
    assert "10 times" in text(found)
    assert "shortlist" in text(found)


def test_likely_is_labelled_as_not_guaranteed() -> None:
    found = recommend(
        study([0.0, 0.0, 0.0], queries=30), Objective("MRR", "file", 0.015), [3, 2, 1], seed=1
    )

    assert found.cheapest is None
    assert found.likely is not None
    assert found.likely_chance is not None
    assert found.likely_chance >= 0.95
    assert "Likely, not guaranteed" in text(found)


def test_of_two_trials_the_bound_is_the_one_sided_interval() -> None:
    matrix = study([0.0, 0.01], queries=20)
    single = difference_here(matrix, "t0", "t1", confidence=0.90)

    found = select(matrix, None, Sampling(1, 40_000), margin=0.02, confidence=0.95)

    assert single.interval is not None
    bound = single.interval.high if found.best == 1 else -single.interval.low
    assert found.against_best.regret == pytest.approx(max(0.0, bound), abs=0.0005)


def test_identical_trials_are_level_and_the_cheapest_stands_for_them() -> None:
    matrix = study([0.0, 0.2])
    doubled = matrix.keep([0, 1])
    values = np.concatenate([doubled.values, doubled.values[:, 1:]], axis=1)
    tied = ScoreMatrix(values, matrix.repositories, ("a", "b", "twin"), matrix.queries)

    found = recommend(tied, NDCG, [5, 9, 3], seed=1)

    assert found.ties == (("twin", "b"),)
    assert found.best == found.cheapest == "twin"
    assert found.may_be_best == ("twin", "b")
    assert "Level on every query: twin, b" in text(found)
    twin = next(one for one in found.against_best if one.trial == "b")
    assert twin.here.adjusted_p == 1
    assert twin.here.together is None


def test_trials_that_are_all_identical_have_no_winner_but_a_cheapest() -> None:
    matrix = ScoreMatrix.of([[0.5, 0.5]] * 4, ["a"] * 4, ["dear", "cheap"])

    found = recommend(matrix, NDCG, [2, 1], seed=1)

    assert (found.winner, found.cheapest) == (None, "cheap")
    assert "same NDCG@10 at symbol level on every query" in text(found)


def test_one_trial_is_compared_with_nothing() -> None:
    found = recommend(study([0.0]), NDCG, [1.0], seed=1)

    assert not found.decided
    assert found.against_best == ()
    assert "One trial: nothing to compare" in text(found)
    assert found.warnings == ()


def test_the_two_questions_are_answered_apart() -> None:
    found = recommend(study([0.0, 0.1]), NDCG, [1, 2], seed=1)

    said = text(found)
    assert "On these repositories: t1 against t0 +0." in said
    assert "On repositories like these: t1 against t0 +0." in said
    assert "better in 9 of 9 repositories" in said


@pytest.mark.parametrize(
    ("repositories", "said"),
    [(1, "this holds on r0 only"), (2, "too few for an interval"), (3, "unless the difference")],
)
def test_few_repositories_are_said_to_be_few(repositories: int, said: str) -> None:
    found = recommend(study([0.0, 0.1], repositories=repositories), NDCG, [1, 2], seed=1)

    assert said in text(found)
    assert (found.elsewhere is None) is (repositories < 3)


def test_a_lone_query_leaves_everything_open() -> None:
    matrix = ScoreMatrix.of([[0, 1]] * 5, ["a"] * 4 + ["lone"], ["x", "y"])

    found = recommend(matrix, NDCG, [1, 2], seed=1)

    assert not found.decided
    assert "no test was made" in text(found)
    assert "lone has a single query" in text(found)


def test_big_grids_on_few_repositories_are_told_what_to_expect() -> None:
    found = recommend(study([0.0] * 24, queries=12), NDCG, [1.0] * 24, seed=1, draws=1_000)

    assert "nearly the whole grid" in text(found)


def test_looking_again_costs_confidence() -> None:
    matrix = study([0.0, 0.0, 0.0], queries=30)

    once = recommend(matrix, NDCG, [1, 2, 3], seed=1)
    twice = recommend(matrix, Objective("NDCG@10", "symbol", looks=2), [1, 2, 3], seed=1)

    assert once.regret_bound is not None
    assert twice.regret_bound is not None
    assert twice.regret_bound > once.regret_bound
    assert "divided by 2" in text(twice)


def test_the_same_seed_gives_the_same_recommendation() -> None:
    matrix = study([0.0, 0.01, 0.02], queries=20)

    first, again = (recommend(matrix, NDCG, [3, 2, 1], seed=7) for _ in range(2))

    assert first == again


def test_the_word_for_a_passed_test_never_stands_alone() -> None:
    for effects in ([0.0, 0.2], [0.0, 0.0], [0.0, 0.01, 0.02]):
        assert "significan" not in text(recommend(study(effects), NDCG, seed=1))


@pytest.mark.parametrize(
    ("margin", "threshold"), [(0.05, 0.8), (0.02, 0.8), (0.01, 0.9), (0.005, None)]
)
def test_a_probable_winner_needs_a_chance_that_depends_on_the_margin(
    margin: float, threshold: float | None
) -> None:
    assert probable_threshold(margin) == threshold


def test_costs_that_are_unknown_are_never_the_lowest() -> None:
    found = recommend(study([0.2, 0.2, 0.2]), NDCG, [None, float("nan"), 4.0], seed=1)

    assert found.cheapest == "t2"


def test_costs_are_given_for_every_trial() -> None:
    with pytest.raises(UsageError, match="2 for 3 trials"):
        recommend(study([0.0, 0.0, 0.0]), NDCG, [1, 2], seed=1)


@pytest.mark.parametrize("wrong", [{"margin": 0.0}, {"margin": float("nan")}, {"looks": 0}])
def test_an_objective_without_sense_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(UsageError, match=next(iter(wrong))):
        Objective("MRR", "file", **wrong)  # type: ignore[arg-type]


def test_an_unknown_baseline_is_refused() -> None:
    with pytest.raises(UsageError, match="is not in the scores"):
        recommend(study([0.0, 0.1]), Objective("MRR", "file", baseline="nobody"), seed=1)


def test_a_normal_bound_is_where_it_should_be() -> None:
    """One stratum of many queries: the best of two is behind by at most -d + 1.645 s."""
    matrix = World(1, 400).matrix(np.random.default_rng(2), np.array([0.0, 0.0]))
    apart = np.diff(matrix.values[:, :2], axis=1).ravel()
    expected = stats.norm.isf(0.05) * apart.std(ddof=1) / 400**0.5 - abs(apart.mean())

    found = recommend(matrix, NDCG, seed=1, draws=40_000)

    assert found.regret_bound == pytest.approx(max(0.0, expected), abs=0.0005)
