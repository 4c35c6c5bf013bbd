"""Which documents of a tree an earlier one had as well, and tables put together of both.

A table of the new tree is made of runs: consecutive rows of the earlier table, and new rows.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np

from retrievers.interface import Documents

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Run:
    """Consecutive documents, from `first` up to but without `stop`."""

    first: int
    stop: int
    before: int
    """The number that the first had in the earlier tree; -1 if they have to be looked at."""

    @property
    def is_kept(self) -> bool:
        """Whether the earlier tree had these documents, one after the other."""
        return self.before >= 0

    @property
    def before_stop(self) -> int:
        """The number after the one that the last had in the earlier tree."""
        return self.before + self.stop - self.first


def runs(
    now: Documents, before: Documents, *, agrees: Callable[[Run], bool] = lambda _run: True
) -> list[Run]:
    """Return all documents of a tree as runs: those with equal paths and bytes are kept.

    `agrees` may refuse a run, if its documents are not all that a table depends on.
    """
    found: list[Run] = []
    for candidate in _candidates(now, before):
        for run in _parted(now, before, candidate, agrees):
            if found and not run.is_kept and not found[-1].is_kept:
                found[-1] = replace(found[-1], stop=run.stop)
            else:
                found.append(run)
    return found


def _candidates(now: Documents, before: Documents) -> Iterator[Run]:
    """Yield runs of documents with equal paths and sizes in both trees."""
    places = np.array([before.places.get(path, -1) for path in now.paths], np.int64)
    sizes, sizes_before = np.diff(now.ends, prepend=0), np.diff(before.ends, prepend=0)
    known = places >= 0
    known[known] = sizes[known] == sizes_before[places[known]]
    places[~known] = -1
    is_first = np.ones(len(places), bool)
    is_first[1:] = np.where(known[1:], np.diff(places) != 1, known[:-1])
    starts = np.flatnonzero(is_first).tolist()
    for first, stop in zip(starts, [*starts[1:], len(places)], strict=True):
        yield Run(first, stop, int(places[first]))


def _parted(
    now: Documents, before: Documents, run: Run, agrees: Callable[[Run], bool]
) -> Iterator[Run]:
    """Yield a run in parts that are either wholly kept or wholly not."""
    if not run.is_kept or (_same_bytes(now, before, run) and agrees(run)):
        yield run
    elif run.stop - run.first == 1:
        yield replace(run, before=-1)
    else:
        middle = (run.first + run.stop) // 2
        yield from _parted(now, before, replace(run, stop=middle), agrees)
        rest = Run(middle, run.stop, run.before + middle - run.first)
        yield from _parted(now, before, rest, agrees)


def _same_bytes(now: Documents, before: Documents, run: Run) -> bool:
    own = now.content[_bytes_of(now, run.first, run.stop)]
    return np.array_equal(own, before.content[_bytes_of(before, run.before, run.before_stop)])


def _bytes_of(documents: Documents, first: int, stop: int) -> slice:
    return slice(int(documents.ends[first - 1]) if first else 0, int(documents.ends[stop - 1]))


def starts_of(document: Array, documents: int) -> Array:
    """Return the first row of each document in a table ordered by document, and its length."""
    return np.searchsorted(document, np.arange(documents + 1))


@dataclass(frozen=True)
class Splice:
    """The pieces that a table is put together of: slices of the earlier one, and of new rows."""

    pieces: tuple[tuple[bool, slice], ...]
    """Whether a piece is of the earlier table, and its rows in that table or in the new rows."""

    @classmethod
    def of(cls, found: Sequence[Run], starts: Array, starts_before: Array) -> "Splice":
        """Return the pieces of a table in which each document has rows of its own.

        `starts` are those of the new table; only its rows that are not kept are given.
        """
        pieces, new = [], 0
        for run in found:
            if run.is_kept:
                rows = slice(int(starts_before[run.before]), int(starts_before[run.before_stop]))
            else:
                count = int(starts[run.stop] - starts[run.first])
                rows, new = slice(new, new + count), new + count
            pieces.append((run.is_kept, rows))
        return cls(tuple(pieces))

    def array(self, before: Array, new: Array) -> Array:
        """Return a column."""
        parts = [(before if kept else new)[rows] for kept, rows in self.pieces]
        return np.concatenate([new[:0], *parts])

    def texts(self, before: Sequence[str], new: Sequence[str]) -> tuple[str, ...]:
        """Return a column of texts."""
        parts = ((before if kept else new)[rows] for kept, rows in self.pieces)
        return tuple(chain.from_iterable(parts))

    def within(self, before: Array, new: Array) -> "Splice":
        """Return the pieces of a table in which each row here has several, up to these stops."""
        pieces = []
        for kept, rows in self.pieces:
            stops = before if kept else new
            first, last = (int(stops[row - 1]) if row else 0 for row in (rows.start, rows.stop))
            pieces.append((kept, slice(first, last)))
        return Splice(tuple(pieces))
