"""Cutting at line breaks: whole lines, as many as fit a number of tokens.

A token belongs to the line in which it starts. Only a line that is larger than a chunk may be is
cut inside, between two tokens and between two characters.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from retrievers.chunkers.rows import ChunkerError, Row, gathered
from retrievers.chunkers.tokens import starts_character, starts_of
from retrievers.interface import Chunks, Documents, TokenEnds

SIZES = range(16, 8192 + 1)


@dataclass(frozen=True)
class Lines:
    """Packs whole lines into chunks of at most `size` tokens, `overlap` of them shown again.

    A chunk begins at the first line that is at most `overlap` tokens before the end of the chunk
    before it and leaves room for a new line.
    """

    size: int = 512
    overlap: int = 0

    def __post_init__(self) -> None:
        """Refuse sizes that cannot be meant."""
        if self.size not in SIZES:
            message = f"size={self.size}: a chunk has {SIZES[0]} to {SIZES[-1]} tokens"
            raise ChunkerError(message)
        if self.overlap not in range(self.size):
            message = f"overlap={self.overlap}: choose 0 to {self.size - 1}, less than the size"
            raise ChunkerError(message)

    def cut(self, documents: Documents, tokens: TokenEnds) -> Chunks:
        """Return chunks of whole lines, in order."""
        filled = (place for place in range(len(documents)) if documents.size(place))
        pages = (_Page.of(documents, tokens, document) for document in filled)
        return gathered(row for page in pages for row in self._rows(page))

    def _rows(self, page: "_Page") -> Iterator[Row]:
        start = page.line_start(0)
        while True:
            end = page.end_of_chunk(start, self.size)
            yield Row(
                document=page.document,
                start_byte=start.byte,
                end_byte=end.byte,
                start_line=start.line + 1,
                end_line=end.line + (not page.begins_line(end)),
                start_token=start.token,
                end_token=end.token,
            )
            if end.line == len(page.line_tokens) - 1:
                return
            start = self._resumed(page, start, end)

    def _resumed(self, page: "_Page", start: "_Place", end: "_Place") -> "_Place":
        """Return where the chunk after the one from `start` to `end` begins."""
        if not self.overlap or not page.begins_line(end):
            return end
        # A chunk that repeats so much that no new line fits would never get on.
        new = page.line_tokens[end.line + 1] - end.token
        repeated = min(self.overlap, self.size - new)
        if repeated <= 0:
            return end
        line = bisect_left(page.line_tokens, end.token - repeated, lo=start.line + 1)
        return page.line_start(min(line, end.line))


class _Place(NamedTuple):
    """A place between two tokens; lines are counted from 0."""

    line: int
    byte: int
    token: int


@dataclass(frozen=True)
class _Page:
    """A document's lines: where each begins, in bytes and in tokens, and where the last ends."""

    document: int
    content: memoryview
    token_ends: np.ndarray[Any, np.dtype[np.int32]]
    line_bytes: list[int]
    line_tokens: list[int]

    @classmethod
    def of(cls, documents: Documents, tokens: TokenEnds, document: int) -> "_Page":
        """Return the page of a document."""
        line_bytes = documents.line_starts(document)
        ends = tokens.of(document)
        line_tokens = np.searchsorted(starts_of(ends), line_bytes)
        stop, size = int(documents.ends[document]), documents.size(document)
        return cls(
            document=document,
            content=documents.content[stop - size : stop].data,
            token_ends=ends,
            line_bytes=[*line_bytes.tolist(), size],
            line_tokens=[*line_tokens.tolist(), len(ends)],
        )

    def line_start(self, line: int) -> _Place:
        """Return where a line begins."""
        return _Place(line, self.line_bytes[line], self.line_tokens[line])

    def begins_line(self, place: _Place) -> bool:
        """Say whether a line begins at `place`, or the document ends."""
        return place.byte == self.line_bytes[place.line]

    def end_of_chunk(self, start: _Place, size: int) -> _Place:
        """Return the last line start, else the last place, up to `size` tokens from `start`."""
        line = bisect_right(self.line_tokens, start.token + size, lo=start.line + 1) - 1
        return self.line_start(line) if line > start.line else self._inside(start, size)

    def _inside(self, start: _Place, size: int) -> _Place:
        """Return the last place inside a line, up to `size` tokens from `start`."""
        token = start.token + size
        while not starts_character(self.content, int(self.token_ends[token - 1])):
            token -= 1
        return _Place(start.line, int(self.token_ends[token - 1]), token)
