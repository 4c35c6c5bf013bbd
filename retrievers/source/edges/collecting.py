"""A growing list of edges that numbers the nodes and stores each external name once."""

from array import array
from collections.abc import Iterator

import numpy as np

from retrievers.source.edges.model import KIND, LONGEST_EXTERNAL, Edge, Edges


class Collecting:
    """A growing set of edges."""

    def __init__(self, symbols: int, documents: int) -> None:
        self._symbols = symbols
        self._first_external = symbols + documents
        self._external: dict[str, int] = {}
        self._fields = array("q")  # a million edges as objects would take ten times the memory

    def file(self, document: int) -> int:
        """Return the node of a document."""
        return self._symbols + document

    def source(self, row: int, document: int) -> int:
        """Return the node of a definition, or of the document if `row` is -1."""
        return row if row >= 0 else self.file(document)

    def external(self, name: str) -> int:
        """Return the node of an external name; long names are cut to `LONGEST_EXTERNAL`."""
        kept = name[:LONGEST_EXTERNAL]
        return self._external.setdefault(kept, self._first_external + len(self._external))

    def add(
        self, kind: str, source: int, target: int, line: int, *, is_inferred: bool = False
    ) -> None:
        """Add an edge. Only a call may lead from a node to itself: a recursion."""
        if source != target or kind == "calls":
            self._fields.extend((source, KIND[kind], target, line, int(is_inferred)))

    def found(self, kind: str) -> Iterator[Edge]:
        """Return the edges of a kind that were added so far, with duplicates."""
        table = np.frombuffer(self._fields, np.int64).reshape(-1, len(Edge._fields))
        return (Edge(*row) for row in table[table[:, 1] == KIND[kind]].tolist())

    def edges(self) -> Edges:
        """Return all edges, sorted and without duplicates."""
        return Edges.of(self._fields, tuple(self._external))
