"""Lookup of targets in a pinned source tree, with messages about missing targets."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np

from bench.errors import FixtureError
from bench.queries.matching import Definitions, dotted
from bench.queries.nearest import nearest
from bench.queries.offsets import Offsets
from bench.queries.query import LEVELS, Level, Query, Target, together
from bench.queries.resolved import Judgements
from bench.queries.targets import normal_path
from bench.queries.type_names import TypeNames
from retrievers.interface import Documents
from retrievers.source import CODE_KINDS, Symbols

_MOST_NAMES = 5
_SHOWN = 120
_Places = tuple[tuple[int, ...], ...]
"""Document, bytes and required bytes of equally good places, in order."""
_Thing = tuple[int, int, _Places]
"""Query, level and places of a target."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A target that is not in the source."""

    query: str
    asked: str
    wrong: str
    remedy: str
    rule: Literal["missing", "ambiguous", "outside-file"] = "missing"

    def __str__(self) -> str:
        return f"query {self.query!r}: {self.asked} {self.wrong}; {self.remedy}"


@dataclass(frozen=True, slots=True)
class Spot:
    """Byte range of a document, with an exclusive end."""

    document: int
    start: int
    end: int


@dataclass(frozen=True)
class Tree:
    """A repository, prepared for the lookup of targets."""

    documents: Documents
    symbols: Symbols
    most_matches: int
    _known: dict[int, Offsets] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, documents: Documents, symbols: Symbols, most_matches: int = 1) -> "Tree":
        """Return a tree in which a name may mean up to `most_matches` definitions."""
        return cls(documents, symbols, most_matches)

    @cached_property
    def definitions(self) -> Definitions:
        """The definitions by their names."""
        return Definitions(self.documents, self.symbols)

    def offsets(self, document: int) -> Offsets:
        """Return the lines and characters of a document."""
        if document not in self._known:
            self._known[document] = Offsets(self.documents, document)
        return self._known[document]

    def whole(self, document: int) -> Spot:
        """Return the range of a whole document."""
        return Spot(document, 0, self.documents.size(document))

    def lines(self, document: int, first: int, last: int) -> Spot:
        """Return the range of lines of a document, counted from 1 and inclusive."""
        return Spot(document, *self.offsets(document).bytes_of_lines(first, last))

    def line_count(self, document: int) -> int:
        """Return the number of lines of a document; an empty document has one."""
        return len(self.offsets(document).lines)

    def lines_of(self, spot: Spot) -> tuple[int, int]:
        """Return the first and the last line of a range."""
        return self.offsets(spot.document).lines_of_bytes(spot.start, spot.end)

    def definition(self, row: int) -> Spot:
        """Return the range of a symbol's definition."""
        symbols = self.symbols
        start, end = int(symbols.start_byte[row]), int(symbols.end_byte[row])
        return Spot(int(symbols.document[row]), start, end)

    def text(self, spot: Spot) -> str:
        """Return the text of a range."""
        return self.documents.slice(spot.document, spot.start, spot.end)

    def around(self, spot: Spot) -> Spot:
        """Return the smallest definition that contains `spot`, or `spot` itself."""
        rows = np.flatnonzero(self.is_code & (self.symbols.document == spot.document))
        first, last = self.lines_of(spot)
        if self.lines(spot.document, first, last) == spot:
            rows = rows[self._on_lines(rows, first, last)]
        else:
            rows = rows[self._around_bytes(rows, spot)]
        if not len(rows):
            return spot
        symbols = self.symbols
        lines = symbols.end_line[rows] - symbols.start_line[rows]
        size = symbols.end_byte[rows] - symbols.start_byte[rows]
        return self.definition(int(rows[np.lexsort((size, lines))[0]]))

    def _on_lines(self, rows: Any, first: int, last: int) -> Any:
        """Return a mask of symbols that span these lines; `export …` may precede a symbol."""
        symbols = self.symbols
        return (symbols.start_line[rows] <= first) & (symbols.end_line[rows] >= last)

    def _around_bytes(self, rows: Any, spot: Spot) -> Any:
        """Return a mask of symbols around a range, ignoring white space at its ends."""
        text = self.text(spot)
        start = spot.end - _size(text.lstrip())
        end = start + _size(text.strip())
        return (self.symbols.start_byte[rows] <= start) & (self.symbols.end_byte[rows] >= end)

    @cached_property
    def is_code(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Whether each symbol has a body, which can contain other code."""
        return np.array([kind in CODE_KINDS for kind in self.symbols.kinds], np.bool_)

    @cached_property
    def _types(self) -> TypeNames:
        return TypeNames(self.documents, self.symbols)

    def asked(self, spot: Spot) -> tuple[int, int]:
        """Return the bytes that strict credit requires: for types, the line of the name."""
        return self._types.line(spot.document, spot.start, spot.end)


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def resolve(
    queries: Sequence[Query], documents: Documents, symbols: Symbols, *, most_matches: int = 1
) -> Judgements:
    """Return every target at its own level and at all coarser levels.

    A name with more than `most_matches` definitions is an error, and so is a name without any. One
    error lists all of them.
    """
    return resolve_in(Tree.of(documents, symbols, most_matches), queries)


def resolve_in(tree: Tree, queries: Sequence[Query]) -> Judgements:
    """Resolve queries in a tree that is already open."""
    best: dict[_Thing, int] = {}
    problems: list[Problem] = []
    for number, query in enumerate(queries):
        for alternatives in together(query.targets):
            found = [find_target(tree, query, target) for target in alternatives]
            problems += (one for one in found if isinstance(one, Problem))
            spots = [one for one in found if not isinstance(one, Problem)]
            for level, places in _things(tree, alternatives, spots):
                thing = (number, level, places)
                best[thing] = max(alternatives[0].grade, best.get(thing, 1))
    if problems:
        lines = "\n".join(f"  {problem}" for problem in problems)
        raise FixtureError(f"targets that are not in the source: {len(problems)}\n{lines}")
    return _judgements(best)


def resolution_problems(
    queries: Sequence[Query], documents: Documents, symbols: Symbols, *, most_matches: int = 1
) -> tuple[Problem, ...]:
    """Return the errors in the targets, in the order of the queries."""
    return problems_in(Tree.of(documents, symbols, most_matches), queries)


def problems_in(tree: Tree, queries: Sequence[Query]) -> tuple[Problem, ...]:
    """Return the errors in the targets for a tree that is already open."""
    found = (find_target(tree, query, target) for query in queries for target in query.targets)
    return tuple(one for one in found if isinstance(one, Problem))


def levels_of(query: Query) -> frozenset[Level]:
    """Return the levels at which a query has targets."""
    return frozenset(
        level for target in query.targets for level in LEVELS[: LEVELS.index(target.level) + 1]
    )


def finest_level(queries: Iterable[Query]) -> Level:
    """Return the finest level at which every query has targets, negative queries aside."""
    having = [levels_of(query) for query in queries if not query.negative]
    shared = [level for level in LEVELS if all(level in levels for levels in having)]
    return shared[-1] if having and shared else "file"


def _things(
    tree: Tree, alternatives: Sequence[Target], spots: Sequence[Sequence[Spot]]
) -> Iterator[tuple[int, _Places]]:
    """Yield the targets at each level, as one target with many places or one per place.

    A name with several definitions makes each of them a target, unless it is an alternative.
    """
    for number, level in enumerate(LEVELS[: LEVELS.index(alternatives[0].level) + 1]):
        at = _Levelled(tree, alternatives[0].level, level)
        places = dict.fromkeys(at.place(spot) for found in spots for spot in found)
        if alternatives[0].alternative:
            yield number, tuple(sorted(places))
        else:
            yield from ((number, (place,)) for place in places)


@dataclass(frozen=True, slots=True)
class _Levelled:
    """Places of targets at a coarser level."""

    tree: Tree
    own: Level
    level: Level

    def place(self, spot: Spot) -> tuple[int, ...]:
        if self.level == "file":
            spot = self.tree.whole(spot.document)
        elif self.level != self.own:
            spot = self.tree.around(spot)
        bounds = (spot.start, spot.end)
        asked = self.tree.asked(spot) if self.level == "symbol" else bounds
        return (spot.document, *bounds, *asked)


def _judgements(best: Mapping[_Thing, int]) -> Judgements:
    rows: list[tuple[int, ...]] = []
    for number, ((query, level, places), grade) in enumerate(sorted(best.items()), start=1):
        choice = number if len(places) > 1 else 0
        rows += ((query, level, *place, grade, choice) for place in places)
    columns = np.ascontiguousarray(np.array(rows, np.int32).reshape(-1, 9).T)
    query, level, document, start, end, *asked, grade, choice = columns
    is_asked_whole = np.array_equal(asked, [start, end])
    return Judgements(
        query,
        level,
        document,
        start,
        end,
        grade,
        choice if choice.any() else choice[:0],
        *(column[:0] if is_asked_whole else column for column in asked),
    )


def find_target(tree: Tree, query: Query, target: Target) -> list[Spot] | Problem:
    """Return the places of a target, or the problem with it."""
    if target.level == "symbol":
        return _symbol(tree, query, target)
    # Document ids of collections need not be paths, so they are tried unchanged first.
    places = tree.documents.places
    document = places.get(target.path, places.get(normal_path(target.path)))
    if document is None:
        return _no_file(tree, query, target)
    if target.level == "file":
        return [tree.whole(document)]
    return _span(tree, query, target, document)


def _span(tree: Tree, query: Query, target: Target, document: int) -> list[Spot] | Problem:
    offsets = tree.offsets(document)
    if target.has_characters:
        start, end, last = target.start_character, target.end_character, offsets.characters
        if 0 <= start < end <= last:
            return [Spot(document, offsets.byte_of(start), offsets.byte_of(end))]
    else:
        start, end, last = target.start, target.end, tree.line_count(document)
        if 1 <= start <= end <= last:
            return [tree.lines(document, start, end)]
    return Problem(
        query.id,
        target.stretch,
        f"do not exist: the file has {last}",
        "look them up in the pinned source",
        "outside-file",
    )


def _symbol(tree: Tree, query: Query, target: Target) -> list[Spot] | Problem:
    meant = tree.definitions.meant_by(target.symbol)
    asked = f"symbol {target.symbol[:_SHOWN]!r}"
    if not meant:
        near = _nearest_names(tree.definitions, target.symbol)
        return Problem(query.id, asked, "is not in the source", _suggest(near))
    if len(meant) > tree.most_matches:
        return Problem(
            query.id,
            asked,
            f"means {len(meant)} definitions, more than {tree.most_matches}",
            "say which: " + _some([one.asked for one in meant]),
            "ambiguous",
        )
    return [tree.definition(one.row) for one in meant]


def _no_file(tree: Tree, query: Query, target: Target) -> Problem:
    path = normal_path(target.path)
    paths = tree.documents.paths
    near = [one for one in paths if one.endswith(f"/{path}")]
    near = near or nearest(path[:_SHOWN], paths)
    return Problem(query.id, f"file {path[:_SHOWN]!r}", "is not in the source", _suggest(near))


def _nearest_names(definitions: Definitions, asked: str) -> list[str]:
    name = dotted(asked)[:_SHOWN]
    parts = name.count(".") + 1
    shortened = {".".join(one.name.split(".")[-parts:]) for one in definitions.all()}
    return nearest(name, sorted(shortened))


def _suggest(near: Sequence[str]) -> str:
    if not near:
        return "nothing has a name like it; check the repository and its version"
    return f"did you mean {_some(near)}?"


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_MOST_NAMES])
    more = len(names) - _MOST_NAMES
    return f"{shown} and {more} more" if more > 0 else shown
