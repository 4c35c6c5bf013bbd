"""Counts the characters of documents that are not white space, from byte offsets.

These characters are what overlap, coverage and the measures of text in characters are counted
in. Indentation and blank lines would otherwise decide: in nested code a third of a span's
characters can be spaces.
"""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from retrievers.interface import Documents

Integers = np.ndarray[Any, np.dtype[np.int64]]

_BLOCK = 256
"""Bytes of a block: the counts within one fit into a byte each."""
_ASCII_SPACE = np.array([9, 10, 11, 12, 13, 28, 29, 30, 31, 32], np.uint8)
_WITHIN_A_CHARACTER = 0b10  # the leading bits of UTF-8's continuation bytes
_WIDE_SPACE = re.compile(
    "|".join(
        [
            *("\u0085", "\u00a0", "\u1680", *map(chr, range(0x2000, 0x200B))),
            *("\u2028", "\u2029", "\u202f", "\u205f", "\u3000"),
        ]
    ).encode()
)


@dataclass(frozen=True)
class Characters:
    """The characters of documents, counted up to any byte."""

    documents: Documents
    white_space: bool = False
    """Whether white space counts too, as in published studies of chunking."""

    @cached_property
    def starts(self) -> Integers:
        """The byte of all documents at which each one begins."""
        return np.concatenate([[0], self.documents.ends[:-1]]).astype(np.int64)

    def before(self, document: np.ndarray[Any, Any], byte: np.ndarray[Any, Any]) -> Integers:
        """Return how many characters of a document begin before a byte of it."""
        start = self.starts[document]
        return self._before(start + byte) - self._before(start)

    def _before(self, place: Integers) -> Integers:
        blocks, within = self._counts
        return np.asarray(blocks[place // _BLOCK] + within[place], np.int64)

    @cached_property
    def _counts(self) -> tuple[Integers, np.ndarray[Any, np.dtype[np.uint8]]]:
        """Characters before each block, and before each byte within its block.

        A byte of memory per byte of text, where plain sums would need eight.
        """
        size = len(self.documents.content)
        counted = np.zeros((size // _BLOCK + 1, _BLOCK), np.uint8)
        counted.reshape(-1)[:size] = self._is_counted()
        # The sum up to and including a byte may be 256; without the byte itself it fits again.
        within = np.cumsum(counted, axis=1, dtype=np.uint8) - counted
        totals = counted.sum(axis=1, dtype=np.int64)
        return np.cumsum(totals) - totals, within.reshape(-1)

    def _is_counted(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Tell which bytes begin a character that counts."""
        content = self.documents.content
        begins = content >> 6 != _WITHIN_A_CHARACTER
        if self.white_space:
            return np.asarray(begins)
        counted = begins & ~np.isin(content, _ASCII_SPACE)
        wide = [found.start() for found in _WIDE_SPACE.finditer(content.data)]
        counted[wide] = False
        return np.asarray(counted)
