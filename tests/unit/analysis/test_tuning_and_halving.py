"""What a tuned setting is worth, and which trials need not see more queries."""

import numpy as np
import pytest

from bench.analysis import (
    Sampling,
    ScoreMatrix,
    own_choices,
    round_sizes,
    stop_trailing,
    tuned_score,
)
from bench.errors import UsageError
from tests.unit.analysis.simulations import World

SAMPLING = Sampling(1)


def test_leaving_a_repository_out_by_hand() -> None:
    """Without a: y leads (b .6, c .7), worth .1 on a; without b or c: x (a 1), worth .2 and .3."""
    values = [[1.0, 0.1]] * 5 + [[0.2, 0.6]] * 5 + [[0.3, 0.7]] * 5
    matrix = ScoreMatrix.of(values, ["a"] * 5 + ["b"] * 5 + ["c"] * 5, ["x", "y"])

    found = tuned_score(matrix, SAMPLING)

    assert found.chosen == "x"
    assert found.in_sample == pytest.approx(0.5)
    assert found.expected_here == pytest.approx(0.5)
    assert found.without == (("a", "y"), ("b", "x"), ("c", "x"))
    assert found.expected_elsewhere == pytest.approx((0.1 + 0.2 + 0.3) / 3)


def test_chance_alone_looks_good_only_on_the_queries_that_chose_it() -> None:
    random = np.random.default_rng(2)
    names = list(map(str, range(500)))

    found = [
        tuned_score(ScoreMatrix.of(random.random((60, 500)), ["a"] * 60, names), SAMPLING)
        for _ in range(40)
    ]

    assert np.mean([one.in_sample for one in found]) > 0.58
    assert np.mean([one.expected_here for one in found]) == pytest.approx(0.5, abs=0.025)
    assert all(one.expected_elsewhere is None for one in found)


def test_a_repository_smaller_than_the_folds_is_still_scored_outside_its_choice() -> None:
    values = np.tile([0.2, 0.4], (3, 1))
    matrix = ScoreMatrix.of(values, ["a", "a", "b"], ["x", "y"])

    found = tuned_score(matrix, SAMPLING)

    assert found.expected_here == pytest.approx(0.4)


def test_one_query_cannot_choose_and_score() -> None:
    with pytest.raises(UsageError, match="at least 2"):
        tuned_score(ScoreMatrix.of([[0.0, 1.0]], ["a"], ["x", "y"]), SAMPLING)


def test_own_choices_by_hand() -> None:
    """x is best for all (.8 against .7), but b would take y: worth .4 there, nothing on a."""
    values = [[1.0, 0.4]] * 5 + [[0.6, 1.0]] * 5
    found = own_choices(ScoreMatrix.of(values, ["a"] * 5 + ["b"] * 5, ["x", "y"]), SAMPLING)

    assert found is not None
    assert dict(found.by_repository) == pytest.approx({"a": 0.0, "b": 0.4})
    assert found.gain.value == pytest.approx(0.2)


@pytest.mark.parametrize(("apart", "is_worth_it"), [(0.0, False), (0.2, True)])
def test_own_choices_are_worth_it_where_repositories_differ(
    apart: float, is_worth_it: bool
) -> None:
    random, world = np.random.default_rng(3), World(6, 40, apart=apart)

    found = [own_choices(world.matrix(random, np.zeros(6)), SAMPLING) for _ in range(40)]

    shown = [one.gain.interval.low > 0 for one in found if one and one.gain.interval]
    assert len(shown) == 40
    assert np.mean(shown) == 1.0 if is_worth_it else np.mean(shown) <= 0.15


def test_one_repository_has_no_choice_to_make() -> None:
    matrix = ScoreMatrix.of([[0.0, 1.0], [1.0, 0.0]], ["a", "a"], ["x", "y"])

    assert own_choices(matrix, SAMPLING) is None


@pytest.mark.parametrize(
    ("most", "sizes"),
    [(3, (3,)), (4, (4,)), (10, (4, 8, 10)), (24, (4, 8, 16, 24)), (30, (4, 8, 16, 24, 30))],
)
def test_rounds_end_with_all_queries(most: int, sizes: tuple[int, ...]) -> None:
    assert round_sizes(most) == sizes


def test_what_is_clearly_behind_stops_and_says_by_how_much() -> None:
    matrix = World(9, 24).matrix(np.random.default_rng(1), np.array([0.5, 0.0, 0.49]))

    found = stop_trailing(matrix)

    assert found.kept == ("t0", "t2")
    (stopped,) = found.stopped
    assert stopped.trial == "t1"
    assert stopped.behind == pytest.approx(matrix.means[0] - matrix.means[1])
    assert stopped.standard_errors >= 3
    assert stopped.queries == 216


def test_few_queries_stop_nobody_who_is_three_plain_errors_behind() -> None:
    """Of four queries t has 3 degrees: 3 of its errors are as rare as 2 of a normal one."""
    apart = np.array([1.0, 0.4, 0.7, 0.2])
    matrix = ScoreMatrix.of(np.stack([apart, np.zeros(4)], axis=1), ["a"] * 4, ["x", "y"])
    plain = apart.mean() / (apart.std(ddof=1) / 2)

    found = stop_trailing(matrix)

    assert plain > 3
    assert found.stopped == ()


def test_equal_trials_and_a_lone_one_stay() -> None:
    matrix = ScoreMatrix.of([[0.1, 0.1]] * 4, ["a"] * 4, ["x", "y"])

    assert stop_trailing(matrix).kept == ("x", "y")
    assert stop_trailing(matrix.keep([0])).kept == ("x",)
