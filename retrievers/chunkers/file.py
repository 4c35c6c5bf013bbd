"""One chunk per file: the baseline for the other chunkers."""

from dataclasses import dataclass

from retrievers.chunkers.rows import Row, gathered
from retrievers.interface import Chunks, Documents, TokenEnds


@dataclass(frozen=True)
class File:
    """Make one chunk of each file."""

    def cut(self, documents: Documents, tokens: TokenEnds) -> Chunks:
        """Return one chunk for each file that is not empty."""
        filled = (place for place in range(len(documents)) if documents.size(place))
        return gathered(
            Row(
                document=document,
                start_byte=0,
                end_byte=documents.size(document),
                start_line=1,
                end_line=len(documents.line_starts(document)),
                start_token=0,
                end_token=len(tokens.of(document)),
            )
            for document in filled
        )
