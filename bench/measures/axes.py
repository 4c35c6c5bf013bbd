"""Where lines and tokens stand on an axis: of tokens, or of characters."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from bench.measures.ranges import Integers
from bench.measures.shown_tokens import TokenLines
from retrievers.interface import Documents, TokenEnds

_NEWLINE = ord("\n")
_WITHIN_A_CHARACTER = 0b10  # the leading bits of UTF-8's continuation bytes


class Axis(Protocol):
    """Measures text of documents."""

    def through(self, document: Integers, line: Integers) -> Integers:
        """Return how much text there is up to the end of a line; 0 for line 0."""
        ...

    def before(self, document: Integers, token: Integers) -> Integers:
        """Return how much text there is before a token."""
        ...


@dataclass(frozen=True)
class InTokens:
    """Counts tokens; a token belongs to the line in which it starts."""

    lines: TokenLines

    def through(self, document: Integers, line: Integers) -> Integers:
        """Return the tokens that start up to the end of a line."""
        return np.where(line > 0, self.lines.through(document, np.maximum(line, 1)), 0)

    def before(self, document: Integers, token: Integers) -> Integers:
        """Return the number of the token."""
        return token


@dataclass(frozen=True)
class InCharacters:
    """Counts characters; the first token of a line begins where the line does."""

    documents: Documents
    tokens: TokenEnds

    @cached_property
    def _starts(self) -> Integers:
        """Where each document begins, in bytes of all."""
        return np.concatenate([[0], self.documents.ends[:-1]]).astype(np.int64)

    @cached_property
    def _line_ends(self) -> Integers:
        """Where each line of all documents ends."""
        breaks = np.flatnonzero(self.documents.content == _NEWLINE) + 1
        return np.union1d(breaks, self.documents.ends)

    @cached_property
    def _continuations(self) -> Integers:
        return np.flatnonzero(self.documents.content >> 6 == _WITHIN_A_CHARACTER)

    def through(self, document: Integers, line: Integers) -> Integers:
        """Return the characters up to the end of a line."""
        first = np.searchsorted(self._line_ends, self._starts[document], side="right")
        place = np.minimum(first + line - 1, len(self._line_ends) - 1)
        end = np.minimum(self._line_ends[place], self.documents.ends[document])
        return np.where(line > 0, self._characters(document, end), 0)

    def before(self, document: Integers, token: Integers) -> Integers:
        """Return the characters before a token."""
        start, before = self._byte(document, token), self._byte(document, token - 1)
        line = np.searchsorted(self._line_ends, start, side="right") - 1
        begins = np.where(line >= 0, self._line_ends[line], 0)
        begins = np.maximum(begins, self._starts[document])
        whole = token >= self._count(document)
        return self._characters(document, np.where((before < begins) & ~whole, begins, start))

    def _count(self, document: Integers) -> Integers:
        return np.asarray(np.diff(self.tokens.stops, prepend=0)[document])

    def _byte(self, document: Integers, token: Integers) -> Integers:
        """Return where a token starts in all bytes; before the first, where nothing does."""
        first = self.tokens.stops[document] - self._count(document)
        ends = np.take(self.tokens.ends, first + token - 1, mode="clip")
        inside = np.where(token > 0, ends, np.minimum(token, 0))
        return self._starts[document] + inside

    def _characters(self, document: Integers, byte: Integers) -> Integers:
        start = self._starts[document]
        skipped = np.searchsorted(self._continuations, byte)
        skipped = skipped - np.searchsorted(self._continuations, start)
        return np.asarray(byte - start - skipped, np.int64)


def whole(axis: Axis, document: Integers) -> Integers:
    """Return how much text a document has."""
    last: Any = np.full(len(document), np.iinfo(np.int32).max, np.int64)
    return axis.through(document, last)
