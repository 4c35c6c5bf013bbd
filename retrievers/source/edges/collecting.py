"""A growing list of edges that numbers the nodes and stores each external name once."""

from array import array
from collections.abc import Iterable

import numpy as np

from retrievers.source.edges.model import KIND, LONGEST_EXTERNAL, Edge, Rows


class Collecting:
    """A growing set of edges."""

    def __init__(self, symbols: int, documents: int, external: Iterable[str] = ()) -> None:
        self._symbols = symbols
        self._first_external = symbols + documents
        self._external = {name: self._first_external + n for n, name in enumerate(external)}
        self._fields = array("q")  # a million edges as objects would take ten times the memory
        self.document = 0
        """The document whose uses are being added."""
        self.first: dict[int, tuple[int, int]] = {}
        """For each external node, the kind of its first edge and the document of that use."""

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
            number = KIND[kind]
            self._fields.extend((source, number, target, line, int(is_inferred)))
            if target >= self._first_external and target not in self.first:
                self.first[target] = (number, self.document)

    def keep(self, rows: Rows) -> None:
        """Add edges of an earlier tree with the same nodes."""
        self._fields.frombytes(np.ascontiguousarray(rows).tobytes())

    def found(self, kind: str) -> Rows:
        """Return the edges of a kind that were added so far, with duplicates."""
        table = self.rows()
        rows: Rows = table[table[:, 1] == KIND[kind]]
        return rows

    def rows(self) -> Rows:
        """Return the edges in the order in which they were added, one `Edge` per row."""
        return np.array(self._fields, np.int64).reshape(-1, len(Edge._fields))

    def names(self) -> tuple[str, ...]:
        """Return the names of the external nodes."""
        return tuple(self._external)
