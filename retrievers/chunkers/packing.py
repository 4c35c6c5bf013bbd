"""Packing lines into chunks that end where the text itself has its strongest break.

Every line has a level: how bad it is to begin a chunk there, 0 being best. What makes a level is
the business of `breaks` and `definitions`; here it only matters which is smaller.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from retrievers.chunkers.page import Page, Place
from retrievers.chunkers.rows import Row

_SMALL = 4
"""A chunk below this part of its size is not ended where what follows must be cut anyway."""


@dataclass(frozen=True)
class Packing:
    """Fills chunks of at most `size` tokens up to the strongest break that fits, the last one."""

    page: Page
    levels: Sequence[int]
    size: int
    overlap: int

    def rows(self) -> Iterator[Row]:
        """Return the chunks of the page, in order."""
        page, start = self.page, self.page.line_start(0)
        behind = 0
        while True:
            end = self._end(start, behind)
            yield page.row(start, end)
            if end.line == page.end:
                return
            start = page.resumed(start, end, size=self.size, overlap=self.overlap)
            behind = end.line

    def _end(self, start: Place, behind: int) -> Place:
        """Return where a chunk ends that must go further than the line `behind`."""
        page = self.page
        last = page.last_line_within(start.token + self.size, after=behind)
        if last == page.end:
            return page.line_start(last)
        if last <= behind:
            return page.inside_at_words(start, self.size)
        line = self._strongest(behind, last)
        enough = start.token + self.size // _SMALL
        while page.line_tokens[line] < enough and line < last and self._must_be_cut(line):
            line = self._strongest(line, last)
        return page.line_start(line)

    def _strongest(self, before: int, last: int) -> int:
        """Return the last of the lines with the lowest level, after `before` up to `last`."""
        window = self.levels[before + 1 : last + 1]
        lowest = min(window)
        return last - next(n for n, level in enumerate(reversed(window)) if level == lowest)

    def _must_be_cut(self, line: int) -> bool:
        """Say whether what begins at a line, up to a break as strong, is larger than a chunk."""
        page = self.page
        last = page.last_line_within(page.line_tokens[line] + self.size, after=line)
        if last == page.end:
            return False
        return (
            min(self.levels[line + 1 : last + 1], default=self.levels[line] + 1)
            > (self.levels[line])
        )
