"""Which chunks declare the things that a query calls by their exact names."""

import re
from collections.abc import Iterator
from itertools import accumulate
from typing import Any

import numpy as np

from retrievers.interface import Chunks, Integers
from retrievers.lexical.identifiers import identifiers
from retrievers.lexical.placing import declared_in_each
from retrievers.source import Symbols

_WORD = re.compile(r"\w+")


class DefinedNames:
    """What the chunks of a repository declare, by the last part of its name."""

    def __init__(self, symbols: Symbols, chunks: Chunks) -> None:
        self._symbols, self._headers = symbols, chunks.headers
        self._rows: dict[str, list[int]] = {}
        for row, name in enumerate(symbols.names):
            self._rows.setdefault(name.rpartition(".")[2], []).append(row)
        self._declared = declared_in_each(symbols, chunks)
        self._chunks: dict[int, list[int]] = {}
        for chunk, rows in enumerate(self._declared):
            for row in rows:
                self._chunks.setdefault(row, []).append(chunk)

    def chunks_of(self, query: str) -> list[int]:
        """Return the chunks that declare something that the query names."""
        return sorted({chunk for name in identifiers(query) for chunk in self._called(name)})

    def _called(self, identifier: str) -> Iterator[int]:
        """Yield the chunks of definitions of that name; a qualifier may leave out names between.

        A qualifier counts where the path, the chunk or its header has it. Others are told outside
        of the chunk.
        """
        *around, last = identifier.split(".")
        for row in self._rows.get(last, ()):
            parts = self._symbols.names[row].split(".")
            if not _in_order(around, parts[:-1]):
                continue
            own = int(self._symbols.own_parts[row])
            told = {*parts[: int(self._symbols.path_parts[row])], *parts[-own:]}
            for chunk in self._chunks.get(row, ()):
                if all(name in told or self._tells(chunk, name) for name in around):
                    yield chunk

    def _tells(self, chunk: int, name: str) -> bool:
        """Whether a chunk declares a name, or its header has it."""
        names = (self._symbols.names[row] for row in self._declared[chunk])
        header = self._headers[chunk] if self._headers else ""
        declares = any(declared.rpartition(".")[2] == name for declared in names)
        return declares or name in _WORD.findall(header)


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
