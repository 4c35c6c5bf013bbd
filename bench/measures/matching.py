"""Which hits match which targets, and which hit is credited with a target.

A hit matches a place when they share a document and at least a share of the characters of the
shorter of the two. A file target matches every hit in its file. With strict credit a symbol asks
for a share of its own characters, however short the hit is. A target has one place, or several
that are equally good. The first hit that matches any of them has the credit; later hits that match
nothing new are duplicates.

Places are stored in bytes; all counting is in characters that are not white space.
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
"""What a hit is credited with."""
ROUNDING = 1e-9
"""Characters are whole and `overlap` is not: 0.55 * 100 must not ask for character 56."""

Column = np.ndarray[Any, np.dtype[np.int32]]
Truths = np.ndarray[Any, np.dtype[np.bool_]]
SymbolCredit = Literal["strict", "lenient"]
SYMBOL_CREDITS: tuple[SymbolCredit, ...] = get_args(SymbolCredit)


@dataclass(frozen=True)
class Rule:
    """When a hit matches a target."""

    characters: Characters
    overlap: float = 0.5
    """The share of characters that must be common."""
    symbol_credit: SymbolCredit = "strict"
    """strict: a share of the symbol, or of the line that names a type. lenient: as for spans."""

    def __post_init__(self) -> None:
        """Refuse what is not a share."""
        if not 0 < self.overlap <= 1:
            message = f"overlap={self.overlap} is not a share: take more than 0 and at most 1"
            raise SettingError(message)


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
    def start_byte(self) -> Column:
        """The first byte in its document."""
        ...

    @property
    def end_byte(self) -> Column:
        """The byte after the last."""
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

    @property
    def asked_start(self) -> Column:
        """The first byte that strict credit asks for; empty if it asks for whole places."""
        ...

    @property
    def asked_end(self) -> Column:
        """The byte after that part."""
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


@dataclass(frozen=True)
class Stretches:
    """Pieces of documents for queries, in the order of query and document."""

    query: Integers
    document: Integers
    start: Integers
    end: Integers

    def __len__(self) -> int:
        return len(self.query)


@dataclass(frozen=True)
class Places(Stretches):
    """The bytes of targets, in the order of query, document, start."""

    asked_start: Integers
    """The part of it that strict credit asks for."""
    asked_end: Integers
    target: Integers
    """Places of one number are alternatives."""


@dataclass(frozen=True)
class Targets:
    """What is right at one level, each thing once, in the order of the queries."""

    level: int
    """Place in LEVELS."""
    query: Integers
    grade: Integers
    places: Places

    @classmethod
    def at(cls, judgements: Judged, level: int) -> "Targets":
        """Return the targets of one level; of equal ones the best grade."""
        chosen = np.flatnonzero((judgements.level == level) & (judgements.grade > 0))
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
        """Whether any hit in a target's file matches it."""
        return LEVELS[self.level] == "file"

    def is_strict(self, rule: Rule) -> bool:
        """Tell whether a hit must have a share of the target, not of the shorter of the two."""
        return rule.symbol_credit == "strict" and LEVELS[self.level] == "symbol"


def _rows(judgements: Judged, chosen: Integers, *, whole_files: bool) -> Integers:
    """Return query, choice, document, place, asked place and grade of some judgements."""
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


def match(hits: Hits, targets: Targets, rule: Rule) -> Matches:
    """Return who found what."""
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
    """Return the pairs of a hit and a place that match, hits in order."""
    rows, places = in_one_document(hits.query, hits.document, targets.places)
    if targets.whole_files:
        return rows, places
    pairs = Pairs.of(hits.chunks, hits.rankings.chunk[rows], targets, places, rule)
    enough = pairs.match()
    return rows[enough], places[enough]


@dataclass(frozen=True)
class Pairs:
    """Chunks and places of one document, two by two, in characters."""

    start: Integers
    """Where the chunk starts."""
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
        """Return the pairs of these chunks and the places of these numbers."""
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
        """Tell which chunks match their place; what has no characters never does."""
        end = np.minimum(self.end, self.place_end)
        common = end - np.maximum(self.start, self.place_start)
        return np.asarray((common > 0) & (common >= self._wanted))

    def needed(self) -> Integers:
        """Return how many characters must be shown of each matching chunk until it matches.

        A chunk that is cut must show as much of the place as the whole chunk would have to:
        being cut makes it no shorter, or a single character within a place would find it.
        """
        gap = np.maximum(self.place_start - self.start, 0)
        return np.asarray(gap + self._wanted)

    @property
    def _wanted(self) -> Integers:
        """How many characters must be common."""
        length = self.place_end - self.place_start
        whole = length if self.is_strict else np.minimum(self.end - self.start, length)
        return np.asarray(np.ceil(self.overlap * whole - ROUNDING), np.int64)


def in_one_document(
    query: np.ndarray[Any, Any], document: np.ndarray[Any, Any], places: Stretches
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
    query: np.ndarray[Any, Any], document: np.ndarray[Any, Any], places: Stretches
) -> Integers:
    """Return the rows whose document may hold a place of their query: a cheap first filter.

    A row of truths a query says which documents (modulo their number) its places are in.
    """
    wanted = np.zeros((int(query.max(initial=-1)) + 1, _COLUMNS), np.bool_)
    asked = places.query < len(wanted)
    wanted[places.query[asked], places.document[asked] % _COLUMNS] = True
    return np.flatnonzero(wanted.reshape(-1).take(query * _COLUMNS + document % _COLUMNS))


_COLUMNS = 256
