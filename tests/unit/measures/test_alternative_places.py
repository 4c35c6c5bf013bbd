"""A target with alternatives is one target, whichever of its places is found."""

from math import log2
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.measures import (
    DUPLICATE,
    RELEVANT,
    Measure,
    Scores,
    Targets,
    match,
    parse_measure,
    score,
)
from bench.queries.resolved import Judgements
from tests.unit.measures.even_text import judged_lines
from tests.unit.measures.test_matching import RULE, hits_of
from tests.unit.measures.test_text_measures import SHARES
from tests.unit.measures.test_token_budgets import Case

Row = tuple[int, int, int, int, int]
"""Document, first line, last line, grade, choice."""
TEN = [[10] * 10]


def judged(rows: list[Row], level: int = 2) -> Judgements:
    """Return judgements of query 1."""
    return judged_lines([(1, level, *row) for row in rows])


def scored(case: Case, rows: list[Row], *measures: Measure) -> Scores:
    """Score the case's ranking on other judgements."""
    rankings, chunks, _, tokens = case.arrays()
    rules: dict[str, Any] = {"query_count": 2, "rule": case.rule(), "measures": measures}
    return score(rankings, chunks, judged(rows), tokens, **rules)


def test_the_first_place_found_has_the_credit_and_the_others_are_duplicates() -> None:
    """Credit a target once, wherever it is found."""
    hits = hits_of([[], [(0, 50, 59), (1, 1, 10), (0, 1, 10), (0, 30, 39)]])
    targets = Targets.at(judged([(0, 1, 10, 1, 4), (1, 1, 10, 1, 4), (0, 30, 39, 1, 0)]), 2)

    matches = match(hits, targets, RULE)

    assert len(targets) == 2
    assert sorted(matches.rank.tolist()) == [2, 4]
    assert matches.credit.tolist() == [0, RELEVANT, DUPLICATE, RELEVANT]


def test_numbers_by_hand() -> None:
    """Find all of two targets, of which one has two places, at ranks 2 and 3."""
    case = Case(TEN, [(0, 1, 2), (0, 3, 4), (0, 5, 6), (0, 7, 8)], [3, 1, 0, 2], [])
    rows: list[Row] = [(0, 3, 4, 2, 1), (0, 5, 6, 2, 1), (0, 1, 2, 1, 0)]
    names = ("recall_at_3", "ndcg_at_10", "map_at_10", "precision_at_4", "duplicates_at_4")

    found = scored(case, rows, *map(parse_measure, names))

    gain = 2 / log2(3) + 1 / log2(4)
    ideal = 2 / log2(2) + 1 / log2(3)
    expected = (1, gain / ideal, (1 / 2 + 2 / 3) / 2, 2 / 4, 1 / 4)
    assert found.values[0, 1].tolist() == pytest.approx(expected)


def test_right_text_is_the_place_that_was_found_else_the_shortest() -> None:
    """Ask for the text of one place, not of all."""
    case = Case(TEN, [(0, 1, 4), (0, 5, 5), (0, 8, 10)], [0], [])
    either: list[Row] = [(0, 1, 4, 1, 1), (0, 5, 5, 1, 1)]
    neither: list[Row] = [(0, 8, 10, 1, 1), (0, 5, 5, 1, 1)]

    recalls = [
        scored(
            case, rows, parse_measure("token_recall_at_1"), parse_measure("precision_omega")
        ).values[0, 1]
        for rows in (either, neither)
    ]

    assert recalls[0].tolist() == [1, 1]  # the shortest is a chunk of its own
    assert recalls[1].tolist() == [0, 1]


def test_a_budget_finds_the_place_that_comes_first() -> None:
    """Need the fewest characters of the hit that matches several places."""
    case = Case(TEN, [(0, 1, 10)], [0], [])
    rows: list[Row] = [(0, 7, 8, 1, 1), (0, 2, 3, 1, 1)]

    found = scored(
        case, rows, parse_measure("recall_at_19_tokens"), parse_measure("recall_at_20_tokens")
    )

    assert found.values[0, 1].tolist() == [0, 1]


def test_files_can_be_alternatives() -> None:
    """Work at file level as well."""
    hits = hits_of([[], [(1, 1, 1), (0, 1, 1)]])
    targets = Targets.at(judged([(0, 1, 10, 1, 1), (1, 1, 10, 1, 1)], level=0), 0)

    assert match(hits, targets, RULE).rank.tolist() == [1]


LINES = st.tuples(st.integers(1, 10), st.integers(1, 10)).map(sorted)


@given(st.lists(LINES, min_size=1, max_size=4), st.permutations(range(5)), st.data())
def test_more_alternatives_never_lower_recall(
    places: list[list[int]], order: list[int], data: Any
) -> None:
    """Find at least what is found with fewer, and stay within the bounds."""
    case = Case(TEN, [(0, n, n + 1) for n in (1, 3, 5, 7, 9)], order, [])
    rows: list[Row] = [(0, start, end, 1, 1) for start, end in places]
    fewer = rows[: data.draw(st.integers(1, len(rows)))]
    recall = [parse_measure(f"recall_at_{limit}") for limit in range(1, 6)]

    many, few = (scored(case, chosen, *recall).values[0, 1] for chosen in (rows, fewer))
    everything = scored(case, rows, *SHARES).values[0, 1]

    assert np.all(many >= few)
    judged_values = everything[~np.isnan(everything)]
    assert np.all((judged_values >= 0) & (judged_values <= 1))
