"""One weighting for all repositories: of the highest macro mean, of equals the nearest."""

from typing import Any

import numpy as np
import pytest

from bench.errors import ArtifactError
from bench.stages import ChooseWeights, ScoreWeights, Weighing, WeightScores
from bench.stages.sources import Ask

WEIGHING = Weighing((0.5, 0.5), 2, "ndcg_at_10", "file", 10)
NAN = float("nan")
# The weightings, nearest to the recipe first: halves, all of the second, all of the first.


class Tables:
    """Gives each repository's table to the stage that asks for it."""

    def __init__(self, tables: list[list[list[float]]]) -> None:
        self.tables = [WeightScores(np.array(one, np.float32)) for one in tables]

    def __call__(self, stage: Any, /) -> Any:
        """Return the table that has the number of the stage's query."""
        return self.tables[stage.queries[0]]


def chosen(tables: list[list[list[float]]], names: tuple[str, ...]) -> tuple[float, ...]:
    """Return the weights that are chosen from tables of queries x weightings."""
    asked: Any = Ask(("a query",))
    scored = tuple(
        ScoreWeights((asked,), asked, asked, asked, (number,), WEIGHING)
        for number in range(len(tables))
    )
    read: Any = Tables(tables)  # neither caches nor counters are needed
    return ChooseWeights(scored, names, WEIGHING).run(read).weights


def test_repositories_count_alike_however_many_queries_they_have() -> None:
    """By queries the second weighting would win: 2/3 against 1/2 of the third."""
    many, few = [[0.0, 0.6, 0.0]] * 10, [[0.0, 0.0, 1.0]]

    assert chosen([many, few], ("many", "few")) == (1, 0)


def test_two_commits_of_a_repository_are_one_repository() -> None:
    """As in every mean of a study."""
    one, same, other = [[0.0, 0.6, 0.0]], [[0.0, 0.6, 0.0]], [[0.0, 0.0, 0.7]]

    assert chosen([one, same, other], ("a", "a", "b")) == (1, 0)
    assert chosen([one, same, other], ("a", "b", "c")) == (0, 1)


def test_of_equals_the_nearest_to_the_recipe_is_taken() -> None:
    """Also where the sums differ in their last bits."""
    rows = [[0.1, 0.3, 0.2], [0.2, 0.1, 0.3], [0.3, 0.2, 0.1]]

    assert chosen([rows], ("a",)) == (0.5, 0.5)


def test_queries_without_targets_choose_nothing() -> None:
    """And where there are no others, there is no choice."""
    assert chosen([[[NAN, NAN, NAN], [0.0, 0.0, 1.0]]], ("a",)) == (1, 0)
    with pytest.raises(ArtifactError, match="no query of the tune half has a target"):
        chosen([[[NAN, NAN, NAN]]], ("a",))
