"""Where the things begin that a query calls by their exact names."""

from collections.abc import Iterator
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
