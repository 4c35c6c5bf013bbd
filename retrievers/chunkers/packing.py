"""Packing lines into chunks that end where the text itself has its strongest break.

Every line has a level: how bad it is to begin a chunk there. What makes a level is the business
of `breaks` and `definitions`; here it only matters which is smaller.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from retrievers.chunkers.breaks import Breaks
from retrievers.chunkers.page import Page, Place
from retrievers.chunkers.rows import Row, gathered
from retrievers.interface import Chunks, Documents, TokenEnds

_SMALL = 4
"""A chunk below this part of its size is not ended where what follows must be cut anyway."""


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
    """Return each document that is not empty with the levels of its lines."""
    levels, first = breaks.level.tolist(), 0
    for page in breaks.pages(documents, tokens):
        yield page, levels[first : first + page.end]
        first += page.end


@dataclass(frozen=True)
class Packing:
    """Fills chunks up to the strongest break that fits, the last one of them."""

    page: Page
    levels: Sequence[int]
    size: int
    overlap: int

    def rows(self, first: int, stop: int) -> Iterator[Row]:
        """Return the chunks of the lines from `first` up to `stop`, in order."""
        page, start, behind = self.page, self.page.line_start(first), first
        while True:
            end = self._end(start, behind, stop)
            yield page.row(start, end)
            if end.line == stop:
                return
            start = page.resumed(start, end, size=self.size, overlap=self.overlap)
            behind = end.line

    def _end(self, start: Place, behind: int, stop: int) -> Place:
        """Return where a chunk ends that must go further than the line `behind`."""
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
        """Return the last of the lines with the lowest level, after `behind` up to `last`."""
        window = self.levels[last:behind:-1]
        return last - window.index(min(window))

    def _must_be_cut(self, line: int, stop: int) -> bool:
        """Say whether what begins at a line, up to a break as strong, is larger than a chunk."""
        page = self.page
        last = page.last_line_within(page.line_tokens[line] + self.size, after=line)
        if last >= stop:
            return False
        return last == line or min(self.levels[line + 1 : last + 1]) > self.levels[line]
