"""Places of an engine as a ranking of chunks: which chunks they match, and by what score."""

from typing import Any

import numpy as np
import pytest

from retrievers.external import ChunkLines

LINES = ChunkLines(
    document=np.array([0, 0, 0, 1], np.int32),
    start=np.array([1, 11, 21, 1], np.int32),
    end=np.array([10, 20, 30, 4], np.int32),
)


def scores(*places: tuple[int, int, int], own: Any = (3.0, 2.0, 1.0)) -> list[float]:
    """Return the scores of the chunks, hits having falling scores."""
    found: list[float] = LINES.scores(places, np.array(own[: len(places)], np.float32)).tolist()
    return found


@pytest.mark.parametrize(
    ("place", "matched"),
    [
        ((0, 1, 10), [0]),
        ((0, 12, 13), [1]),
        ((0, 9, 12), [0, 1]),  # half of it in each
        ((0, 8, 12), [0]),  # three of five lines
        ((0, 6, 25), [0, 1, 2]),  # half of the first, all of the second, half of the third
        ((0, 7, 24), [1]),
        ((1, 1, 4), [3]),
        ((2, 1, 4), []),
    ],
)
def test_a_place_matches_what_shares_half_of_the_shorter(
    place: tuple[int, int, int], matched: list[int]
) -> None:
    """As a hit matches a target."""
    assert [n for n, score in enumerate(scores(place)) if score] == matched


def test_a_chunk_has_the_best_score_of_the_places_that_match_it() -> None:
    """And what nothing matches has 0."""
    assert scores((1, 1, 2), (0, 1, 10), (0, 1, 2)) == [2.0, 0.0, 0.0, 3.0]


@pytest.mark.parametrize("own", [(0.5, -0.5, -1.0), (0.0, 0.0, 0.0)])
def test_scores_that_a_miss_would_beat_give_way_to_ranks(own: tuple[float, ...]) -> None:
    """A hit must count for more than a chunk that was not found, which has 0."""
    assert scores((0, 1, 10), (0, 11, 20), (1, 1, 4), own=own) == [
        1.0,
        0.5,
        0.0,
        pytest.approx(1 / 3),
    ]


def test_no_places_match_nothing() -> None:
    assert scores() == [0.0, 0.0, 0.0, 0.0]
