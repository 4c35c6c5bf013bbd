"""What is recommended, and when nothing is."""

import numpy as np
import pytest
from scipy import stats

from bench.analysis import (
    Caveat,
    FewRepositories,
    LoneQueries,
    Objective,
    Question,
    Sampling,
    ScoreMatrix,
    TooFewRepositories,
    WinnerKind,
    difference_here,
    recommend,
    select,
)
from bench.analysis.selection import probable_threshold
from bench.errors import UsageError
from tests.unit.analysis.simulations import FEW, World

OBJECTIVE = Objective()


def study(effects: list[float], *, repositories: int = 9, queries: int = 100) -> ScoreMatrix:
    """Return a study in which trials differ by their effects and a little noise."""
    return World(repositories, queries, FEW).matrix(np.random.default_rng(1), np.array(effects))


def test_the_cheapest_that_is_not_worse_is_advised_rather_than_the_best() -> None:
    found = recommend(study([0.0, 0.2, 0.203, 0.201]), OBJECTIVE, [1, 9, 8, 2], seed=1)

    assert found.cheapest == "t3"
    assert found.cheapest_regret is not None
    assert found.cheapest_regret < 0.02
    assert found.decided
    assert (found.queries, len(found.repositories)) == (900, 9)


def test_a_clear_winner_is_named_with_its_bound() -> None:
    found = recommend(study([0.0, 0.2, 0.05]), OBJECTIVE, seed=1)

    assert (found.winner, found.winner_kind) == ("t1", WinnerKind.WITHIN_MARGIN)
    assert found.may_be_best == ("t1",)
    assert found.regret_bound == 0
    assert found.cheapest is None
    assert not found.priced


def test_few_queries_are_not_decidable_and_have_a_forecast() -> None:
    found = recommend(study([0.0] * 8, queries=12), OBJECTIVE, [1.0] * 8, seed=1)

    assert not found.decided
    assert found.forecast is not None
    assert len(found.may_be_best) == 8
    assert [factor for factor, _ in found.forecast.chances] == [2, 4, 10]


def test_likely_is_named_where_nothing_is_guaranteed() -> None:
    found = recommend(study([0.0, 0.0, 0.0], queries=30), Objective(0.015), [3, 2, 1], seed=1)

    assert found.cheapest is None
    assert found.likely is not None
    assert found.likely_chance is not None
    assert found.likely_chance >= 0.95


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

    found = recommend(tied, OBJECTIVE, [5, 9, 3], seed=1)

    assert found.ties == (("twin", "b"),)
    assert found.best == found.cheapest == "twin"
    assert found.may_be_best == ("twin", "b")
    twin = next(one for one in found.against_best if one.trial == "b")
    assert twin.here.adjusted_p == 1
    assert twin.here.together is None


def test_trials_that_are_all_identical_have_no_winner_but_a_cheapest() -> None:
    matrix = ScoreMatrix.of([[0.5, 0.5]] * 4, ["a"] * 4, ["dear", "cheap"])

    found = recommend(matrix, OBJECTIVE, [2, 1], seed=1)

    assert (found.winner, found.cheapest) == (None, "cheap")
    assert found.against_best == ()


def test_one_trial_is_compared_with_nothing() -> None:
    found = recommend(study([0.0]), OBJECTIVE, [1.0], seed=1)

    assert not found.decided
    assert found.against_best == ()
    assert found.caveats == ()


def test_the_two_questions_are_answered_apart() -> None:
    found = recommend(study([0.0, 0.1]), OBJECTIVE, [1, 2], seed=1)

    (compared,) = found.against_baseline
    assert (compared.trial, compared.against) == ("t1", "t0")
    assert compared.elsewhere is not None
    assert compared.here.alone.question is Question.HERE
    assert compared.elsewhere.alone.question is Question.ELSEWHERE
    assert compared.signs.better == 9


@pytest.mark.parametrize(
    ("repositories", "caveat"),
    [
        (1, TooFewRepositories(("r0",))),
        (2, TooFewRepositories(("r0", "r1"))),
        (3, FewRepositories(3)),
    ],
)
def test_few_repositories_are_a_caveat(repositories: int, caveat: Caveat) -> None:
    found = recommend(study([0.0, 0.1], repositories=repositories), OBJECTIVE, [1, 2], seed=1)

    assert caveat in found.caveats
    assert (found.elsewhere is None) is (repositories < 3)


def test_a_lone_query_leaves_everything_open() -> None:
    matrix = ScoreMatrix.of([[0, 1]] * 5, ["a"] * 4 + ["lone"], ["x", "y"])

    found = recommend(matrix, OBJECTIVE, [1, 2], seed=1)

    assert not found.decided
    assert found.against_best == ()
    assert LoneQueries(("lone",)) in found.caveats


def test_looking_again_costs_confidence() -> None:
    matrix = study([0.0, 0.0, 0.0], queries=30)

    once = recommend(matrix, OBJECTIVE, [1, 2, 3], seed=1)
    twice = recommend(matrix, Objective(looks=2), [1, 2, 3], seed=1)

    assert once.regret_bound is not None
    assert twice.regret_bound is not None
    assert twice.regret_bound > once.regret_bound
    assert twice.objective.confidence == pytest.approx(0.975)


def test_the_same_seed_gives_the_same_recommendation() -> None:
    matrix = study([0.0, 0.01, 0.02], queries=20)

    first, again = (recommend(matrix, OBJECTIVE, [3, 2, 1], seed=7) for _ in range(2))

    assert first == again


@pytest.mark.parametrize(
    ("margin", "threshold"), [(0.05, 0.8), (0.02, 0.8), (0.01, 0.9), (0.005, None)]
)
def test_a_probable_winner_needs_a_chance_that_depends_on_the_margin(
    margin: float, threshold: float | None
) -> None:
    assert probable_threshold(margin) == threshold


def test_costs_that_are_unknown_are_never_the_lowest() -> None:
    found = recommend(study([0.2, 0.2, 0.2]), OBJECTIVE, [None, float("nan"), 4.0], seed=1)

    assert found.cheapest == "t2"


def test_costs_are_given_for_every_trial() -> None:
    with pytest.raises(UsageError, match="2 for 3 trials"):
        recommend(study([0.0, 0.0, 0.0]), OBJECTIVE, [1, 2], seed=1)


@pytest.mark.parametrize("wrong", [{"margin": 0.0}, {"margin": float("nan")}, {"looks": 0}])
def test_an_objective_without_sense_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(UsageError, match=next(iter(wrong))):
        Objective(**wrong)  # type: ignore[arg-type]


def test_an_unknown_baseline_is_refused() -> None:
    with pytest.raises(UsageError, match="is not in the scores"):
        recommend(study([0.0, 0.1]), Objective(baseline="nobody"), seed=1)


def test_a_normal_bound_is_where_it_should_be() -> None:
    """One stratum of many queries: the best of two is behind by at most -d + 1.645 s."""
    matrix = World(1, 400).matrix(np.random.default_rng(2), np.array([0.0, 0.0]))
    apart = np.diff(matrix.values[:, :2], axis=1).ravel()
    expected = stats.norm.isf(0.05) * apart.std(ddof=1) / 400**0.5 - abs(apart.mean())

    found = recommend(matrix, OBJECTIVE, seed=1, draws=40_000)

    assert found.regret_bound == pytest.approx(max(0.0, expected), abs=0.0005)
