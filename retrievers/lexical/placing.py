"""Which definitions a chunk declares: those whose names are in its own text."""

from typing import Any

import numpy as np

from retrievers.interface import Chunks, Integers
from retrievers.source import Symbols

_BYTES = 1 << 32
"""More bytes than a document has: a place is the document times this, plus the offset."""

Pairs = tuple[Integers, Integers]
"""Numbers of chunks and of definitions, in the order of the chunks and then the definitions."""


def declared(symbols: Symbols, chunks: Chunks) -> Pairs:
    """Return each chunk with each definition whose declaration names it there.

    The declaration decides, not where the definition starts: a chunk that ends between an
    attribute and the name does not tell the name.
    """
    places = _places(symbols.document, symbols.declared_byte)
    order = np.argsort(places, kind="stable")
    first = np.searchsorted(places[order], _places(chunks.document, chunks.start_byte))
    last = np.searchsorted(places[order], _places(chunks.document, chunks.end_byte))
    counts = np.maximum(last - first, 0)
    chunk = np.repeat(np.arange(len(chunks)), counts)
    within = np.arange(len(chunk)) - np.repeat(np.cumsum(counts) - counts, counts)
    row = order[np.repeat(first, counts) + within]
    kept = symbols.named_byte[row] <= chunks.end_byte[chunk]
    chunk, row = chunk[kept], row[kept]
    sorted_ = np.lexsort((row, chunk))
    return chunk[sorted_], row[sorted_]


def declared_in_each(symbols: Symbols, chunks: Chunks) -> list[list[int]]:
    """Return for each chunk the definitions whose names are in its own text."""
    chunk, row = declared(symbols, chunks)
    edges = np.searchsorted(chunk, np.arange(1, len(chunks)))
    return [part.tolist() for part in np.split(row, edges)][: len(chunks)]


def _places(document: Any, offset: Any) -> Integers:
    return np.asarray(np.asarray(document, np.int64) * _BYTES + offset)
