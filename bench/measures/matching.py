"""Matches of hits and targets, and the hit that gets the credit for each target.

A hit matches a place if they share a document and at least the share `overlap` of the characters
of the shorter one. A file target matches every hit in its file. With strict credit a symbol
requires a share of its own characters, even if the hit is shorter. A target has one place, or
several equally good alternatives. The first hit that matches any of them gets the credit. Later
hits that match nothing new are duplicates.

Places are stored in bytes. All counts are in characters that are not white space.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Protocol, get_args

import numpy as np

from bench.errors import SettingError
from bench.measures.characters import Characters
from bench.measures.ranges import Integers, expand, in_order
from retrievers.interface import Chunks, Rankings

LEVELS = ("file", "symbol", "span")
"""The names of the judgements' levels 0, 1 and 2."""
NOTHING, RELEVANT, DUPLICATE = 0, 1, 2
"""Credit of a hit."""
ROUNDING = 1e-9
"""Characters are whole and `overlap` is not: 0.55 * 100 must not require character 56."""

Column = np.ndarray[Any, np.dtype[np.int32]]
Truths = np.ndarray[Any, np.dtype[np.bool_]]
SymbolCredit = Literal["strict", "lenient"]
SYMBOL_CREDITS: tuple[SymbolCredit, ...] = get_args(SymbolCredit)


@dataclass(frozen=True)
class Rule:
    """Conditions under which a hit matches a target."""

    characters: Characters
    overlap: float = 0.5
    """Share of characters that must be common."""
    symbol_credit: SymbolCredit = "strict"
    """strict: a share of the symbol, or of the line that names a type. lenient: like spans."""

    def __post_init__(self) -> None:
        """Refuse an overlap outside (0, 1]."""
        if not 0 < self.overlap <= 1:
            message = f"overlap={self.overlap} is not a share: take more than 0 and at most 1"
            raise SettingError(message)


class Judged(Protocol):
    """Rows of ground truth, such as `bench.queries.resolved.Judgements`."""

    @property
    def query(self) -> Column:
        """The number of each row's query."""
        ...

    @property
    def level(self) -> Column:
        """The index in LEVELS."""
        ...

    @property
    def document(self) -> Column:
        """The number of the document."""
        ...

    @property
    def start_byte(self) -> Column:
        """The first byte in its document."""
        ...

    @property
    def end_byte(self) -> Column:
        """The byte after the last."""
        ...

    @property
    def grade(self) -> Column:
        """The relevance; 0 or less is not relevant."""
        ...

    @property
    def choice(self) -> Column:
        """Rows of a query and level that share a number above 0 are places of one target.

        Empty where no row has alternatives.
        """
        ...

    @property
    def asked_start(self) -> Column:
        """First byte that strict credit requires; empty if it requires whole places."""
        ...

    @property
    def asked_end(self) -> Column:
        """The byte after the required part."""
        ...


@dataclass(frozen=True)
class Hits:
    """The hits of all queries as rows: by query, best first."""

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
        """Return the ranks of some hits, from 1."""
        starts = self.rankings.stops - self.counts
        return np.asarray(rows - starts[self.query[rows]] + 1)


@dataclass(frozen=True)
class Stretches:
    """Ranges of documents for queries, sorted by query and document."""

    query: Integers
    document: Integers
    start: Integers
    end: Integers

    def __len__(self) -> int:
        return len(self.query)


@dataclass(frozen=True)
class Places(Stretches):
    """Ranges of targets in bytes, sorted by query, document and start."""

    asked_start: Integers
    """Start of the part that strict credit requires."""
    asked_end: Integers
    target: Integers
    """Number of the target; places with the same number are alternatives."""


@dataclass(frozen=True)
class Targets:
    """Distinct targets of one level, in the order of the queries."""

    level: int
    """Index in LEVELS."""
    query: Integers
    grade: Integers
    places: Places

    @classmethod
    def at(cls, judgements: Judged, level: int) -> "Targets":
        """Return the targets of one level. Equal targets are merged with the best grade."""
        chosen = np.flatnonzero((judgements.level == level) & (judgements.grade > 0))
        # The columns are query, choice, document, start, end: a row that differs from the one
        # before in any of them is a new place. It is a new target as well if the query or choice
        # differs, or if it has no choice (0).
        rows = in_order(_rows(judgements, chosen, whole_files=LEVELS[level] == "file"))
        other = np.diff(rows[:5], axis=1, prepend=-1) != 0
        begins = other[:2].any(axis=0) | (other[2:].any(axis=0) & (rows[1] == 0))
        owner = np.cumsum(begins) - 1
        grade = np.zeros(begins.sum(), np.int64)
        np.maximum.at(grade, owner, rows[-1])
        fresh = other.any(axis=0)
        places = _sorted_places(owner[fresh], rows[:, fresh])
        return cls(level, rows[0, begins], grade, places)

    def __len__(self) -> int:
        return len(self.query)

    @property
    def whole_files(self) -> bool:
        """Whether any hit in the file of a target matches it."""
        return LEVELS[self.level] == "file"

    def is_strict(self, rule: Rule) -> bool:
        """Return whether a match requires a share of the target, not of the shorter of the two."""
        return rule.symbol_credit == "strict" and LEVELS[self.level] == "symbol"


