"""Ranges, groups and orders as arrays, against loops and sets."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bench.measures.ranges import expand, in_order, merged, numbered

ROWS = st.lists(st.tuples(*[st.integers(0, 3)] * 3), max_size=12)
RANGES = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 20), st.integers(0, 20)), max_size=12
)


@given(ROWS)
def test_columns_are_sorted_by_their_rows(drawn: list[tuple[int, int, int]]) -> None:
    """Equal sorting tuples, sorted already or not."""
    for rows in (drawn, sorted(drawn)):
        found = in_order(np.array(rows, np.int64).reshape(-1, 3).T)

        assert list(map(tuple, found.T.tolist())) == sorted(drawn)


@given(RANGES)
def test_merged_ranges_cover_the_same_places_once(drawn: list[tuple[int, int, int]]) -> None:
    """Equal sets of places, group by group, in order."""
    group, start, stop = np.array(drawn, np.int64).reshape(-1, 3).T

    groups, starts, stops = merged(group, start, stop)

    owner, place = expand(starts, stops)
    found = list(zip(groups[owner].tolist(), place.tolist(), strict=True))
    assert found == sorted({(g, place) for g, a, b in drawn for place in range(a, b)})
    assert np.all(stops > starts)


@given(st.lists(st.integers(0, 4), max_size=12).map(sorted))
def test_rows_are_numbered_within_their_group(groups: list[int]) -> None:
    """Count from 1 in each group."""
    expected = [groups[: place + 1].count(group) for place, group in enumerate(groups)]

    assert numbered(np.array(groups, np.int64)).tolist() == expected
