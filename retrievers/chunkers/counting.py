"""Sizes of chunks in other tokens than those of the chunker."""

from dataclasses import replace

import numpy as np

from retrievers.chunkers.line_starts import before
from retrievers.interface import Chunks, Documents, TokenEnds


def recounted(chunks: Chunks, documents: Documents, tokens: TokenEnds) -> Chunks:
    """Return the chunks with their token numbers among `tokens`.

    A token across a boundary is counted in both chunks, since a reader of either one pays for it.
    """
    base, first = before(documents.ends), before(tokens.stops)
    ends = tokens.ends + np.repeat(base, np.diff(tokens.stops, prepend=0))
    own, start_byte, end_byte = chunks.document, chunks.start_byte, chunks.end_byte
    starts = np.searchsorted(ends, base[own] + start_byte, side="right") - first[own]
    stops = np.searchsorted(ends, base[own] + end_byte, side="left") + 1 - first[own]
    stops = np.where(end_byte > start_byte, stops, starts)
    return replace(chunks, start_token=starts.astype(np.int32), end_token=stops.astype(np.int32))
