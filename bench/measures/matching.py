"""Which hits match which targets, and which hit is credited with a target.

A hit matches a place when they share a document and at least a share of the lines of the
shorter of the two; a file target matches every hit in its file. A target has one place, or
several that are equally good. The first hit that matches any of them has the credit; later hits
that match nothing new are duplicates.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from bench.measures.ranges import Integers, expand, in_order
from retrievers.interface import Chunks, Rankings

LEVELS = ("file", "symbol", "span")
"""The names of the judgements' levels 0, 1 and 2."""
NOTHING, RELEVANT, DUPLICATE = 0, 1, 2
"""What a hit is credited with."""
ROUNDING = 1e-9
"""Lines are whole and `overlap` is not: 0.55 * 100 must not ask for line 56."""

Column = np.ndarray[Any, np.dtype[np.int32]]


class Judged(Protocol):
    """Rows of what is right: `bench.queries.resolved.Judgements` is one."""

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

    @property
    def choice(self) -> Column:
        """Rows of a query and level that share a number above 0 are places of one target.

        Empty where no row has alternatives.
        """
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
    def query(self) -> Column:
        """The query of each hit."""
        return np.repeat(np.arange(len(self.rankings), dtype=np.int32), self.counts)

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
class Places:
    """Where targets stand, in the order of query, document, lines."""

    target: Integers
    """Places of one number are alternatives."""
    query: Integers
    document: Integers
    start: Integers
    end: Integers

    def __len__(self) -> int:
        return len(self.target)


@dataclass(frozen=True)
class Targets:
    """What is right at one level, each thing once, in the order of the queries."""

    whole_files: bool
    query: Integers
    grade: Integers
    places: Places

    @classmethod
    def at(cls, judgements: Judged, level: int) -> "Targets":
        """Return the targets of one level; of equal ones the best grade."""
        chosen = np.flatnonzero((judgements.level == level) & (judgements.grade > 0))
        whole_files = LEVELS[level] == "file"
        lines = np.zeros_like if whole_files else np.asarray
        choices = judgements.choice if len(judgements.choice) else judgements.level * 0
        rows = np.stack(
            [
                judgements.query[chosen],
                choices[chosen],
                judgements.document[chosen],
                lines(judgements.start[chosen]),
                lines(judgements.end[chosen]),
                judgements.grade[chosen],
            ]
        ).astype(np.int64)
        rows = in_order(rows)
        other = np.diff(rows[:5], axis=1, prepend=-1) != 0
        begins = other[:2].any(axis=0) | (other[2:].any(axis=0) & (rows[1] == 0))
        owner = np.cumsum(begins) - 1
        grade = np.zeros(begins.sum(), np.int64)
        np.maximum.at(grade, owner, rows[5])
        fresh = other.any(axis=0)
        places = _sorted_places(owner[fresh], rows[:, fresh])
        return cls(whole_files, rows[0, begins], grade, places)

    def __len__(self) -> int:
        return len(self.query)


def _sorted_places(owner: Integers, rows: Integers) -> Places:
    query, _, document, start, end, _ = rows
    query, document, start, end, owner = in_order(np.stack([query, document, start, end, owner]))
    return Places(owner, query, document, start, end)


@dataclass(frozen=True)
class Matches:
    """For each target the hit that has the credit, and for each hit its credit."""

    hit: Integers
    """The first hit's row, or -1."""
    rank: Integers
    """The first hit's rank from 1, or 0 for never."""
    credit: np.ndarray[Any, np.dtype[np.int8]]
    """NOTHING, RELEVANT or DUPLICATE, for each hit."""
    won_hit: Integers
    """The credited hits, one for each place that they match."""
    won_place: Integers


def match(hits: Hits, targets: Targets, overlap: float = 0.5) -> Matches:
    """Return who found what."""
    rows, places = matching_pairs(hits, targets, overlap)
    owner = targets.places.target[places]
    first = np.full(len(targets), len(hits))
    np.minimum.at(first, owner, rows)
    found = first < len(hits)
    credit = np.full(len(hits), NOTHING, np.int8)
    credit[rows] = DUPLICATE
    credit[first[found]] = RELEVANT
    rank = np.zeros(len(targets), np.int64)
    rank[found] = hits.ranks(first[found])
    won = rows == first[owner]
    return Matches(np.where(found, first, -1), rank, credit, rows[won], places[won])


def matching_pairs(hits: Hits, targets: Targets, overlap: float) -> tuple[Integers, Integers]:
    """Return the pairs of a hit and a place that match, hits in order."""
    rows, places = in_one_document(hits.query, hits.document, targets.places)
    if targets.whole_files:
        return rows, places
    enough = overlaps(hits.lines(rows), targets.places, places, overlap)
    return rows[enough], places[enough]


def line_needed(hits: Hits, targets: Targets, matches: Matches, overlap: float = 0.5) -> Integers:
    """Return the line up to which the credited hit must be shown to match; 0 for never.

    A hit that is cut has only its shown lines to match with. It never matches what the whole
    hit does not, so that showing more never loses a target.
    """
    start, end = hits.lines(matches.won_hit)
    places, won = targets.places, matches.won_place
    if targets.whole_files:
        line = start
    else:
        gap = np.maximum(places.start[won] - start, 0)
        length = places.end[won] - places.start[won] + 1
        common = np.minimum(end, places.end[won]) - start - gap + 1
        of_shown = gap / max(1 - overlap, ROUNDING)
        of_target = gap + overlap * length
        count = np.ceil(np.minimum(of_shown, of_target) - ROUNDING).astype(np.int64)
        line = start - 1 + np.clip(count, gap + 1, gap + common)
    needed = np.full(len(targets), np.iinfo(np.int64).max)
    np.minimum.at(needed, places.target[won], line)
    return np.where(matches.hit >= 0, needed, 0)


def in_one_document(
    query: np.ndarray[Any, Any], document: np.ndarray[Any, Any], places: Places
) -> tuple[Integers, Integers]:
    """Return the pairs of a row and a place of its query in its document, rows in order."""
    maybe = _possible(query, document, places)
    width = max(document.max(initial=0), places.document.max(initial=0)) + np.int64(1)
    wanted = places.query * width + places.document
    held = query[maybe] * width + document[maybe]
    lowest = np.searchsorted(wanted, held)
    there = np.flatnonzero(np.append(wanted, -1)[lowest] == held)
    highest = np.searchsorted(wanted, held[there], "right")
    owner, found = expand(lowest[there], highest)
    return maybe[there][owner], found


def _possible(
    query: np.ndarray[Any, Any], document: np.ndarray[Any, Any], places: Places
) -> Integers:
    """Return the rows whose document may hold a place of their query: a cheap first sieve.

    A row of truths a query says which documents (modulo their number) its places are in.
    """
    wanted = np.zeros((int(query.max(initial=-1)) + 1, _COLUMNS), np.bool_)
    asked = places.query < len(wanted)
    wanted[places.query[asked], places.document[asked] % _COLUMNS] = True
    return np.flatnonzero(wanted.reshape(-1).take(query * _COLUMNS + document % _COLUMNS))


_COLUMNS = 256


def overlaps(
    lines: tuple[Integers, Integers], places: Places, numbers: Integers, overlap: float
) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Tell which lines match the place of their number."""
    (start, end), place_start, place_end = lines, places.start[numbers], places.end[numbers]
    common = np.minimum(end, place_end) - np.maximum(start, place_start) + 1
    shorter = np.minimum(end - start, place_end - place_start) + 1
    enough = (common > 0) & (common >= overlap * shorter - ROUNDING)
    return np.asarray(enough)
