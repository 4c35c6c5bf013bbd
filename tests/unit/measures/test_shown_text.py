"""What each hit shows for the first time, and where tokens are."""

import numpy as np
import pytest

from bench.measures import Characters, Hits, Rule, Targets, match
from bench.measures.axes import InCharacters, InTokens
from bench.measures.shown_tokens import (
    BLOCK_OF_HITS,
    shown,
    shown_apart,
    shown_overlapping,
    tokens_until_found,
)
from bench.queries.resolved import Judgements
from retrievers.interface import Chunks, Documents, Rankings, TokenEnds
from tests.unit.measures.even_text import even_text


def test_the_same_lines_shown_to_another_query_are_not_free() -> None:
    """Remember what was shown per query."""
    document, line = np.zeros(1, np.int32), np.ones(1, np.int32)
    chunks = Chunks(document, line, line, line, line * 10, document, line * 100)
    zeros = np.zeros(2)
    hits = Hits(Rankings.of([([0], [1.0]), ([0], [1.0])], zeros, zeros), chunks)

    totals = [shown_apart(hits).totals().tolist(), shown_overlapping(hits).totals().tolist()]

    assert totals == [[100, 100], [100, 100]]


def test_a_token_belongs_to_the_byte_that_it_starts_in() -> None:
    """Count tokens as the tokenizer cut them, within characters and over line ends too."""
    documents = Documents.of([("a.py", "ab\n\ncd\u00e9"), ("b.py", ""), ("c.py", "x")])
    ends = [2, 4, 7, 8]  # "ab", two line ends, "cd" and half of the last letter, the other half
    tokens = InTokens(
        Characters(documents), TokenEnds(np.array([*ends, 1], np.int32), np.array([4, 4, 5]))
    )
    bytes_of_a = np.arange(9)

    counts = tokens.at(bytes_of_a * 0, bytes_of_a)
    others = tokens.at(np.array([1, 2, 2]), np.array([0, 0, 1]))
    shown = InCharacters(tokens).before(np.arange(5) * 0, np.arange(5))

    assert counts.tolist() == [0, 1, 1, 2, 2, 3, 3, 3, 4]
    assert others.tolist() == [0, 0, 1]
    assert shown.tolist() == [0, 2, 2, 5, 5]


@pytest.mark.parametrize(("budget", "found"), [(14, 0), (15, 1)])
def test_half_of_a_piece_of_a_long_line_is_enough(budget: int, found: int) -> None:
    """Judge a chunk that ends within its line by its own characters."""
    characters, ends = even_text(1, 3)
    zero, one = np.zeros(3, np.int32), np.ones(3, np.int32)
    start = np.array([0, 10, 20], np.int32)
    chunks = Chunks(zero, start, start + 10, one, one, start, start + 10)
    hits = Hits(Rankings.of([([0, 2], [1.0, 0.5])], [0.0], [1.0]), chunks)
    targets = Targets.at(Judgements(*np.array([[0, 2, 0, 20, 30, 1]], np.int32).T), 2)
    rule = Rule(characters)

    tokens = tokens_until_found(
        shown(hits), targets, match(hits, targets, rule), rule, InTokens(characters, ends)
    )

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
