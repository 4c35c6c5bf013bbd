"""Cutting at the strongest breaks of a text: headings, paragraphs, lines, sentences, words."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from retrievers.chunkers.breaks import line_levels
from retrievers.chunkers.packing import Packing
from retrievers.chunkers.page import pages
from retrievers.chunkers.rows import Row, check_sizes, gathered
from retrievers.interface import Chunks, Documents, TokenEnds


@dataclass(frozen=True)
class Recursive:
    """Packs sections, paragraphs and lines into chunks of at most `size` tokens."""

    size: int = 512
    overlap: int = 0

    def __post_init__(self) -> None:
        """Refuse sizes that cannot be meant."""
        check_sizes(self.size, self.overlap)

    def cut(self, documents: Documents, tokens: TokenEnds) -> Chunks:
        """Return chunks that end at the breaks of the text, in order."""
        return gathered(self._rows(documents, tokens))

    def _rows(self, documents: Documents, tokens: TokenEnds) -> Iterator[Row]:
        for page in pages(documents, tokens):
            starts = np.array(page.line_bytes[:-1])
            levels = line_levels(documents.paths[page.document], page.content, starts)
            yield from Packing(page, levels.tolist(), self.size, self.overlap).rows()
