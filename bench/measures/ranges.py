"""Ranges of positions as arrays, instead of loops over slices."""

from typing import Any

import numpy as np

Integers = np.ndarray[Any, np.dtype[np.int64]]


def expand(starts: Integers, stops: Integers) -> tuple[Integers, Integers]:
    """Return the number of the range and the position, for every position in every range."""
    counts = stops - starts
    owner = np.repeat(np.arange(len(counts)), counts)
    before = np.cumsum(counts) - counts
    return owner, np.arange(len(owner)) + (starts - before)[owner]


def numbered(groups: Integers) -> Integers:
    """Return the place of each row in its group, from 1. Rows of a group are adjacent."""
    places = np.arange(len(groups))
    begins = np.where(np.diff(groups, prepend=-1) != 0, places, 0)
    return np.asarray(places - np.maximum.accumulate(begins) + 1)


def in_order(rows: Integers) -> Integers:
    """Return columns sorted by their rows, the first row first. Sorted input is not copied."""
    level = np.ones(max(rows.shape[1] - 1, 0), np.bool_)
    for row in rows:
        step = np.diff(row)
        if np.any(level & (step < 0)):
            return np.asarray(rows[:, np.lexsort(rows[::-1])])
        level &= step == 0
    return rows


def merged(groups: Integers, starts: Integers, stops: Integers) -> tuple[Integers, ...]:
    """Return group, start and stop of the union of the ranges of each group."""
    filled = stops > starts
    groups, starts, stops = groups[filled], starts[filled], stops[filled]
    order = np.lexsort((starts, groups))
    groups, starts, stops = groups[order], starts[order], stops[order]
    # A step per group that exceeds all stops keeps the running maximum within its group.
    step = groups * (stops.max(initial=0) + 1)
    reach = np.maximum.accumulate(stops + step)
    begins = np.diff(groups, prepend=-1) != 0
    begins[1:] |= (starts + step)[1:] > reach[:-1]
    ends = np.append(begins[1:], True)[: len(begins)]
    return groups[begins], starts[begins], (reach - step)[ends]
