"""Finds the definition that each chunk shows."""

from dataclasses import dataclass
from itertools import accumulate, count
from typing import Any

import numpy as np

from retrievers.interface import Chunks, Integers
from retrievers.source import Symbols
from retrievers.source.nesting import TYPE_KINDS

_Column = np.ndarray[Any, np.dtype[np.int32]]


@dataclass(frozen=True)
class ChunkDefinitions:
    """The definition that each chunk of a repository shows."""

    symbol: _Column
    """The row in the repository's symbols, or -1 for a chunk without a definition. If a file
    defines a name several times, such as an overloaded method, only the first row is used."""
    shown_by: _Column
    """The chunk with the beginning of this definition if it is a type with members, or else -1.
    The beginning describes the type, and other chunks show only some of its fields."""

    @classmethod
    def of(cls, chunks: Chunks, symbols: Symbols) -> "ChunkDefinitions":
        """Return the definitions of these chunks."""
        shown = innermost(symbols, chunks.document, start=chunks.start_line, end=chunks.end_line)
        first = _first_of_its_name(symbols)
        # The appended value is for index -1, a chunk without a definition.
        symbol = np.append(first, -1)[shown]
        return cls(symbol.astype(np.int32), _beginnings(chunks, symbols, symbol))

    def names(self, chunk: Any, symbols: Symbols) -> tuple[str, ...]:
        """Return the qualified name of the definition of each chunk, or an empty text."""
        rows = self.symbol[chunk].tolist()
        return tuple(symbols.names[row] if row >= 0 else "" for row in rows)


def innermost(symbols: Symbols, document: Any, start: Any, end: Any) -> Integers:
    """Return for each piece the definition of most of its lines, or -1 if it has none.

    A line belongs to the innermost definition around it. If a type begins in the piece, the lines
    of its members in the piece count for the type. A definition that begins in the piece has
    priority over one that began earlier and has another piece. Otherwise, a short function after
    the end of a long one could not be found. Lines outside definitions do not count. The first
    definition wins a tie.
    """
    starts, ends = np.asarray(start, np.int64), np.asarray(end, np.int64)
    piece, owner = _lines(symbols, np.asarray(document, np.int64), starts, ends)
    inside = owner >= 0
    piece, owner = piece[inside], owner[inside]
    owner = _beginning_types(symbols, owner, starts[piece])
    keys, lines = np.unique(piece * max(len(symbols), 1) + owner, return_counts=True)
    piece, owner = keys // max(len(symbols), 1), keys % max(len(symbols), 1)
    began_earlier = symbols.start_line[owner] < starts[piece]
    order = np.lexsort((owner, -lines, began_earlier, piece))
    known, first = np.unique(piece[order], return_index=True)
    found = np.full(len(starts), -1, np.int64)
    found[known] = owner[order][first]
    return found


def _lines(
    symbols: Symbols, document: Integers, start: Integers, end: Integers
) -> tuple[Integers, Integers]:
    """Return the piece of every line of every piece, and the definition around that line."""
    owner, base = _owners(symbols, document, end)
    counts = end - start + 1
    piece = np.repeat(np.arange(len(counts)), counts)
    line = np.arange(len(piece)) - np.repeat(np.cumsum(counts) - counts, counts)
    return piece, owner[np.repeat(base[document] + start - 1, counts) + line]


def _owners(symbols: Symbols, document: Integers, end: Integers) -> tuple[Integers, Integers]:
    """Return the innermost definition of every line, and the first line of each document."""
    count = 1 + max(int(np.max(document, initial=-1)), int(symbols.document.max(initial=-1)))
    lines = np.zeros(count, np.int64)
    np.maximum.at(lines, document, end)
    np.maximum.at(lines, symbols.document, symbols.end_line)
    base = np.array([0, *accumulate(lines.tolist())], np.int64)
    owner = np.full(int(base[-1]), -1, np.int64)
    # Outer definitions are written first, so that inner ones overwrite them.
    rows = np.lexsort((-symbols.end_byte, symbols.start_byte, symbols.document))
    counts = (symbols.end_line - symbols.start_line + 1).astype(np.int64)[rows]
    first = base[symbols.document[rows]] + symbols.start_line[rows] - 1
    places = np.arange(counts.sum()) + np.repeat(first - np.cumsum(counts) + counts, counts)
    owner[places] = np.repeat(rows, counts)
    return owner, base


def _beginning_types(symbols: Symbols, owner: Integers, start: Integers) -> Integers:
    """Return the nearest type around each line that begins from `start` on, else the owner."""
    is_type = _types(symbols)
    found, around = owner.copy(), owner.copy()
    looking = np.ones(len(owner), bool)
    while looking.any():
        begins = looking & is_type[around] & (symbols.start_line[around] >= start)
        found[begins] = around[begins]
        around = symbols.parent[around].astype(np.int64)
        looking &= ~begins & (around >= 0)
    return found


def _types(symbols: Symbols) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Return whether each definition is a type with members."""
    parents = np.zeros(len(symbols), bool)
    parents[symbols.parent[symbols.parent >= 0]] = True
    kinds = np.array([kind in TYPE_KINDS for kind in symbols.kinds], bool)
    return np.asarray(parents & kinds)


def _first_of_its_name(symbols: Symbols) -> Integers:
    """Return for each definition the first one with the same name in the same document."""
    numbers: dict[str, int] = {}
    name = np.fromiter(map(numbers.setdefault, symbols.names, count()), np.int64, len(symbols))
    keys = symbols.document.astype(np.int64) * len(symbols) + name
    _, first, place = np.unique(keys, return_index=True, return_inverse=True)
    return np.asarray(first[place], np.int64)


def _beginnings(chunks: Chunks, symbols: Symbols, symbol: Integers) -> _Column:
    """Return for each chunk of a type the first chunk with the beginning of the type, or -1."""
    shown = np.full(len(symbols) + 1, -1, np.int64)
    begin = np.append(symbols.start_line, 0)[symbol]
    begins = (begin >= chunks.start_line) & (begin <= chunks.end_line)
    begins &= np.append(_types(symbols), False)[symbol]
    places = np.flatnonzero(begins)[::-1]  # reversed, so that the first chunk is written last
    shown[symbol[places]] = places
    return np.where(symbol < 0, -1, shown[symbol]).astype(np.int32)
