"""Documents that two trees have in common, and tables assembled from both.

A table of the new tree consists of runs: consecutive rows of the earlier table, and new rows.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from typing import Any

import numpy as np

from retrievers.interface import Documents

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Run:
    """Consecutive documents, from `first` up to `stop`, exclusive."""

    first: int
    stop: int
    before: int
    """Number of the first document in the earlier tree; -1 for documents without earlier rows."""

    @property
    def is_kept(self) -> bool:
        """Whether the earlier tree has these documents, in the same order."""
        return self.before >= 0

    @property
    def before_stop(self) -> int:
        """Number after that of the last document in the earlier tree."""
        return self.before + self.stop - self.first


def runs(
    now: Documents, before: Documents, *, agrees: Callable[[Run], bool] = lambda _run: True
) -> list[Run]:
    """Return all documents of a tree as runs; runs with equal paths and bytes are kept.

    `agrees` may refuse a run if a table depends on more than the documents.
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
    # A run ends where the next document was not the next one in the earlier tree.
    is_first = np.ones(len(places), bool)
    is_first[1:] = np.where(known[1:], np.diff(places) != 1, known[:-1])
    edges = [*np.flatnonzero(is_first).tolist(), len(places)]
    for first, stop in pairwise(edges):
        yield Run(first, stop, int(places[first]))


def _parted(
    now: Documents, before: Documents, run: Run, agrees: Callable[[Run], bool]
) -> Iterator[Run]:
    """Split a run into parts that are either completely kept or completely new."""
    if not run.is_kept or (_same_bytes(now, before, run) and agrees(run)):
        yield run
    elif run.stop - run.first == 1:
        yield replace(run, before=-1)
    else:
        # Halving finds few changed documents among many with few comparisons.
        middle = (run.first + run.stop) // 2
        yield from _parted(now, before, replace(run, stop=middle), agrees)
        rest = Run(middle, run.stop, run.before + middle - run.first)
        yield from _parted(now, before, rest, agrees)


def _same_bytes(now: Documents, before: Documents, run: Run) -> bool:
    own = now.content[_bytes_of(now, run.first, run.stop)]
    return np.array_equal(own, before.content[_bytes_of(before, run.before, run.before_stop)])


def _bytes_of(documents: Documents, first: int, stop: int) -> slice:
    return slice(int(documents.ends[first - 1]) if first else 0, int(documents.ends[stop - 1]))


def new_documents(found: Sequence[Run]) -> Array:
    """Return the numbers of the documents without earlier rows."""
    new = [np.arange(run.first, run.stop) for run in found if not run.is_kept]
    return np.concatenate([np.zeros(0, np.int64), *new])


def part_of(documents: Documents, numbers: Array) -> Documents:
    """Return some documents, given their numbers in order."""
    rows = numbers.tolist()
    return Documents(
        paths=tuple(documents.paths[number] for number in rows),
        content=np.frombuffer(b"".join(map(documents.source, rows)), np.uint8),
        ends=np.cumsum(np.diff(documents.ends, prepend=0)[numbers]),
    )


def starts_of(document: Array, documents: int) -> Array:
    """Return the first row of each document in a table sorted by document, and the row count."""
    return np.searchsorted(document, np.arange(documents + 1))


def spliced_starts(found: Sequence[Run], new: Array, starts_before: Array) -> Array:
    """Return the first row of each document of an assembled table, and the row count.

    `new` has the number of rows of each new document, in order.
    """
    counts, start = [], 0
    for run in found:
        if run.is_kept:
            counts.append(np.diff(starts_before[run.before : run.before_stop + 1]))
        else:
            counts.append(new[start : start + run.stop - run.first])
            start += run.stop - run.first
    return np.cumsum(np.concatenate([np.zeros(1, np.int64), *counts]))


@dataclass(frozen=True)
class Splice:
    """Pieces of an assembled table: slices of the earlier table and of new rows."""

    pieces: tuple[tuple[bool, slice], ...]
    """Whether a piece is from the earlier table, and its rows in that table or in the new rows."""

    @classmethod
    def of(cls, found: Sequence[Run], starts: Array, starts_before: Array) -> "Splice":
        """Return the pieces of a table with any number of rows per document.

        `starts` are the row starts of the complete new table. `array` and `texts` need only its
        new rows.
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
        """Return a column of the assembled table."""
        parts = [(before if kept else new)[rows] for kept, rows in self.pieces]
        return np.concatenate([new[:0], *parts])

    def texts(self, before: Sequence[str], new: Sequence[str]) -> tuple[str, ...]:
        """Return a column of texts of the assembled table."""
        parts = ((before if kept else new)[rows] for kept, rows in self.pieces)
        return tuple(chain.from_iterable(parts))

    def within(self, before: Array, new: Array) -> "Splice":
        """Return the pieces of a finer table, given where the rows of each row of this one end."""
        pieces = []
        for kept, rows in self.pieces:
            stops = before if kept else new
            first, last = (int(stops[row - 1]) if row else 0 for row in (rows.start, rows.stop))
            pieces.append((kept, slice(first, last)))
        return Splice(tuple(pieces))
