"""A grid of weights gives the ranks that each weighting gives alone."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrievers.fusion import (
    Aligned,
    Normalisation,
    Wanted,
    align,
    ranks_under,
    simplex,
    weigh,
    weightings_near,
)
from retrievers.interface import Integers, Rankings, ranked

CHUNKS, DEPTH = 60, 5


def test_a_simplex_of_three_channels_in_halves_has_six_weightings() -> None:
    """Counted by hand."""
    found = simplex(3, 2)

    assert found.tolist() == [
        [0, 0, 1],
        [0, 0.5, 0.5],
        [0, 1, 0],
        [0.5, 0, 0.5],
        [0.5, 0.5, 0],
        [1, 0, 0],
    ]


@given(
    seed=st.integers(0, 10**6),
    channels=st.integers(2, 4),
    levels=st.sampled_from([3, 10, 1000]),
    normalisation=st.sampled_from(["relu_z", "z_score", "min_max", "rrf"]),
)
def test_ranks_equal_those_of_each_weighting_alone(
    seed: int, channels: int, levels: int, normalisation: Normalisation
) -> None:
    """Also with many ties, absent hits, and weights of zero."""
    draw = np.random.default_rng(seed)
    rankings = [_ranking(draw, levels) for _ in range(channels)]
    aligned = align(rankings, normalisation=normalisation)
    row = np.sort(draw.choice(len(aligned.query), min(6, len(aligned.query)), replace=False))
    wanted = Wanted(np.arange(len(row)) // 2, row, targets=(len(row) + 1) // 2)
    wanted = _of_one_query(aligned.query, wanted)
    weights = simplex(channels, 4)

    found = ranks_under(aligned, weights, wanted, DEPTH)

    for number, weighting in enumerate(weights):
        alone = weigh(aligned, weighting.tolist(), DEPTH)
        for target in range(wanted.targets):
            rows = wanted.row[wanted.target == target]
            assert found[number, target] == _rank(alone, aligned, rows)


def _ranking(draw: np.random.Generator, levels: int) -> Rankings:
    rows = draw.integers(0, levels, (2, CHUNKS)).astype(np.float32)
    return ranked(list(rows), int(draw.integers(1, CHUNKS)), floor=0)


def _of_one_query(query: Integers, wanted: Wanted) -> Wanted:
    """Drop the hits of a target that are another query's."""
    first = np.array([query[wanted.row[wanted.target == t][0]] for t in wanted.target])
    same = query[wanted.row] == first
    return Wanted(wanted.target[same], wanted.row[same], wanted.targets)


def _rank(alone: Rankings, aligned: Aligned, rows: Integers) -> int:
    if not len(rows):
        return 0
    chunk, _ = alone.of_query(int(aligned.query[rows[0]]))
    places = np.flatnonzero(np.isin(chunk, aligned.chunk[rows]))
    return int(places[0]) + 1 if len(places) else 0


def test_no_steps_leave_one_weighting() -> None:
    """One channel has all of it."""
    assert simplex(1, 7).tolist() == [[1.0]]


@pytest.mark.parametrize(("channels", "steps", "count"), [(2, 20, 21), (4, 16, 969)])
def test_a_simplex_has_as_many_weightings_as_combinations(
    channels: int, steps: int, count: int
) -> None:
    """Stars and bars: (steps + channels - 1) over (channels - 1)."""
    found = simplex(channels, steps)

    assert len(found) == count
    assert np.allclose(found.sum(axis=1), 1)


def test_the_weightings_nearest_to_a_known_one_come_first() -> None:
    """Of equally far ones the order of the simplex stays; so the first of equals is nearest."""
    found = weightings_near([0.5, 0.5], 4)

    assert found[:, 0].tolist() == [0.5, 0.25, 0.75, 0, 1]


def test_ranks_where_a_channel_is_silent_are_those_of_each_weighting_alone() -> None:
    draw = np.random.default_rng(3)
    silent = ranked(np.zeros((2, CHUNKS), np.float32), 20, floor=0)
    aligned = align([*(_ranking(draw, 10) for _ in range(2)), silent])
    rows = np.flatnonzero(aligned.query == 0)[:4]
    wanted = Wanted(np.arange(len(rows)), rows, targets=len(rows))
    weights = simplex(3, 4)

    found = ranks_under(aligned, weights, wanted, DEPTH)

    for number, weighting in enumerate(weights):
        chunks = weigh(aligned, weighting.tolist(), DEPTH).of_query(0)[0].tolist()
        expected = [chunks.index(one) + 1 if one in chunks else 0 for one in aligned.chunk[rows]]
        assert found[number].tolist() == expected
