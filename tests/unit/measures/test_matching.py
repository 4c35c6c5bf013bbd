"""Who is credited with a target: hand-worked cases."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.measures import (
    DUPLICATE,
    NOTHING,
    RELEVANT,
    Characters,
    Hits,
    Targets,
    match,
    matching,
)
from bench.measures.matching import Pairs
from bench.queries.query import LEVELS
from retrievers.interface import Documents, Rankings
from tests.unit.measures.even_text import chunks_of, even_rule, judged_lines

Lines = tuple[int, int, int]
RULE = even_rule(129, 420)


def hits_of(rankings: list[list[Lines]]) -> Hits:
    """Return hits on (document, first line, last line)."""
    chunks = chunks_of([line for hits in rankings for line in hits])
    numbers = iter(range(len(chunks)))
    ranked = [([next(numbers) for _ in hits], [0.0] * len(hits)) for hits in rankings]
    zeros = np.zeros(len(rankings))
    return Hits(Rankings.of(ranked, zeros, zeros), chunks)


def targets_of(rows: list[tuple[int, int, int, int, int]], level: str = "span") -> Targets:
    """Return targets from (query, document, first line, last line, grade)."""
    number = LEVELS.index(level)
    return Targets.at(judged_lines([(row[0], number, *row[1:]) for row in rows]), number)


def test_levels_have_the_judgements_names() -> None:
    """Name the levels as judgements do, which this package may not import."""
    assert matching.LEVELS == LEVELS


@pytest.mark.parametrize(
    ("hit", "target", "found"),
    [
        ((0, 1, 10), (6, 25), True),  # 5 of the 10 lines of the hit
        ((0, 1, 10), (7, 26), False),  # 4 of 10
        ((0, 1, 100), (50, 51), True),  # the whole of a short target
        ((0, 1, 100), (100, 101), True),  # 1 of 2
        ((0, 1, 100), (100, 102), False),  # 1 of 3
        ((0, 11, 20), (21, 21), False),  # next to it
        ((0, 11, 10), (11, 20), False),  # no lines at all
        ((1, 1, 10), (1, 10), False),  # the same lines of another document
    ],
)
def test_half_of_the_shorter_must_be_common(
    hit: Lines, target: tuple[int, int], found: bool
) -> None:
    """Judge by the lines in common, at both sides of one half."""
    matches = match(hits_of([[hit]]), targets_of([(0, 0, *target, 1)]), RULE)

    assert matches.rank.tolist() == [int(found)]


def test_the_share_can_be_set_and_is_not_lost_to_rounding() -> None:
    """Compare lines with a share of lines as people do."""
    hits = hits_of([[(0, 1, 100)]])
    targets = targets_of([(0, 0, 46, 200, 1)])

    assert match(hits, targets, replace(RULE, overlap=0.55)).rank.tolist() == [
        1
    ]  # 0.55 * 1000 > 550
    assert match(hits, targets, replace(RULE, overlap=0.56)).rank.tolist() == [0]


def test_credit_goes_to_the_first_and_repeats_are_duplicates() -> None:
    """Credit each target once, also to a hit that repeats another."""
    hits = hits_of([[(0, 90, 99), (0, 1, 10), (0, 3, 12), (0, 1, 40), (0, 31, 40)]])
    targets = targets_of([(0, 0, 1, 10, 1), (0, 0, 31, 40, 1)])

    matches = match(hits, targets, RULE)

    assert matches.rank.tolist() == [2, 4]
    assert matches.credit.tolist() == [NOTHING, RELEVANT, DUPLICATE, RELEVANT, DUPLICATE]


def test_a_file_target_matches_any_hit_in_its_file() -> None:
    """Ask nothing of the lines at file level, and mix up no queries."""
    hits = hits_of([[(2, 1, 5), (7, 400, 410), (7, 1, 10)], [(7, 1, 10)]])
    targets = targets_of([(0, 7, 1, 20, 1)], "file")

    matches = match(hits, targets, RULE)

    assert matches.rank.tolist() == [2]
    assert matches.credit.tolist() == [NOTHING, RELEVANT, DUPLICATE, NOTHING]


def test_documents_64_apart_are_told_apart() -> None:
    """Refuse lines that only look similar."""
    hits = hits_of([[(0, 1, 9), (64, 1, 9), (128, 1, 9)]])

    matches = match(hits, targets_of([(0, 64, 1, 9, 1)]), RULE)

    assert matches.rank.tolist() == [2]


def test_a_place_named_twice_is_one_target_with_the_best_grade() -> None:
    """Merge what projects to one file."""
    targets = targets_of([(0, 3, 1, 10, 1), (0, 3, 50, 60, 3), (0, 4, 1, 1, 2)], "file")

    assert targets.places.document.tolist() == [3, 4]
    assert targets.grade.tolist() == [3, 2]


def test_grade_zero_is_not_a_target() -> None:
    """Take only positive grades for right."""
    targets = targets_of([(0, 0, 1, 10, 0), (0, 0, 1, 10, -1)])

    assert len(targets) == 0


def test_no_hits_and_no_targets_are_borne() -> None:
    """Match nothing with nothing."""
    nothing = hits_of([[], []])

    assert match(nothing, targets_of([(1, 0, 1, 1, 1)]), RULE).rank.tolist() == [0]
    assert match(hits_of([[(0, 1, 1)]]), targets_of([]), RULE).credit.tolist() == [NOTHING]


@pytest.mark.parametrize(
    ("overlap", "target", "needed"),
    [
        (0.5, (1, 10), 50),  # half of the target's 100, which begins with the hit
        (0.5, (11, 14), 120),  # 20 of the target's 40
        (0.5, (101, 400), 2000),  # half of the hit, which is the shorter
        (0.55, (10, 109), 640),  # 550 of the target's 1000, and 0.55 * 1000 > 550
        (1.0, (11, 14), 140),
    ],
)
def test_a_cut_hit_needs_characters_up_to_where_it_matches(
    overlap: float, target: tuple[int, int], needed: int
) -> None:
    """Work out where a hit on lines 1 to 200 begins to match."""
    rule, zero = replace(RULE, overlap=overlap), np.zeros(1, np.int64)

    pairs = Pairs.of(chunks_of([(0, 1, 200)]), zero, targets_of([(0, 0, *target, 1)]), zero, rule)

    assert pairs.match().tolist() == [True]
    assert pairs.needed().tolist() == [needed]


@given(
    st.lists(st.text("ab\n \u00a0\u3000é", max_size=600), min_size=1, max_size=6),
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 2_000)), max_size=12),
    st.booleans(),
)
def test_characters_before_a_byte_are_counted_in_whatever_order_they_are_asked_for(
    texts: list[str],
    asked: list[tuple[int, int]],
    white_space: bool,
) -> None:
    documents = Documents.of([(str(number), text) for number, text in enumerate(texts)])
    characters = Characters(documents, white_space=white_space)

    for number, place in asked:
        document, content = number % len(texts), texts[number % len(texts)].encode()
        byte = len(content[: place % (len(content) + 1)].decode("utf-8", "ignore").encode())
        before = content[:byte].decode()

        (found,) = characters.before(np.array([document]), np.array([byte]))

        assert found == sum(white_space or not letter.isspace() for letter in before)
