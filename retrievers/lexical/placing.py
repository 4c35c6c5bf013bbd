"""Which definitions a chunk holds: those that begin in it, and the one that it continues."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from retrievers.interface import Chunks, Integers
from retrievers.source import Symbols

_BYTES = 1 << 32
"""More bytes than a document has: a place is the document times this, plus the offset."""


def begun(symbols: Symbols, chunks: Chunks) -> tuple[Integers, Integers]:
    """Return, for each chunk, its first definition and the one after its last."""
    places = _places(symbols.document, symbols.start_byte)
    first = np.searchsorted(places, _places(chunks.document, chunks.start_byte))
    last = np.searchsorted(places, _places(chunks.document, chunks.end_byte))
    return first, np.maximum(first, last)


def held(symbols: Symbols, chunks: Chunks) -> Iterator[list[int]]:
    """Yield for each chunk the definition that it begins within, and those that begin in it."""
    firsts, lasts = begun(symbols, chunks)
    for chunk, (first, last) in enumerate(zip(firsts.tolist(), lasts.tolist(), strict=True)):
        document, start = int(chunks.document[chunk]), int(chunks.start_byte[chunk])
        around = _around(symbols, first - 1, document, start)
        yield [*around, *range(first, last)]


def _around(symbols: Symbols, row: int, document: int, offset: int) -> list[int]:
    """Return the innermost definition from `row` outwards that reaches beyond the offset."""
    while row >= 0 and symbols.document[row] == document:
        if symbols.end_byte[row] > offset:
            return [row]
        row = int(symbols.parent[row])
    return []


def _places(document: Any, offset: Any) -> Integers:
    return np.asarray(np.asarray(document, np.int64) * _BYTES + offset)
