"""Chunks that declare the symbols that a query mentions by their exact names."""

import re
from collections.abc import Iterator

import numpy as np

from retrievers.interface import Chunks
from retrievers.lexical.placing import declared
from retrievers.source import Symbols

_WORD = re.compile(r"\w+")


class DefinedNames:
    """Symbols that the chunks of a repository declare, by the last part of their names."""

    def __init__(self, symbols: Symbols, chunks: Chunks) -> None:
        self._symbols, self._headers = symbols, chunks.headers
        self._chunk, self._row = declared(symbols, chunks)
        by_row = np.argsort(self._row, kind="stable")
        self._rows_in_order, self._chunk_by_row = self._row[by_row], self._chunk[by_row]
        self._rows: dict[str, list[int]] = {}
        for row, name in enumerate(symbols.names):
            self._rows.setdefault(name.rpartition(".")[2], []).append(row)

    def called(self, identifier: str) -> tuple[list[int], int]:
        """Return the chunks that declare symbols of a name, and the number of these symbols.

        Several definitions of a name in one file, such as an overloaded method, are one symbol.
        """
        found = list(self._called(identifier))
        things = {(int(self._symbols.document[row]), self._symbols.names[row]) for row, _ in found}
        return sorted({chunk for _, chunk in found}), len(things)

    def _called(self, identifier: str) -> Iterator[tuple[int, int]]:
        """Yield definitions of a name and their chunks; the name may omit qualifiers.

        A qualifier counts if the path, the chunk or its header contains it. The others are visible
        only outside of the chunk.
        """
        *around, last = identifier.split(".")
        for row in self._rows.get(last, ()):
            parts = self._symbols.names[row].split(".")
            if not _in_order(around, parts[:-1]):
                continue
            own = int(self._symbols.own_parts[row])
            told = {*parts[: int(self._symbols.path_parts[row])], *parts[-own:]}
            start, stop = np.searchsorted(self._rows_in_order, [row, row + 1])
            for chunk in self._chunk_by_row[start:stop].tolist():
                if all(name in told or self._tells(chunk, name) for name in around):
                    yield row, chunk

    def _tells(self, chunk: int, name: str) -> bool:
        """Whether a chunk declares a name, or its header contains it."""
        start, stop = np.searchsorted(self._chunk, [chunk, chunk + 1])
        names = (self._symbols.names[row] for row in self._row[start:stop].tolist())
        header = self._headers[chunk] if self._headers else ""
        declares = any(own.rpartition(".")[2] == name for own in names)
        return declares or name in _WORD.findall(header)


def _in_order(wanted: list[str], among: list[str]) -> bool:
    """Whether `among` contains the wanted names in this order."""
    rest = iter(among)
    return all(name in rest for name in wanted)
