"""Byte offsets of a document as the characters that people count, and as lines."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from retrievers.interface import Documents

_WITHIN_A_CHARACTER = 0b10  # the leading bits of UTF-8's continuation bytes


@dataclass(frozen=True)
class Offsets:
    """A document in which offsets are looked up; all of them count from 0."""

    documents: Documents
    document: int

    @property
    def size(self) -> int:
        """The number of bytes."""
        return self.documents.size(self.document)

    @property
    def characters(self) -> int:
        """The number of characters, white space included."""
        return len(self._begins)

    def byte_of(self, character: int) -> int:
        """Return the byte at which a character begins; the size for the one after the last."""
        return int(self._begins[character]) if character < len(self._begins) else self.size

    def character_of(self, byte: int) -> int:
        """Return how many characters begin before a byte."""
        return int(np.searchsorted(self._begins, byte))

    def bytes_of_lines(self, first: int, last: int) -> tuple[int, int]:
        """Return the bytes of lines, which count from 1 and are both included."""
        end = int(self.lines[last]) if last < len(self.lines) else self.size
        return int(self.lines[first - 1]), end

    def lines_of_bytes(self, start: int, end: int) -> tuple[int, int]:
        """Return the first and the last line of the bytes up to `end`, which is not included."""
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
