"""The chunker that cuts after a fixed number of tokens."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from retrievers.chunkers.line_starts import cut_pages
from retrievers.chunkers.page import Page, Place
from retrievers.chunkers.rows import Row, check_sizes
from retrievers.chunkers.tokens import starts_character
from retrievers.interface import Chunks, Documents, TokenEnds


@dataclass(frozen=True)
class Tokens:
    """Cuts every `size` tokens, with `overlap` tokens repeated. Never cuts inside a character."""

    size: int = 512
    overlap: int = 0

    def __post_init__(self) -> None:
        """Raise an error for sizes out of range."""
        check_sizes(self.size, self.overlap)

    def cut(self, documents: Documents, tokens: TokenEnds) -> Chunks:
        """Return chunks with equal numbers of tokens, in order. The last one may be smaller."""
        return cut_pages(documents, tokens, self._rows)

    def _rows(self, page: Page) -> Iterator[Row]:
        start, end = Place(0, 0, 0), _place_at(page, self.size)
        while True:
            yield page.row(start, end)
            if end.line == page.end:
                return
            start, end = self._next(page, start, end)

    def _next(self, page: Page, start: Place, end: Place) -> tuple[Place, Place]:
        """Return the next chunk, without overlap if an overlap would leave no progress."""
        again = _place_at(page, end.token - self.overlap)
        further = _place_at(page, again.token + self.size)
        if again.token > start.token and further.token > end.token:
            return again, further
        return end, _place_at(page, end.token + self.size)


def _place_at(page: Page, token: int) -> Place:
    """Return the last place between characters at or before `token` and the end of the page."""
    if token >= len(page.token_ends):
        return page.line_start(page.end)
    while token > 0 and not starts_character(page.content.data, int(page.token_ends[token - 1])):
        token -= 1
    byte = int(page.token_ends[token - 1]) if token > 0 else 0
    return Place(bisect_right(page.line_bytes, byte) - 1, byte, max(token, 0))
