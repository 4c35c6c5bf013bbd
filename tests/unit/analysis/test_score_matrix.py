"""The table of scores: what it holds, what it refuses."""

import numpy as np
import pytest

from bench.analysis import ScoreMatrix
from bench.errors import UsageError


def test_rows_of_a_repository_are_brought_together() -> None:
    matrix = ScoreMatrix.of([[1], [2], [3], [4]], ["b", "a", "b", "a"], ["t"])

    assert matrix.repositories == ("b", "b", "a", "a")
    assert matrix.values[:, 0].tolist() == [1, 3, 2, 4]
    assert matrix.counts.tolist() == [2, 2]


def test_means_are_macro_over_repositories() -> None:
    matrix = ScoreMatrix.of([[0.0], [0.0], [0.0], [1.0]], ["a", "a", "a", "b"], ["t"])

    assert matrix.means.tolist() == [0.5]
    assert (matrix.weights @ matrix.values).tolist() == [0.5]


def test_queries_about_one_target_are_one_unit() -> None:
    matrix = ScoreMatrix.of(
        [[0.0], [1.0], [1.0], [0.0], [0.0]],
        ["a", "a", "a", "b", "b"],
        ["t"],
        targets=["x", "x", "", "x", ""],
    )

    assert matrix.values[:, 0].tolist() == [0.5, 1.0, 0.0, 0.0]
    assert (matrix.units, matrix.queries) == (4, 5)


@pytest.mark.parametrize("hole", [np.nan, np.inf])
def test_a_row_without_a_score_is_refused_by_trial_and_row(hole: float) -> None:
    values = [[1.0, 1.0], [1.0, hole]]

    with pytest.raises(UsageError, match=r"1 of 2 rows have no score under second \(first: row 1"):
        ScoreMatrix.of(values, ["a", "a"], ["first", "second"])


@pytest.mark.parametrize(
    ("values", "repositories", "trials"),
    [
        ([[1.0, 2.0]], ["a"], ["one"]),
        ([[1.0]], ["a", "b"], ["one"]),
        ([[1.0, 2.0]], ["a"], ["one", "one"]),
        ([[]], ["a"], []),
    ],
)
def test_shapes_and_names_that_do_not_fit_are_refused(
    values: list[list[float]], repositories: list[str], trials: list[str]
) -> None:
    with pytest.raises(UsageError, match="score matrix"):
        ScoreMatrix.of(values, repositories, trials)


def test_rows_that_are_not_sorted_are_refused_by_the_table_itself() -> None:
    with pytest.raises(UsageError, match=r"ScoreMatrix\.of"):
        ScoreMatrix(np.zeros((3, 1)), ("a", "b", "a"), ("t",), 3)


def test_targets_are_given_for_every_row() -> None:
    with pytest.raises(UsageError, match="1 targets for 2 rows"):
        ScoreMatrix.of([[1.0], [1.0]], ["a", "a"], ["t"], targets=["x"])


def test_an_unknown_trial_is_answered_with_the_nearest() -> None:
    matrix = ScoreMatrix.of([[1.0, 2.0]], ["a"], ["hybrid", "dense"])

    with pytest.raises(UsageError, match="did you mean hybrid"):
        matrix.place("hybrd")


def test_scores_cannot_be_changed_afterwards() -> None:
    matrix = ScoreMatrix.of([[1.0]], ["a"], ["t"])

    with pytest.raises(ValueError, match="read-only"):
        matrix.values[0, 0] = 2.0
