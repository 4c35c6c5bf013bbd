"""Where the things begin that a query calls by their exact names."""

from collections.abc import Iterator
from itertools import accumulate
from typing import Any

import numpy as np

from retrievers.interface import Integers
from retrievers.lexical.identifiers import identifiers
from retrievers.source import Symbols

_LINES = 1 << 32
"""More lines than a document has: a place is the document times this, plus the line."""


class DefinedNames:
    """What a repository defines, by the last part of its name."""

    def __init__(self, symbols: Symbols) -> None:
        self._names = symbols.names
        self._places = symbols.document.astype(np.int64) * _LINES + symbols.start_line
        self._rows: dict[str, list[int]] = {}
        for row, name in enumerate(symbols.names):
            self._rows.setdefault(name.rpartition(".")[2], []).append(row)

    def begin_within(
        self, query: str, document: Any, start: Any, end: Any
    ) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Return for each of these pieces whether something that the query names begins in it."""
        places = self._begins(query)
        base = np.asarray(document, np.int64) * _LINES
        first = np.searchsorted(places, base + start, side="left")
        return np.asarray(np.searchsorted(places, base + end, side="right") > first)

    def _begins(self, query: str) -> Integers:
        rows = {row for name in identifiers(query) for row in self._called(name)}
        return np.sort(self._places[sorted(rows)])

    def _called(self, identifier: str) -> Iterator[int]:
        """Yield the definitions of that name; a qualifier may leave out what is between."""
        *around, last = identifier.split(".")
        for row in self._rows.get(last, ()):
            if not around or _in_order(around, self._names[row].split(".")[:-1]):
                yield row


def _in_order(wanted: list[str], among: list[str]) -> bool:
    """Whether `among` has the wanted names in this order."""
    rest = iter(among)
    return all(name in rest for name in wanted)


def innermost(symbols: Symbols, document: Any, start: Any, end: Any) -> Integers:
    """Return for each piece the definition that most of its lines are of, or -1 if of none.

    A line is of the innermost definition around it; between equals the first definition wins.
    """
    starts = np.asarray(start, np.int64) - 1
    ends = np.asarray(end, np.int64)
    owner, base = _owners(symbols, document, ends)
    counts = ends - starts
    piece = np.repeat(np.arange(len(counts)), counts)
    line = np.arange(len(piece)) - np.repeat(np.cumsum(counts) - counts, counts)
    own = owner[np.repeat(base[document] + starts, counts) + line]
    choices = len(symbols) + 1
    keys, lines = np.unique(piece * choices + own + 1, return_counts=True)
    piece, own = keys // choices, keys % choices - 1
    order = np.lexsort((own, own < 0, -lines, piece))
    _, first = np.unique(piece[order], return_index=True)
    return np.asarray(own[order][first], np.int64)


def _owners(symbols: Symbols, document: Any, ends: Integers) -> tuple[Integers, Integers]:
    """Return the innermost definition of every line, and each document's first place there."""
    count = 1 + max(int(np.max(document, initial=-1)), int(symbols.document.max(initial=-1)))
    lines = np.zeros(count, np.int64)
    np.maximum.at(lines, document, ends)
    np.maximum.at(lines, symbols.document, symbols.end_line)
    base = np.array([0, *accumulate(lines.tolist())], np.int64)
    owner = np.full(int(base[-1]), -1, np.int64)
    # Those that begin first, and of these the longer, are painted first: what is inside is left.
    for row in np.lexsort((-symbols.end_byte, symbols.start_byte, symbols.document)).tolist():
        place = base[symbols.document[row]]
        owner[place + symbols.start_line[row] - 1 : place + symbols.end_line[row]] = row
    return owner, base
