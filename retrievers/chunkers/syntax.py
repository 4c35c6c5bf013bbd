"""The chunker that cuts between definitions, and inside a definition only if it is too large."""

from dataclasses import dataclass

from retrievers.chunkers.breaks import Breaks
from retrievers.chunkers.definitions import definition_breaks
from retrievers.chunkers.packing import pack
from retrievers.chunkers.rows import check_sizes
from retrievers.interface import Chunks, Documents, TokenEnds
from retrievers.source import Symbols


@dataclass(frozen=True)
class Syntax:
    """Packs whole definitions into chunks of at most `size` tokens.

    Files without definitions have the same chunks as with `Recursive`.
    """

    size: int = 512
    overlap: int = 0

    def __post_init__(self) -> None:
        """Raise an error for sizes out of range."""
        check_sizes(self.size, self.overlap)

    def cut(self, documents: Documents, tokens: TokenEnds, symbols: Symbols) -> Chunks:
        """Return chunks that end between definitions where possible, in order."""
        return self.pack(documents, tokens, definition_breaks(documents, tokens, symbols))

    def pack(self, documents: Documents, tokens: TokenEnds, breaks: Breaks) -> Chunks:
        """Return the chunks, given the breaks."""
        return pack(documents, tokens, breaks, size=self.size, overlap=self.overlap)
