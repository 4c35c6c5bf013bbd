"""The chunker that cuts at the strongest breaks of a text, from headings down to words."""

from dataclasses import dataclass

from retrievers.chunkers.breaks import Breaks, text_breaks
from retrievers.chunkers.packing import pack
from retrievers.chunkers.rows import check_sizes
from retrievers.interface import Chunks, Documents, TokenEnds


@dataclass(frozen=True)
class Recursive:
    """Packs sections, paragraphs and lines into chunks of at most `size` tokens."""

    size: int = 512
    overlap: int = 0

    def __post_init__(self) -> None:
        """Raise an error for sizes out of range."""
        check_sizes(self.size, self.overlap)

    def cut(self, documents: Documents, tokens: TokenEnds) -> Chunks:
        """Return chunks that end at the breaks of the text, in order."""
        return self.pack(documents, tokens, text_breaks(documents, tokens))

    def pack(self, documents: Documents, tokens: TokenEnds, breaks: Breaks) -> Chunks:
        """Return the chunks, given the breaks."""
        return pack(documents, tokens, breaks, size=self.size, overlap=self.overlap)
