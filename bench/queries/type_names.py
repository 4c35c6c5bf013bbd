"""Types among symbols, and the line that names each: what strict credit asks of a hit.

A type (a class, an interface, a module, an object with members …) is too long to be shown by one
chunk, and whoever looks for it wants to be led to it. Its attributes and comments are above the
line of its name, and do not lead there.
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
"""Words of a declaration by which it is found among attributes and comments."""


@dataclass(frozen=True)
class TypeNames:
    """The types of a repository."""

    documents: Documents
    symbols: Symbols

    @cached_property
    def _is_type(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Tell which symbols are types by their kind, or because they have members."""
        kinds = np.array(self.symbols.kinds, np.str_)
        has_members = np.zeros(len(kinds), np.bool_)
        has_members[self.symbols.parent[self.symbols.parent >= 0]] = True
        return np.isin(kinds, _TYPES) | (has_members & ~np.isin(kinds, _CALLABLES))

    def line(self, document: int, start: int, end: int) -> tuple[int, int]:
        """Return the bytes of the line that names the type at a place; the place if none is."""
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
        """Return where the name of a type is in the text of its definition."""
        words = self.symbols.signatures[row].split()[:_WORDS]
        # Between words of a signature the source may have line breaks.
        declaration = r"\s+".join(map(re.escape, words))
        # A comment above may say the same words; it begins its line with a mark.
        declared = re.search(rf"(?m)^\s*{declaration}", text) or re.search(declaration, text)
        begin = declared.start() if declared else 0
        name = self.symbols.names[row].rpartition(".")[2]
        named = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)").search(text, begin)
        return named.start() if named else begin


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
