"""The chunks that show symbols, for rankings of chunks."""

from typing import Any

import numpy as np

from retrievers.graph.scoring import Scored
from retrievers.interface import Chunks, Floats, Integers
from retrievers.source import Symbols

_BYTES = 1 << 32
"""Limit of the bytes of a document. A place is the document times this, plus the offset."""


def chunk_of_symbols(symbols: Symbols, chunks: Chunks) -> Integers:
    """Return the chunk that shows each symbol, or -1 if there is none.

    This is the chunk in which the symbol begins. If this chunk shares less than half of the
    shorter of the two with the symbol, it is the next chunk.
    """
    if not len(chunks):
        return np.full(len(symbols), -1)
    document, start, end = (
        np.asarray(field, np.int64)
        for field in (symbols.document, symbols.start_byte, symbols.end_byte)
    )
    begins = np.asarray(chunks.document, np.int64) * _BYTES + chunks.start_byte
    # Chunks are sorted by place: `first` is the last one that begins at or before the symbol.
    first = np.searchsorted(begins, document * _BYTES + start, "right") - 1
    behind = np.minimum(first + 1, len(chunks) - 1)
    is_thin = 2 * _shared(chunks, first, start, end) < _shorter(chunks, first, start, end)
    moves = is_thin & (chunks.document[behind] == document)
    found = np.where(moves & (chunks.start_byte[behind] < end), behind, first)
    is_inside = (found >= 0) & (chunks.document[found] == document)
    return np.where(is_inside, found, -1)


def chunk_scores(scored: Scored, home: Integers, chunk_count: int) -> Floats:
    """Return the score of the best symbol that each chunk shows, or 0 if there is none."""
    scores = np.zeros(chunk_count, np.float32)
    chunk = home[scored.node]
    shown = chunk >= 0
    np.maximum.at(scores, chunk[shown], scored.score[shown].astype(np.float32))
    return scores


def _shared(chunks: Chunks, chunk: Integers, start: Any, end: Any) -> Integers:
    first, last = chunks.start_byte[chunk], chunks.end_byte[chunk]
    return np.asarray(np.minimum(end, last) - np.maximum(start, first), np.int64)


def _shorter(chunks: Chunks, chunk: Integers, start: Any, end: Any) -> Integers:
    length = chunks.end_byte[chunk].astype(np.int64) - chunks.start_byte[chunk]
    return np.asarray(np.minimum(end - start, length), np.int64)
