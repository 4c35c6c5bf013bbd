"""Lookup of names in a tree, by the same rules as in a file of queries."""

from functools import cached_property

from bench.queries.matching import Definitions
from retrievers.interface import Documents, Span
from retrievers.source import Symbols


class Meanings:
    """The definitions of a tree by their names."""

    def __init__(self, documents: Documents, symbols: Symbols) -> None:
        self._documents, self._symbols = documents, symbols

    @cached_property
    def _definitions(self) -> Definitions:
        return Definitions(self._documents, self._symbols)

    def spans(self, asked: str) -> list[Span]:
        """Return the lines of every definition that a name means, or none if it is unknown."""
        symbols = self._symbols
        rows = sorted(one.row for one in self._definitions.meant_by(asked))
        return [
            Span(
                self._documents.paths[int(symbols.document[row])],
                int(symbols.start_line[row]),
                int(symbols.end_line[row]),
            )
            for row in rows
        ]