def _rows(judgements: Judged, chosen: Integers, *, whole_files: bool) -> Integers:
    """Return query, choice, document, place, required part and grade of some judgements."""
    asked = len(judgements.asked_start) > 0
    columns = (
        judgements.query,
        judgements.choice if len(judgements.choice) else judgements.level * 0,
        judgements.document,
        judgements.start_byte,
        judgements.end_byte,
        judgements.asked_start if asked else judgements.start_byte,
        judgements.asked_end if asked else judgements.end_byte,
        judgements.grade,
    )
    rows = np.stack([column[chosen] for column in columns]).astype(np.int64)
    if whole_files:
        rows[3:7] = 0
    return rows


def _sorted_places(owner: Integers, rows: Integers) -> Places:
    query, _, document, *bounds, _ = rows
    return Places(*in_order(np.stack([query, document, *bounds, owner])))


@dataclass(frozen=True)
class Matches:
    """The credited hit of each target, and the credit of each hit."""

    hit: Integers
    """Row of the first matching hit, or -1."""
    rank: Integers
    """Rank of the first matching hit from 1, or 0."""
    credit: np.ndarray[Any, np.dtype[np.int8]]
    """NOTHING, RELEVANT or DUPLICATE for each hit."""
    won_hit: Integers
    """Rows of the credited hits, one for each place that they match."""
    won_place: Integers


def match(hits: Hits, targets: Targets, rule: Rule) -> Matches:
    """Match hits with targets."""
    rows, places = matching_pairs(hits, targets, rule)
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


def matching_pairs(hits: Hits, targets: Targets, rule: Rule) -> tuple[Integers, Integers]:
    """Return the pairs (hit, place) that match, in the order of the hits."""
    rows, places = in_one_document(hits.query, hits.document, targets.places)
    if targets.whole_files:
        return rows, places
    pairs = Pairs.of(hits.chunks, hits.rankings.chunk[rows], targets, places, rule)
    enough = pairs.match()
    return rows[enough], places[enough]


@dataclass(frozen=True)
class Pairs:
    """Pairs of a chunk and a place of one document, in characters."""

    start: Integers
    """Start of the chunk."""
    end: Integers
    place_start: Integers
    place_end: Integers
    overlap: float
    is_strict: bool

    @classmethod
    def of(
        cls,
        chunks: Chunks,
        rows: np.ndarray[Any, Any],
        targets: Targets,
        numbers: Integers,
        rule: Rule,
    ) -> "Pairs":
        """Return the pairs of the chunks `rows` and the places `numbers`."""
        document, places = chunks.document[rows], targets.places
        strict = targets.is_strict(rule)
        first = places.asked_start if strict else places.start
        last = places.asked_end if strict else places.end
        return cls(
            start=rule.characters.before(document, chunks.start_byte[rows]),
            end=rule.characters.before(document, chunks.end_byte[rows]),
            place_start=rule.characters.before(document, first[numbers]),
            place_end=rule.characters.before(document, last[numbers]),
            overlap=rule.overlap,
            is_strict=strict,
        )

    def match(self) -> Truths:
        """Return whether each chunk matches its place; without common characters it never does."""
        end = np.minimum(self.end, self.place_end)
        common = end - np.maximum(self.start, self.place_start)
        return np.asarray((common > 0) & (common >= self._wanted))

    def needed(self) -> Integers:
        """Return the number of characters of each matching chunk that must be shown for the match.

        A truncated chunk must show as much of the place as the whole chunk. Its own length must
        not count, or a single character within a place would match.
        """
        gap = np.maximum(self.place_start - self.start, 0)
        return np.asarray(gap + self._wanted)

    @property
    def _wanted(self) -> Integers:
        """Number of characters that must be common."""
        length = self.place_end - self.place_start
        whole = length if self.is_strict else np.minimum(self.end - self.start, length)
        return np.asarray(np.ceil(self.overlap * whole - ROUNDING), np.int64)


def in_one_document(
    query: np.ndarray[Any, Any], document: np.ndarray[Any, Any], places: Stretches
) -> tuple[Integers, Integers]:
    """Return the pairs of a row and a place with the same query and document, rows in order."""
    maybe = _possible(query, document, places)
    # Query and document form one number, so that one sorted search finds all pairs.
    width = max(document.max(initial=0), places.document.max(initial=0)) + np.int64(1)
    wanted = places.query * width + places.document
    held = query[maybe] * width + document[maybe]
    lowest = np.searchsorted(wanted, held)
    there = np.flatnonzero(np.append(wanted, -1)[lowest] == held)
    highest = np.searchsorted(wanted, held[there], "right")
    owner, found = expand(lowest[there], highest)
    return maybe[there][owner], found


def _possible(
    query: np.ndarray[Any, Any], document: np.ndarray[Any, Any], places: Stretches
) -> Integers:
    """Return the rows whose document may hold a place of their query: a cheap first filter.

    A table with a row per query marks the documents of its places, modulo 256. Collisions only let
    more rows through.
    """
    wanted = np.zeros((int(query.max(initial=-1)) + 1, _COLUMNS), np.bool_)
    asked = places.query < len(wanted)
    wanted[places.query[asked], places.document[asked] % _COLUMNS] = True
    return np.flatnonzero(wanted.reshape(-1).take(query * _COLUMNS + document % _COLUMNS))


_COLUMNS = 256
