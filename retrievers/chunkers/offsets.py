"""Chunks that an external chunker has given as character offsets."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from retrievers.chunkers.counting import recounted
from retrievers.chunkers.rows import Row, gathered
from retrievers.errors import ChunkerError
from retrievers.interface import Chunks, Documents, TokenEnds

Offsets = Sequence[tuple[int, int]]
"""Pairs of the first character and the character after the last, from 0."""


def chunks_of_offsets(
    documents: Documents, tokens: TokenEnds, offsets: Sequence[Offsets]
) -> Chunks:
    """Return the chunks of all documents, sorted, without duplicates. They may leave gaps."""
    rows = [
        row
        for document, own in enumerate(offsets)
        for row in _rows(documents, document, sorted(set(own)))
    ]
    return recounted(gathered(rows), documents, tokens)


def _rows(documents: Documents, document: int, offsets: Offsets) -> list[Row]:
    starts = _character_starts(documents, document)
    lines = documents.line_starts(document)
    found = []
    for start, end in offsets:
        if not 0 <= start < end < len(starts):
            length, path = len(starts) - 1, documents.paths[document]
            raise ChunkerError(
                f"characters {start} to {end} of {path} are empty or not in it: it has {length},"
                " and the end is not included"
            )
        first, last = int(starts[start]), int(starts[end])
        line, end_line = (int(n) for n in np.searchsorted(lines, [first, last - 1], "right"))
        found.append(Row(document, first, last, line, end_line, 0, 0))
    return found


def _character_starts(documents: Documents, document: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return the byte offset of every character of a document, and its size in bytes."""
    end = int(documents.ends[document])
    content = documents.content[end - documents.size(document) : end]
    starts = np.flatnonzero((content & 0xC0) != 0x80)  # noqa: PLR2004  # continuation bytes are 10xxxxxx
    return np.append(starts, len(content))
