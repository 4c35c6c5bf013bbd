"""The oracle reaches what the chunks allow; popularity is learnt from the other queries only."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.measures import Answers, Measure, Results, oracle, parse_measure, popular, score
from bench.measures.matching import LEVELS
from bench.queries import Judgements
from bench.stages.reference_rankers import chance
from tests.unit.measures.even_text import chunks_of, even_rule, judged_lines
from tests.unit.measures.test_token_budgets import Case, cases

RULE = even_rule(2, 50)
THREE = chunks_of([(0, 1, 9), (0, 10, 20), (0, 21, 30)])
"""Lines 1 to 9, 10 to 20 and 21 to 30 of one file."""


def answers_of(*targets: tuple[int, int, int, int]) -> Answers:
    """Return the answers to targets in one file: query, first line, last line, grade."""
    rows = [(query, 2, 0, start, end, grade) for query, start, end, grade in targets]
    return Answers.of(THREE, judged_lines(rows), RULE)


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
    best = oracle(Answers.of(chunks, judgements, case.rule()), chunks, 2)
    measures = [
        Measure("recall", Results(100)),
        Measure("recall_ceiling"),
        Measure("hit", Results(1)),
    ]

    rules: dict[str, Any] = {"query_count": 2, "rule": case.rule()}
    scores = score(best, chunks, judgements, lines, measures=measures, **rules)

    for recall, ceiling, first in scores.values[:, 1]:
        assert recall == pytest.approx(ceiling)
        assert first == (ceiling > 0)


TWO_FILES = chunks_of([(0, 1, 9), (0, 10, 20), (1, 1, 10)])
"""Lines 1 to 9 and 10 to 20 of one file, the second chunk longer, and a second file."""


def rows_of(*targets: tuple[int, int, int, int, int]) -> list[tuple[int, ...]]:
    """Return targets (query, level, document, first line, last line) and what they project to."""
    return [
        (query, number, *place, 1)
        for query, level, *place in targets
        for number in range(level + 1)
    ]


@pytest.mark.parametrize(
    ("level", "rankings"),
    [("file", [[0, 2], [2], [0]]), ("symbol", [[1], [2], [0]]), ("span", [[1], [2], []])],
)
def test_the_oracle_answers_queries_of_mixed_levels_at_the_level_of_the_study(
    level: str, rankings: list[list[int]]
) -> None:
    """Query 0 wants a symbol and a file, query 1 a file, query 2 a file and a missing span."""
    symbol, file, other = (0, 1, 0, 12, 15), (0, 0, 1, 1, 10), (1, 0, 1, 1, 10)
    judgements = rows_of(symbol, file, other, (2, 0, 0, 1, 20), (2, 1, 0, 2, 3), (2, 2, 0, 40, 41))

    found = oracle(
        Answers.of(TWO_FILES, judged_lines(judgements), RULE, level=level), TWO_FILES, 3
    )

    assert [found.of_query(query)[0].tolist() for query in range(3)] == rankings


def test_alternatives_in_one_chunk_are_one_gain() -> None:
    """The first chunk has both places of a target of grade 1, the second a target of grade 2."""
    rows = [(0, 2, 0, 2, 3, 1, 7), (0, 2, 0, 5, 6, 1, 7), (0, 2, 0, 12, 15, 2, 0)]

    found = oracle(Answers.of(TWO_FILES, judged_lines(rows), RULE), TWO_FILES, 1)

    assert found.of_query(0)[0].tolist() == [1, 0]


@given(cases() | cases(apart=True), st.lists(st.integers(0, 2), min_size=5, max_size=5))
def test_no_ranking_is_better_than_the_oracle_at_the_level_of_the_study(
    case: Case, levels: list[int]
) -> None:
    """Query 1 has targets of mixed levels, query 0 wants their files only."""
    rankings, chunks, _, lines = case.arrays()
    mixed = [(1, level, *target[:3]) for target, level in zip(case.targets, levels, strict=False)]
    rows = rows_of(*mixed, *((0, 0, *target[:3]) for target in case.targets))
    places = [(*row[:3], *case.bytes((row[2], row[3], row[4])), row[5]) for row in rows]
    judgements = Judgements(*np.array(places, np.int32).T)
    names = ("mrr", "hit_at_1", "recall_at_10", "ndcg_at_3", "ndcg_at_10", "map_at_10")
    rule = case.rule()
    measures = tuple(map(parse_measure, names))
    rules: dict[str, Any] = {"query_count": 2, "rule": rule, "measures": measures}

    for level in LEVELS[: max(levels[: len(mixed)]) + 1]:
        best = oracle(Answers.of(chunks, judgements, rule, level=level), chunks, 2)
        theirs, ours = (
            score(each, chunks, judgements, lines, **rules) for each in (rankings, best)
        )
        for name in names:
            gap = ours.of(level, name) - theirs.of(level, name)
            assert np.nanmin(gap) >= -1e-9, (level, name)


def test_chance_is_the_same_for_the_same_query_and_seed_only() -> None:
    """It is random, and repeatable."""
    first, again = chance("where is it", 50, 0), chance("where is it", 50, 0)

    assert first.tolist() == again.tolist()
    assert first.tolist() != chance("where is it", 50, 1).tolist()
    assert first.tolist() != chance("where was it", 50, 0).tolist()
