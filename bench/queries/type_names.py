"""Types among symbols, and the line with the name of each, which strict credit requires.

A type (class, interface, module, object with members …) is too long to be shown by one chunk, and
a reader who looks for it needs to be led to its beginning. Attributes and comments above the line
of the name do not suffice.
"""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from retrievers.interface import Documents
from retrievers.source import Symbols

_TYPES = ("class", "interface", "struct", "enum", "trait", "module", "namespace")
_CALLABLES = ("function", "method", "constructor", "property", "macro", "overload")
"""Kinds whose members are local to them."""
_WORDS = 3
"""Number of words of a declaration that locate it below attributes and comments."""


@dataclass(frozen=True)
class TypeNames:
    """The types of a repository."""

    documents: Documents
    symbols: Symbols

    @cached_property
    def _is_type(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Whether each symbol is a type, by its kind or because it has members."""
        kinds = self.symbols.kinds
        is_type = np.array([kind in _TYPES for kind in kinds], np.bool_)
        is_callable = np.array([kind in _CALLABLES for kind in kinds], np.bool_)
        has_members = np.zeros(len(kinds), np.bool_)
        has_members[self.symbols.parent[self.symbols.parent >= 0]] = True
        return is_type | (has_members & ~is_callable)

    def line(self, document: int, start: int, end: int) -> tuple[int, int]:
        """Return the bytes of the line with the name of the type at a place, or the place."""
        symbols = self.symbols
        here = (symbols.document == document) & (symbols.start_byte == start)
        rows = np.flatnonzero(here & (symbols.end_byte == end) & self._is_type)
        if not len(rows):
            return start, end
        text = self.documents.slice(document, start, end)
        place = self._name(text, int(rows[0]))
        first = text.rfind("\n", 0, place) + 1
        last = text.find("\n", place)
        line = text[first:] if last < 0 else text[first:last]
        begin = start + _size(text[:first])
        return begin, begin + _size(line)

    def _name(self, text: str, row: int) -> int:
        """Return the offset of a type's name in the text of its definition."""
        words = self.symbols.signatures[row].split()[:_WORDS]
        # The source may have line breaks between words of a signature.
        declaration = r"\s+".join(map(re.escape, words))
        # A comment above may contain the same words, but begins its line with a mark.
        declared = re.search(rf"(?m)^\s*{declaration}", text) or re.search(declaration, text)
        begin = declared.start() if declared else 0
        name = self.symbols.names[row].rpartition(".")[2]
        named = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)").search(text, begin)
        return named.start() if named else begin


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
