"""Which hits match which targets, and which hit is credited with a target.

A hit matches a target when they share a document and at least a share of the lines of the
shorter of the two; a file target matches every hit in its file. The first hit that matches a
target has the credit; later ones that match nothing new are duplicates.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from bench.measures.ranges import Integers, expand
from retrievers.interface import Chunks, Rankings

LEVELS = ("file", "symbol", "span")
"""The names of the judgements' levels 0, 1 and 2."""
NOTHING, RELEVANT, DUPLICATE = 0, 1, 2
"""What a hit is credited with."""
ROUNDING = 1e-9
"""Lines are whole and `overlap` is not: 0.55 * 100 must not ask for line 56."""

Column = np.ndarray[Any, np.dtype[np.int32]]


class Judged(Protocol):
    """Rows of what is right: `bench.judgements.resolved.Judgements` is one."""

    @property
    def query(self) -> Column:
        """The number of the query."""
        ...

    @property
    def level(self) -> Column:
        """Place in LEVELS."""
        ...

    @property
    def document(self) -> Column:
        """The number of the document."""
        ...

    @property
    def start(self) -> Column:
        """The first line."""
        ...

    @property
    def end(self) -> Column:
        """The last line."""
        ...

    @property
    def grade(self) -> Column:
        """How right it is; zero or less is not right."""
        ...


@dataclass(frozen=True)
class Hits:
    """The hits of all queries as rows: query by query, best first."""

    rankings: Rankings
    chunks: Chunks

    def __len__(self) -> int:
        return len(self.rankings.chunk)

    @cached_property
    def counts(self) -> Integers:
        """The number of hits of each query."""
        return np.diff(self.rankings.stops, prepend=0)

    @cached_property
    def query(self) -> Integers:
        """The query of each hit."""
        return np.repeat(np.arange(len(self.rankings)), self.counts)

    @cached_property
    def document(self) -> Column:
        """The document of each hit."""
        return np.asarray(self.chunks.document[self.rankings.chunk])

    def ranks(self, rows: Integers) -> Integers:
        """Return the ranks, from 1, of some hits."""
        starts = self.rankings.stops - self.counts
        return np.asarray(rows - starts[self.query[rows]] + 1)

    def lines(self, rows: Integers) -> tuple[Integers, Integers]:
        """Return the first and the last line of some hits."""
        chunk = self.rankings.chunk[rows]
        starts, ends = self.chunks.start_line[chunk], self.chunks.end_line[chunk]
        return starts.astype(np.int64), ends.astype(np.int64)


@dataclass(frozen=True)
class Targets:
    """What is right at one level, each place once, in the order of query, document, lines."""

    whole_files: bool
    query: Integers
    document: Integers
    start: Integers
    end: Integers
    grade: Integers

    @classmethod
    def at(cls, judgements: Judged, level: int) -> "Targets":
        """Return the targets of one level; of equal ones the best grade."""
        chosen = np.flatnonzero((judgements.level == level) & (judgements.grade > 0))
        whole_files = LEVELS[level] == "file"
        lines = np.zeros_like if whole_files else np.asarray
        rows = np.stack(
            [
                judgements.query[chosen],
                judgements.document[chosen],
                lines(judgements.start[chosen]),
                lines(judgements.end[chosen]),
                -judgements.grade[chosen],
            ]
        ).astype(np.int64)
        rows = rows[:, np.lexsort(rows[::-1])]
        fresh = np.any(np.diff(rows[:4], axis=1, prepend=-1) != 0, axis=0)
        query, document, start, end, minus_grade = rows[:, fresh]
        return cls(whole_files, query, document, start, end, -minus_grade)

    def __len__(self) -> int:
        return len(self.query)


@dataclass(frozen=True)
class Matches:
    """For each target the hit that has the credit, and for each hit its credit."""

    hit: Integers
    """The first hit's row, or -1."""
    rank: Integers
    """The first hit's rank from 1, or 0 for never."""
    credit: np.ndarray[Any, np.dtype[np.int8]]
    """NOTHING, RELEVANT or DUPLICATE, for each hit."""


def match(hits: Hits, targets: Targets, overlap: float = 0.5) -> Matches:
    """Return who found what."""
    rows, places = _in_one_document(hits, targets)
    if not targets.whole_files:
        enough = _overlaps(hits, targets, (rows, places), overlap)
        rows, places = rows[enough], places[enough]
    first = np.full(len(targets), len(hits))
    np.minimum.at(first, places, rows)
    found = first < len(hits)
    credit = np.full(len(hits), NOTHING, np.int8)
    credit[rows] = DUPLICATE
    credit[first[found]] = RELEVANT
    rank = np.zeros(len(targets), np.int64)
    rank[found] = hits.ranks(first[found])
    return Matches(np.where(found, first, -1), rank, credit)


def line_needed(hits: Hits, targets: Targets, matches: Matches, overlap: float = 0.5) -> Integers:
    """Return the line up to which the credited hit must be shown to match; 0 for never.

    A hit that is cut has only its shown lines to match with. It never matches what the whole
    hit does not, so that showing more never loses a target.
    """
    needed = np.zeros(len(targets), np.int64)
    found = np.flatnonzero(matches.hit >= 0)
    start, end = hits.lines(matches.hit[found])
    if targets.whole_files:
        needed[found] = start
        return needed
    gap = np.maximum(targets.start[found] - start, 0)
    length = targets.end[found] - targets.start[found] + 1
    common = np.minimum(end, targets.end[found]) - start - gap + 1
    of_shown = gap / max(1 - overlap, ROUNDING)
    of_target = gap + overlap * length
    count = np.ceil(np.minimum(of_shown, of_target) - ROUNDING).astype(np.int64)
    needed[found] = start - 1 + np.clip(count, gap + 1, gap + common)
    return needed


def _in_one_document(hits: Hits, targets: Targets) -> tuple[Integers, Integers]:
    """Return the pairs of a hit and a target of its query in its document, hits in order."""
    maybe = _possible(hits, targets)
    width = max(hits.document.max(initial=0), targets.document.max(initial=0)) + np.int64(1)
    wanted = targets.query * width + targets.document
    held = hits.query[maybe] * width + hits.document[maybe]
    lowest, highest = (np.searchsorted(wanted, held, side) for side in ("left", "right"))
    owner, places = expand(lowest, highest)
    return maybe[owner], places


def _possible(hits: Hits, targets: Targets) -> Integers:
    """Return the hits whose document may hold a target of their query: a cheap first sieve.

    One word of 64 bits a query says which documents (modulo 64) its targets are in.
    """
    words = np.zeros(len(hits.rankings), np.uint64)
    np.bitwise_or.at(words, targets.query, _bit(targets.document))
    return np.flatnonzero(np.repeat(words, hits.counts) & _bit(hits.document))


def _bit(documents: np.ndarray[Any, Any]) -> np.ndarray[Any, np.dtype[np.uint64]]:
    return np.asarray(_BITS[documents & 63])


_BITS = np.uint64(1) << np.arange(64, dtype=np.uint64)


def _overlaps(
    hits: Hits, targets: Targets, pairs: tuple[Integers, Integers], overlap: float
) -> np.ndarray[Any, np.dtype[np.bool_]]:
    rows, places = pairs
    start, end = hits.lines(rows)
    target_start, target_end = targets.start[places], targets.end[places]
    common = np.minimum(end, target_end) - np.maximum(start, target_start) + 1
    shorter = np.minimum(end - start, target_end - target_start) + 1
    enough = (common > 0) & (common >= overlap * shorter - ROUNDING)
    return np.asarray(enough)
