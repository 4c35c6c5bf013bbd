"""The oracle reaches what the chunks allow; popularity is learnt from the other queries only."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given

from bench.judgements import Judgements
from bench.measures import Answers, Measure, Results, oracle, popular, score
from bench.stages.bounds import chance
from retrievers.interface import Chunks
from tests.unit.measures.test_token_budgets import Case, cases

ENDS = ([0, 0, 0], [0, 9, 20], [9, 20, 30], [1, 10, 21], [9, 20, 30], [0, 9, 20], [9, 20, 30])
COLUMNS: list[Any] = [np.array(column, np.int32) for column in ENDS]
THREE = Chunks(*COLUMNS)
"""Lines 1 to 9, 10 to 20 and 21 to 30 of one file."""


def answers_of(*targets: tuple[int, int, int, int]) -> Answers:
    """Return the answers to targets in one file: query, first line, last line, grade."""
    rows = [(query, 2, 0, start, end, grade) for query, start, end, grade in targets]
    return Answers.of(THREE, Judgements(*np.array(rows, np.int32).T))


def test_the_oracle_shows_the_highest_grade_first_and_nothing_twice() -> None:
    """Lines 10 to 20 have grade 2; lines 3 to 4 and 5 to 6 are both in the first chunk."""
    answers = answers_of((0, 3, 4, 1), (0, 5, 6, 2), (0, 12, 15, 2), (1, 25, 26, 1))

    found = oracle(answers, THREE, 3)

    assert [found.of_query(query)[0].tolist() for query in range(3)] == [[0, 1], [2], []]


def test_the_most_popular_chunks_answer_the_most_of_the_others() -> None:
    """Query 0 and 1 want the second chunk, query 2 the third: each sees what the others want."""
    answers = answers_of((0, 12, 15, 1), (1, 16, 18, 1), (2, 25, 26, 1))

    found = popular(answers, 3)

    assert [found.of_query(query)[0].tolist() for query in range(3)] == [[1, 2], [1, 2], [1]]


@given(cases() | cases(apart=True))
def test_the_oracle_reaches_the_recall_ceiling(case: Case) -> None:
    """And its first hit is right, if any chunk is."""
    _, chunks, judgements, lines = case.arrays()
    best = oracle(Answers.of(chunks, judgements, overlap=case.overlap), chunks, 2)
    measures = [
        Measure("recall", Results(100)),
        Measure("recall_ceiling"),
        Measure("hit", Results(1)),
    ]

    scores = score(
        best, chunks, judgements, lines, query_count=2, measures=measures, overlap=case.overlap
    )

    for recall, ceiling, first in scores.values[:, 1]:
        assert recall == pytest.approx(ceiling)
        assert first == (ceiling > 0)


def test_chance_is_the_same_for_the_same_query_and_seed_only() -> None:
    """It is random, and repeatable."""
    first, again = chance("where is it", 50, 0), chance("where is it", 50, 0)

    assert first.tolist() == again.tolist()
    assert first.tolist() != chance("where is it", 50, 1).tolist()
    assert first.tolist() != chance("where was it", 50, 0).tolist()
