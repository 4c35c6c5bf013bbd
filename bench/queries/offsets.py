"""Conversion between bytes, characters and lines of a document."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from retrievers.interface import Documents

_WITHIN_A_CHARACTER = 0b10  # the leading bits of UTF-8's continuation bytes


@dataclass(frozen=True)
class Offsets:
    """Offsets of a document; all of them count from 0."""

    documents: Documents
    document: int

    @property
    def size(self) -> int:
        """The number of bytes."""
        return self.documents.size(self.document)

    @property
    def characters(self) -> int:
        """The number of characters, including white space."""
        return len(self._begins)

    def byte_of(self, character: int) -> int:
        """Return the byte at which a character begins, or the size for the end of the text."""
        return int(self._begins[character]) if character < len(self._begins) else self.size

    def character_of(self, byte: int) -> int:
        """Return the number of characters that begin before a byte."""
        return int(np.searchsorted(self._begins, byte))

    def bytes_of_lines(self, first: int, last: int) -> tuple[int, int]:
        """Return the byte range of lines, which count from 1 and are inclusive."""
        end = int(self.lines[last]) if last < len(self.lines) else self.size
        return int(self.lines[first - 1]), end

    def lines_of_bytes(self, start: int, end: int) -> tuple[int, int]:
        """Return the first and last line of a byte range with an exclusive end."""
        first, last = np.searchsorted(self.lines, [start, max(end - 1, start)], side="right")
        return int(first), int(last)

    @cached_property
    def lines(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """The byte at which each line begins."""
        return self.documents.line_starts(self.document)

    @cached_property
    def _begins(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        content = np.frombuffer(self.documents.source(self.document), np.uint8)
        return np.flatnonzero(content >> 6 != _WITHIN_A_CHARACTER)
