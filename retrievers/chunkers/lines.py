"""The chunker that packs whole lines.

Only a line that is larger than a chunk is cut. The cut is between two tokens and between two
characters.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from retrievers.chunkers.line_starts import cut_pages
from retrievers.chunkers.page import Page, Place
from retrievers.chunkers.rows import Row, check_sizes
from retrievers.interface import Chunks, Documents, TokenEnds


@dataclass(frozen=True)
class Lines:
    """Packs whole lines into chunks of at most `size` tokens, with `overlap` tokens repeated.

    A chunk begins at the first line that is at most `overlap` tokens before the end of the
    previous chunk and leaves room for a new line.
    """

    size: int = 512
    overlap: int = 0

    def __post_init__(self) -> None:
        """Raise an error for sizes out of range."""
        check_sizes(self.size, self.overlap)

    def cut(self, documents: Documents, tokens: TokenEnds) -> Chunks:
        """Return chunks of whole lines, in order."""
        return cut_pages(documents, tokens, self._rows)

    def _rows(self, page: Page) -> Iterator[Row]:
        start = page.line_start(0)
        while True:
            end = self._end(page, start)
            yield page.row(start, end)
            if end.line == page.end:
                return
            start = page.resumed(start, end, size=self.size, overlap=self.overlap)

    def _end(self, page: Page, start: Place) -> Place:
        """Return the last line start that fits, or the last place inside the line if none fits."""
        line = page.last_line_within(start.token + self.size, after=start.line)
        return page.line_start(line) if line > start.line else page.inside(start, self.size)
