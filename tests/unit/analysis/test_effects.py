"""What an axis does, by hand arithmetic on grids small enough to see."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from bench.analysis import (
    Sampling,
    ScoreMatrix,
    axis_contrasts,
    difference_elsewhere,
    difference_here,
    effects_by_group,
    effects_of,
    interaction_contrasts,
    sign_count,
)
from bench.analysis.effects import Settings

SAMPLING = Sampling(seed=0, draws=2_000)
GRID: list[Settings] = [{"chunk": c, "rerank": r} for c, r in product((512, 1024), ("on", "off"))]


def matrix_of(values: object, *, repositories: list[str] | None = None) -> ScoreMatrix:
    """Return scores of four trials; without names all rows are of one repository."""
    table = np.array(values, np.float64)
    owners = repositories or ["shop"] * len(table)
    return ScoreMatrix.of(table, owners, [f"t{place}" for place in range(table.shape[1])])


def test_an_axis_is_averaged_over_the_other_one() -> None:
    """Off instead of on: (.2-.1 + .8-.4)/2 = .25 on the first query, 0 on the second."""
    matrix = matrix_of([[0.1, 0.2, 0.4, 0.8], [0.5, 0.5, 0.5, 0.5]])

    chunk, rerank = effects_of(axis_contrasts(GRID), matrix, SAMPLING)

    assert (rerank.name, rerank.value, rerank.against, rerank.pairs) == (
        "rerank=off",
        "off",
        "on",
        2,
    )
    assert rerank.size == pytest.approx((0.25 + 0) / 2)
    assert chunk.size == pytest.approx(((0.3 + 0.6) / 2 + 0) / 2)


def test_the_interval_is_that_of_the_paired_t_test_on_the_averages() -> None:
    """An oracle: average first, then compare two columns."""
    values = np.random.default_rng(3).random((40, 4))
    oracle = stats.ttest_rel(values[:, [1, 3]].mean(axis=1), values[:, [0, 2]].mean(axis=1))

    _, rerank = effects_of(axis_contrasts(GRID), matrix_of(values), SAMPLING)

    assert rerank.here is not None
    assert rerank.here.alone.p_two_sided == pytest.approx(oracle.pvalue)
    assert rerank.here.alone.interval is not None
    assert rerank.here.alone.interval.low == pytest.approx(oracle.confidence_interval().low)


def test_an_axis_of_two_trials_is_their_difference_under_both_questions() -> None:
    """Nothing to average over: the same numbers as comparing the two."""
    values = np.random.default_rng(4).random((30, 2))
    matrix = matrix_of(values, repositories=["a"] * 10 + ["b"] * 8 + ["c"] * 12)
    here, there = (f(matrix, "t1", "t0") for f in (difference_here, difference_elsewhere))

    (found,) = effects_of(axis_contrasts([{"k": 1}, {"k": 2}]), matrix, SAMPLING)

    assert found.here is not None
    assert found.elsewhere is not None
    assert found.here.alone.value == pytest.approx(here.value)
    assert found.here.alone.standard_error == pytest.approx(here.standard_error)
    assert found.elsewhere.alone.standard_error == pytest.approx(there.standard_error)
    signs = sign_count(matrix, "t1", "t0")
    assert (found.signs.better, found.signs.worse) == (signs.better, signs.worse) == (1, 2)


def test_a_setting_that_a_trial_does_not_have_is_equal_to_any() -> None:
    """bm25 has no weight: hybrid at both weights is set against it, and the weights apart."""
    settings: list[Settings] = [
        {"retriever": "bm25"},
        {"retriever": "hybrid", "weight": 0.3},
        {"retriever": "hybrid", "weight": 0.7},
    ]

    found = effects_of(
        axis_contrasts(settings), matrix_of([[0.1, 0.4, 0.6], [0.1, 0.2, 0.8]]), SAMPLING
    )

    assert [(one.name, one.pairs) for one in found] == [("retriever=hybrid", 2), ("weight=0.7", 1)]
    assert [one.size for one in found] == pytest.approx([0.4, 0.4])


def test_an_axis_that_never_varies_alone_has_no_effect() -> None:
    """Both settings changed together: nobody can say which of them it was."""
    together: list[Settings] = [{"chunk": 1, "rerank": "on"}, {"chunk": 2, "rerank": "off"}]

    assert axis_contrasts(together) == ()


def test_an_interaction_is_a_difference_of_differences() -> None:
    """Off-on at 1024 is .4, at 512 .1: it does .3 more there."""
    matrix = matrix_of([[0.1, 0.2, 0.4, 0.8], [0.1, 0.2, 0.4, 0.8]])

    (found,) = effects_of(interaction_contrasts(GRID), matrix, SAMPLING)

    assert found.name == "chunk=1024 with rerank=off"
    assert found.size == pytest.approx(0.3)


def test_additive_axes_do_not_interact() -> None:
    """What one does is the same wherever the other stands."""
    random = np.random.default_rng(5)
    base, chunk, rerank = random.random((3, 50, 1))
    values = np.hstack([base, base + rerank, base + chunk, base + chunk + rerank])

    (found,) = effects_of(interaction_contrasts(GRID), matrix_of(values), SAMPLING)

    assert found.size == 0
    assert found.here is not None
    assert found.here.alone.p_two_sided == 1


def test_groups_are_measured_on_their_own_queries() -> None:
    """Easy queries gain .2, hard ones lose .1; a query without a group counts in none."""
    matrix = matrix_of([[0, 0.2], [0.5, 0.7], [0.5, 0.4], [0.3, 0.2], [0, 1]])
    groups = ["easy", "easy", "hard", "hard", ""]

    found = effects_by_group(axis_contrasts([{"k": 1}, {"k": 2}]), matrix, groups, SAMPLING)

    assert {name: pytest.approx(one.size) for name, (one,) in found.items()} == {
        "easy": 0.2,
        "hard": -0.1,
    }


def test_a_lone_query_of_a_repository_is_left_out_of_its_group() -> None:
    """Its error could not be known, and it would weigh as much as a whole repository."""
    matrix = matrix_of([[0, 0.2], [0, 0.4], [0, 1.0]], repositories=["a", "a", "b"])

    found = effects_by_group(axis_contrasts([{"k": 1}, {"k": 2}]), matrix, ["g"] * 3, SAMPLING)

    assert found["g"][0].size == pytest.approx(0.3)
    assert found["g"][0].queries == 2


def test_lone_queries_leave_a_size_without_an_interval() -> None:
    """A number may be said; how sure it is may not."""
    matrix = matrix_of([[0, 0.2], [0, 0.4]], repositories=["a", "b"])

    (found,) = effects_of(axis_contrasts([{"k": 1}, {"k": 2}]), matrix, SAMPLING)

    assert found.size == pytest.approx(0.3)
    assert found.here is None


def test_the_intervals_of_all_effects_hold_at_once_as_often_as_promised() -> None:
    """300 studies of 6 trials, 3 repositories of 15 queries and a planted effect of each axis."""
    grid: list[Settings] = [{"a": a, "b": b} for a, b in product((1, 2, 3), (1, 2))]
    planted = np.array([0.1 * (one["a"] == 2) - 0.05 * (one["b"] == 2) for one in grid])
    truth = {"a=2": 0.1, "a=3": 0.0, "b=2": -0.05}
    random = np.random.default_rng(11)
    repositories = [name for name in "xyz" for _ in range(15)]

    held = 0
    for _ in range(300):
        values = random.normal(0.5, 0.2, (45, 1)) + random.normal(0, 0.15, (45, 6)) + planted
        matrix = matrix_of(values, repositories=repositories)
        found = effects_of(axis_contrasts(grid), matrix, Sampling(seed=0, draws=500))
        held += all(
            one.here is not None
            and one.here.together is not None
            and one.here.together.low <= truth[one.name] <= one.here.together.high
            for one in found
        )

    # 95 % promised; 300 studies err by 1.3 points, three of which are allowed
    assert 0.95 - 3 * 0.0126 <= held / 300 <= 1.0
    assert held < 300
