"""Rows of scores become rankings: best first, ties by chunk, moments over all chunks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrievers.interface import Rankings, ranked


def row(*scores: float) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    """Return a row of scores."""
    return np.array(scores, np.float32)


def pairs(rankings: Rankings, query: int) -> list[tuple[int, float]]:
    """Return a query's hits."""
    chunk, score = rankings.of_query(query)
    return list(zip(chunk.tolist(), score.tolist(), strict=True))


def test_the_best_chunks_come_first_and_ties_go_to_the_lower_number() -> None:
    """The order is total."""
    rankings = ranked([row(1, 3, 2, 3), row(0, 0, 0, 0)], 3)

    assert pairs(rankings, 0) == [(1, 3), (3, 3), (2, 2)]
    assert pairs(rankings, 1) == [(0, 0), (1, 0), (2, 0)]


def test_scores_up_to_the_floor_are_no_hits() -> None:
    """Lexical retrieval returns nothing rather than anything."""
    rankings = ranked([row(0, 0.5, -1, 0.25), row(0, 0, 0, 0)], 10, floor=0)

    assert pairs(rankings, 0) == [(1, 0.5), (3, 0.25)]
    assert pairs(rankings, 1) == []


def test_mean_and_deviation_are_those_of_all_chunks() -> None:
    """Chunks that are not returned count as well."""
    rankings = ranked(iter([row(0, 0, 4, 4)]), 1, floor=0)

    assert rankings.mean.tolist() == [2]
    assert rankings.deviation.tolist() == [2]
    assert rankings.mean.dtype == np.float32


@pytest.mark.parametrize("floor", [None, 0.0])
def test_no_chunks_and_no_queries_are_no_error(floor: float | None) -> None:
    """Empty is a result."""
    without_chunks = ranked([row()], 5, floor=floor)
    without_queries = ranked([], 5, floor=floor)

    assert pairs(without_chunks, 0) == []
    assert without_chunks.mean.tolist() == [0]
    assert len(without_queries) == 0


@given(
    st.lists(st.integers(-2, 3), min_size=1, max_size=30),
    st.integers(1, 40),
    st.none() | st.integers(-2, 2),
)
def test_rankings_are_those_of_a_full_sort(
    scores: list[int], depth: int, floor: int | None
) -> None:
    """Partial sorting is only faster."""
    rankings = ranked([row(*scores)], depth, floor=floor)

    kept = [place for place, score in enumerate(scores) if floor is None or score > floor]
    best = sorted(kept, key=lambda place: (-scores[place], place))[:depth]
    assert pairs(rankings, 0) == [(place, scores[place]) for place in best]
