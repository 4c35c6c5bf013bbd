"""The chunker that packs whole sentences."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, starmap

import numpy as np

from retrievers.chunkers.line_starts import Column, cut_pages
from retrievers.chunkers.page import Page, Place
from retrievers.chunkers.rows import Row, check_sizes
from retrievers.chunkers.tokens import starts_character
from retrievers.interface import Chunks, Documents, TokenEnds

# The end of a sentence: a punctuation mark, closing quotes or brackets, and white space.
# Full-width marks need no white space. An empty line always ends a sentence.
_END = re.compile(
    rb"[.!?][\"')\]]*\s+|(?:\xe3\x80\x82|\xef\xbc[\x81\x9f])\s*|\n[ \t\r]*\n\s*", re.ASCII
)


@dataclass(frozen=True)
class Sentence:
    """Packs whole sentences into chunks of at most `size` tokens."""

    size: int = 512
    overlap: int = 0

    def __post_init__(self) -> None:
        """Raise an error for sizes out of range."""
        check_sizes(self.size, self.overlap)

    def cut(self, documents: Documents, tokens: TokenEnds) -> Chunks:
        """Return chunks that end with a sentence, in order."""
        return cut_pages(documents, tokens, self._rows)

    def _rows(self, page: Page) -> Iterator[Row]:
        places = sentence_places(page, self.size)
        tokens = [place.token for place in places]
        start, last = 0, len(places) - 1
        while True:
            end = bisect_right(tokens, tokens[start] + self.size, lo=start + 1) - 1
            yield page.row(places[start], places[end])
            if end == last:
                return
            start = self._resumed(tokens, start, end)

    def _resumed(self, tokens: list[int], start: int, end: int) -> int:
        """Return the first sentence of the next chunk, with room for at least one new sentence."""
        repeated = min(self.overlap, self.size - (tokens[end + 1] - tokens[end]))
        if repeated <= 0:
            return end
        return min(bisect_left(tokens, tokens[end] - repeated, lo=start + 1), end)


def single_sentences(documents: Documents, tokens: TokenEnds, size: int) -> Chunks:
    """Return each sentence as a chunk. A sentence of more than `size` tokens is cut."""

    def rows(page: Page) -> Iterator[Row]:
        return starmap(page.row, pairwise(sentence_places(page, size)))

    return cut_pages(documents, tokens, rows)


def sentence_places(page: Page, size: int) -> list[Place]:
    """Return the starts of sentences and the end of the page, at most `size` tokens apart."""
    starts = np.append(0, page.token_ends)[:-1].astype(np.int32)
    found = [page.line_start(0)]
    ends = [match.end() for match in _END.finditer(page.content.tobytes())]
    for byte in (*ends, len(page.content)):
        place = _place_up_to(page, starts, byte)
        while place.token - found[-1].token > size:
            found.append(page_place(page, _cut_at(page, found[-1].token + size)))
        if place.byte > found[-1].byte:
            found.append(place)
    return found


def page_place(page: Page, token: int) -> Place:
    """Return the place before a token."""
    if token >= len(page.token_ends):
        return page.line_start(page.end)
    byte = int(page.token_ends[token - 1]) if token else 0
    return Place(bisect_right(page.line_bytes, byte) - 1, byte, token)


def _place_up_to(page: Page, starts: Column, byte: int) -> Place:
    """Return the last place at or before a byte that is between tokens and between characters.

    The token of a word begins with the space before it, so a sentence ends before its last space.
    """
    if byte >= len(page.content):
        return page.line_start(page.end)
    token = int(np.searchsorted(starts, byte, "right")) - 1
    while not starts_character(page.content.data, int(starts[token])):
        token -= 1
    return page_place(page, token)


def _cut_at(page: Page, token: int) -> int:
    """Return the last token at or before `token` that begins at the start of a character."""
    while not starts_character(page.content.data, int(page.token_ends[token - 1])):
        token -= 1
    return token
