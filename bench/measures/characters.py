"""Counts of the characters of documents that are not white space, from byte offsets.

Overlap, coverage and the measures in characters count these characters. Indentation and blank
lines would otherwise decide: in nested code a third of a span's characters can be spaces.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from retrievers.interface import Documents

Integers = np.ndarray[Any, np.dtype[np.int64]]
Bytes = np.ndarray[Any, np.dtype[np.uint8]]

_BLOCK = 256
"""Bytes of a block. Counts within a block fit into a byte each."""
_ASCII_SPACE = [9, 10, 11, 12, 13, 28, 29, 30, 31, 32]
_WITHIN_A_CHARACTER = 0b10  # the leading bits of UTF-8's continuation bytes
_BEGINS_CHARACTER = bytes(byte >> 6 != _WITHIN_A_CHARACTER for byte in range(256))
_COUNTS = bytes(_BEGINS_CHARACTER[byte] and byte not in _ASCII_SPACE for byte in range(256))
_WIDE_SPACES = [
    *("\u0085", "\u00a0", "\u1680", *map(chr, range(0x2000, 0x200B))),
    *("\u2028", "\u2029", "\u202f", "\u205f", "\u3000"),
]
_LEADS = {space.encode()[0] for space in _WIDE_SPACES}
_BEGINS_WIDE_SPACE = bytes(byte in _LEADS for byte in range(256))


@dataclass(frozen=True)
class Characters:
    """Number of characters of documents before any byte."""

    documents: Documents
    white_space: bool = False
    """Whether to count white space, like published studies of chunking."""

    @cached_property
    def starts(self) -> Integers:
        """Byte at which each document begins in all documents joined."""
        return np.concatenate([[0], self.documents.ends[:-1]]).astype(np.int64)

    def before(self, document: np.ndarray[Any, Any], byte: np.ndarray[Any, Any]) -> Integers:
        """Return the number of characters of a document that begin before a byte of it."""
        return self._counts.before(np.asarray(document), np.asarray(byte))

    @cached_property
    def _counts(self) -> "_Counts":
        return _Counts(self.documents, _BEGINS_CHARACTER if self.white_space else _COUNTS)


class _Counts:
    """Number of characters before any byte of the requested documents.

    Most documents of a repository are neither ranked nor relevant, so documents are counted on
    demand. Once the requests reach a quarter of the text, all of it is counted.
    """

    def __init__(self, documents: Documents, table: bytes) -> None:
        self._documents, self._table = documents, table
        self._places = np.full(len(documents), -1, np.int64)
        """Byte at which each document begins in the counted text, or -1 if not yet counted."""
        self._blocks, self._within = np.zeros(1, np.int64), np.zeros(0, np.uint8)

    def before(self, document: np.ndarray[Any, Any], byte: np.ndarray[Any, Any]) -> Integers:
        """Return the number of characters of each document that begin before a byte of it."""
        unknown = document[self._places[document] < 0]
        if unknown.size:
            self._count(np.unique(unknown))
        start = self._places[document]
        return self._before(start + byte) - self._before(start)

    def _before(self, place: Integers) -> Integers:
        return np.asarray(self._blocks[place // _BLOCK] + self._within[place], np.int64)

    def _count(self, documents: Integers) -> None:
        content, sizes = self._documents.content, np.diff(self._documents.ends, prepend=0)
        if 4 * (len(self._within) + int(sizes[documents].sum())) > len(content):
            documents = np.flatnonzero(self._places < 0)
        ends = self._documents.ends[documents]
        pieces = [
            content[end - size : end] for end, size in zip(ends, sizes[documents], strict=True)
        ]
        counted = _blocks_of(np.concatenate(pieces), self._table)
        self._places[documents] = (
            len(self._within) + np.cumsum(sizes[documents]) - sizes[documents]
        )
        totals = counted.sum(axis=1, dtype=np.int64)
        self._blocks = np.append(self._blocks, self._blocks[-1] + np.cumsum(totals))
        # Including the byte itself, a sum may reach 256 and wrap to 0; subtracting it wraps back.
        within = np.cumsum(counted, axis=1, dtype=np.uint8) - counted
        self._within = np.append(self._within, within)


def _blocks_of(content: Bytes, table: bytes) -> Bytes:
    """Return 1 for each byte that begins a counted character, in blocks.

    The last block has room for a position after the last byte. Counts take one byte of memory per
    byte of text, where plain sums would need eight.
    """
    counted = np.zeros((len(content) // _BLOCK + 1, _BLOCK), np.uint8)
    marked = _marked(content, table).copy()
    if table is _COUNTS:
        marked[_wide_spaces(content)] = False
    counted.reshape(-1)[: len(content)] = marked
    return counted


def _marked(content: Bytes, table: bytes) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Look up each byte in a table of 256; NumPy's indexing takes ten times as long."""
    return np.frombuffer(content.tobytes().translate(table), np.bool_)


def _wide_spaces(content: Bytes) -> Integers:
    """Return the offsets at which white space of several bytes begins."""
    begins = np.flatnonzero(_marked(content, _BEGINS_WIDE_SPACE))
    following = np.append(content, np.zeros(2, np.uint8))
    is_space = np.zeros(len(begins), np.bool_)
    for space in map(str.encode, _WIDE_SPACES) if len(begins) else ():
        matched = [following[begins + n] == byte for n, byte in enumerate(space)]
        is_space |= np.logical_and.reduce(matched)
    return np.asarray(begins[is_space])
