"""The definitions that a chunk declares: their names are in the text of the chunk."""

from typing import Any

import numpy as np

from retrievers.interface import Chunks, Integers
from retrievers.source import Symbols

_BYTES = 1 << 32
"""Limit of the bytes of a document. A place is the document times this, plus the offset."""

Pairs = tuple[Integers, Integers]
"""Numbers of chunks and of their definitions, ordered by chunk and then by definition."""


def declared(symbols: Symbols, chunks: Chunks) -> Pairs:
    """Return the pairs of a chunk and a definition whose name is declared in the chunk.

    The position of the name decides, not the start of the definition: a chunk that ends between an
    attribute and the name does not have the name.
    """
    places = _places(symbols.document, symbols.declared_byte)
    order = np.argsort(places, kind="stable")
    # The definitions of a chunk are one range of `order`, which is expanded into pairs below.
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
    """Return for each chunk the definitions whose names are in its text."""
    chunk, row = declared(symbols, chunks)
    edges = np.searchsorted(chunk, np.arange(1, len(chunks)))
    return [part.tolist() for part in np.split(row, edges)][: len(chunks)]


def _places(document: Any, offset: Any) -> Integers:
    return np.asarray(np.asarray(document, np.int64) * _BYTES + offset)
