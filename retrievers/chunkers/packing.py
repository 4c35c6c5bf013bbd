"""Packing of lines into chunks that end at the strongest break that fits.

Every line has a level, which is lower for a better start of a chunk. `breaks` and `definitions`
compute the levels. Here only their order matters.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from retrievers.chunkers.breaks import Breaks
from retrievers.chunkers.page import Page, Place
from retrievers.chunkers.rows import Row, gathered
from retrievers.interface import Chunks, Documents, TokenEnds

_SMALL = 4
"""A chunk smaller than 1/4 of the size continues if the following section must be cut anyway."""


def pack(
    documents: Documents, tokens: TokenEnds, breaks: Breaks, *, size: int, overlap: int
) -> Chunks:
    """Return chunks of at most `size` tokens, each up to the strongest break that fits."""
    packings = (
        Packing(page, levels, size, overlap)
        for page, levels in pages_with_levels(documents, tokens, breaks)
    )
    return gathered(row for packing in packings for row in packing.rows(0, packing.page.end))


def pages_with_levels(
    documents: Documents, tokens: TokenEnds, breaks: Breaks
) -> Iterator[tuple[Page, list[int]]]:
    """Yield each document that is not empty with the levels of its lines."""
    levels, first = breaks.level.tolist(), 0
    for page in breaks.pages(documents, tokens):
        yield page, levels[first : first + page.end]
        first += page.end


@dataclass(frozen=True)
class Packing:
    """Fills each chunk up to the strongest break that fits, and up to the last of equal breaks."""

    page: Page
    levels: Sequence[int]
    size: int
    overlap: int

    def rows(self, first: int, stop: int) -> Iterator[Row]:
        """Yield the chunks of the lines from `first` to before `stop`, in order."""
        page, start, behind = self.page, self.page.line_start(first), first
        while True:
            end = self._end(start, behind, stop)
            yield page.row(start, end)
            if end.line == stop:
                return
            start = page.resumed(start, end, size=self.size, overlap=self.overlap)
            behind = end.line

    def _end(self, start: Place, behind: int, stop: int) -> Place:
        """Return the end of a chunk, after the line `behind`, where the previous chunk ended."""
        page = self.page
        last = page.last_line_within(start.token + self.size, after=behind)
        if last >= stop:
            return page.line_start(stop)
        if last <= behind:
            return page.inside_at_words(start, self.size)
        line = self._strongest(behind, last)
        enough = start.token + self.size // _SMALL
        while page.line_tokens[line] < enough and line < last and self._must_be_cut(line, stop):
            line = self._strongest(line, last)
        return page.line_start(line)

    def _strongest(self, behind: int, last: int) -> int:
        """Return the last line with the lowest level, from after `behind` to `last`."""
        # Reversed, because `index` finds the first minimum and the last one is wanted.
        window = self.levels[last:behind:-1]
        return last - window.index(min(window))

    def _must_be_cut(self, line: int, stop: int) -> bool:
        """Return whether the section from a line to the next break as strong exceeds a chunk."""
        page = self.page
        last = page.last_line_within(page.line_tokens[line] + self.size, after=line)
        if last >= stop:
            return False
        return last == line or min(self.levels[line + 1 : last + 1]) > self.levels[line]
