"""What each hit shows for the first time, and the lines of tokens."""

import numpy as np
import pytest

from bench.measures import Hits, Matches, Targets, TokenLines
from bench.measures.shown_tokens import (
    BLOCK_OF_HITS,
    shown,
    shown_apart,
    shown_overlapping,
    tokens_until_found,
)
from bench.queries.resolved import Judgements
from retrievers.interface import Chunks, Documents, Rankings, TokenEnds


def test_the_same_lines_shown_to_another_query_are_not_free() -> None:
    """Remember what was shown per query."""
    document, line = np.zeros(1, np.int32), np.ones(1, np.int32)
    chunks = Chunks(document, line, line, line, line * 10, document, line * 100)
    zeros = np.zeros(2)
    hits = Hits(Rankings.of([([0], [1.0]), ([0], [1.0])], zeros, zeros), chunks)

    totals = [shown_apart(hits).totals().tolist(), shown_overlapping(hits).totals().tolist()]

    assert totals == [[100, 100], [100, 100]]


def test_tokens_that_run_over_line_ends_belong_to_the_line_they_start_in() -> None:
    """Find the lines of tokens as the tokenizer cut them."""
    text = "ab\n\ncd\nef"
    documents = Documents.of([("a.py", text), ("b.py", ""), ("c.py", "x")])
    ends = [2, 4, 6, 9]  # "ab", two line ends, "cd", and the rest
    token_ends = TokenEnds(np.array([*ends, 1], np.int32), np.array([4, 4, 5]))

    lines = TokenLines.of(documents, token_ends)

    assert lines.tokens.tolist() == [2, 2, 4, 4, 0, 1]
    assert lines.stops.tolist() == [4, 5, 6]
    through = lines.through(np.array([0, 0, 2, 2]), np.array([1, 4, 1, 99]))
    assert through.tolist() == [2, 4, 1, 1]


@pytest.mark.parametrize(("budget", "found"), [(19, 0), (20, 1)])
def test_a_piece_of_a_long_line_is_shown_when_all_of_it_is(budget: int, found: int) -> None:
    """Judge a chunk that ends within its line by its own tokens."""
    zero, one = np.zeros(3, np.int32), np.ones(3, np.int32)
    start = np.array([0, 10, 20], np.int32)
    chunks = Chunks(zero, zero, one, one, one, start, start + 10)
    rankings = Rankings.of([([0, 2], [1.0, 0.5])], [0.0], [1.0])
    hits = Hits(rankings, chunks)
    targets = Targets.at(Judgements(*np.array([[0, 2, 0, 1, 1, 1]], np.int32).T), 2)
    second = Matches(
        np.array([1]), np.array([2]), np.zeros(2, np.int8), np.array([1]), np.array([0])
    )

    lines = TokenLines(np.array([30], np.int32), np.array([1]))
    tokens = tokens_until_found(shown(hits), targets, second, lines, 0.5)

    assert (tokens <= budget).tolist() == [bool(found)]


def test_many_queries_are_cut_into_blocks_without_a_seam() -> None:
    """Agree with the fast path across more hits than one block has."""
    number = np.arange(500, dtype=np.int32)
    start = number * 7
    chunks = Chunks(number * 0, start, start, number + 1, number + 1, start, start + 7)
    generator = np.random.default_rng(7)
    ranked = [generator.permutation(500)[:size] for size in [0, *[100] * 700, 3, 0]]
    zeros = np.zeros(len(ranked))
    hits = Hits(Rankings.of([(row, row * 0.0) for row in ranked], zeros, zeros), chunks)

    fast, exact = shown_apart(hits), shown_overlapping(hits)

    assert len(hits) > BLOCK_OF_HITS
    assert np.array_equal(fast.totals(), exact.totals())
    assert np.array_equal(np.stack([fast.hit, fast.start]), np.stack([exact.hit, exact.start]))
