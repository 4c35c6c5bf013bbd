"""The starts of the lines of all documents, in bytes and in tokens, from one pass.

A token belongs to the line in which it starts.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from retrievers.chunkers.page import Page
from retrievers.chunkers.rows import Row, gathered
from retrievers.interface import Chunks, Documents, Integers, TokenEnds

Column = np.ndarray[Any, np.dtype[np.int32]]


@dataclass(frozen=True)
class LineStarts:
    """One row per line, in the order of the documents. Offsets are relative to the document."""

    byte: Column
    token: Column
    stops: Integers
    """For each document, the number of lines in it and all before it; 0 for an empty one."""

    @classmethod
    def of(cls, documents: Documents, tokens: TokenEnds) -> "LineStarts":
        """Return the lines of these documents."""
        starts = whole_line_starts(documents)
        stops = np.searchsorted(starts, documents.ends)
        counts = np.diff(stops, prepend=0)
        return cls(
            byte=(starts - np.repeat(before(documents.ends), counts)).astype(np.int32),
            token=_first_tokens(documents, tokens, starts)
            - np.repeat(before(tokens.stops), counts),
            stops=stops,
        )

    def pages(self, documents: Documents, tokens: TokenEnds) -> Iterator[Page]:
        """Yield a page for each document that is not empty."""
        bytes_of, tokens_of = self.byte.tolist(), self.token.tolist()
        first = 0
        for document, stop in enumerate(self.stops.tolist()):
            if stop > first:
                own, end = tokens.of(document), int(documents.ends[document])
                size = documents.size(document)
                yield Page(
                    document=document,
                    content=documents.content[end - size : end],
                    token_ends=own,
                    line_bytes=[*bytes_of[first:stop], size],
                    line_tokens=[*tokens_of[first:stop], len(own)],
                )
            first = stop


def cut_pages(
    documents: Documents, tokens: TokenEnds, rows: Callable[[Page], Iterator[Row]]
) -> Chunks:
    """Return the chunks of all pages, in order. `rows` cuts one page."""
    pages = LineStarts.of(documents, tokens).pages(documents, tokens)
    return gathered(row for page in pages for row in rows(page))


def _first_tokens(documents: Documents, tokens: TokenEnds, starts: Integers) -> Column:
    """Return the number of the first token at or after each line start, over all documents."""
    counts = np.diff(tokens.stops, prepend=0)
    ends = tokens.ends + np.repeat(before(documents.ends), counts)
    found = np.searchsorted(ends, starts) + 1
    found[starts == 0] = 0
    return found.astype(np.int32)


def before(stops: Integers) -> Integers:
    """Return the start of each part, given the cumulated stops of the parts."""
    return np.append(0, stops)[: len(stops)]


def whole_line_starts(documents: Documents) -> Integers:
    """Return the start of every line in the buffer of all documents."""
    content = documents.content
    firsts = before(documents.ends)[np.diff(documents.ends, prepend=0) > 0]
    breaks = np.flatnonzero(content == ord("\n")) + 1
    # A break at the end of a document is the start of the next document, or the end of the buffer.
    breaks = breaks[: np.searchsorted(breaks, len(content))]
    # The first line of a document starts without a break if the previous document has none.
    unannounced = firsts[(firsts == 0) | (content[firsts - 1] != ord("\n"))]
    return np.insert(breaks, np.searchsorted(breaks, unannounced), unannounced)
