"""The table of edges between symbols, files and external names."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from retrievers.interface import Input, Named

Integers = np.ndarray[Any, np.dtype[np.int32]]
Bytes = np.ndarray[Any, np.dtype[np.uint8]]
Rows = np.ndarray[Any, np.dtype[np.int64]]
Floats = np.ndarray[Any, np.dtype[np.float32]]

EDGE_KINDS = (
    "contains",
    "member_of",
    "calls",
    "imports",
    "extends",
    "implements",
    "overrides",
    "inherits",
    "references",
    "type_hint_of",
    "decorates",
    "throws",
    "reads_env",
    "executes_process",
    "handles_route",
    "tests",
    "tested_by",
    "co_tested_with",
    "accesses_field",
    "depends_on",
    "documents",
    "consumes_endpoint",
    "owned_by",
    "authored_by",
)
"""Kinds of edges. docs/edges.md explains each kind."""

PROVENANCES = ("resolved", "inferred")
"""Origins of an edge: `resolved` by the rules of the language, or `inferred` from names."""

CONFIDENCES = (0.9, 0.7)
"""Confidence of an edge for each provenance."""

LONGEST_EXTERNAL = 200


class Edge(NamedTuple):
    """An edge. The fields are in sorting order."""

    source: int
    kind: int
    target: int
    line: int
    provenance: int


@dataclass(frozen=True)
class Edges:
    """Distinct edges, sorted by source, kind, target and line.

    Nodes are numbered: first the symbols, then the documents, then the names in `external`.
    """

    source: Integers
    """The innermost definition around the edge's code, or the document outside of definitions."""
    target: Integers
    kind: Bytes
    """An index of `EDGE_KINDS`."""
    provenance: Bytes
    """An index of `PROVENANCES`."""
    confidence: Floats
    line: Integers
    """The line in the document of the source, from 1."""
    external: tuple[str, ...]
    unsettled: Integers = field(default_factory=lambda: np.zeros(0, np.int32))
    """The documents whose edges depend on the order in which the documents are resolved, or on
    routes in other documents. The edges of the others only depend on what they name."""
    local_names: tuple[str, ...] = ()
    """The distinct names that imports and exports bind, sorted."""

    def __len__(self) -> int:
        return len(self.source)

    @classmethod
    def of(cls, table: Rows, external: tuple[str, ...]) -> "Edges":
        """Return sorted edges without duplicates, from rows of `Edge`s.

        Of duplicates, the one with the better provenance remains.
        """
        table = table[np.lexsort(table.T[::-1])]
        same = np.all(table[1:, :4] == table[:-1, :4], axis=1)
        kept = np.concatenate([np.ones(min(len(table), 1), bool), ~same])
        source, kind, target, line, provenance = table[kept].T
        return cls(
            source=source.astype(np.int32),
            target=target.astype(np.int32),
            kind=kind.astype(np.uint8),
            provenance=provenance.astype(np.uint8),
            confidence=np.array(CONFIDENCES, np.float32)[provenance],
            line=line.astype(np.int32),
            external=external,
        )


EDGES: Input[Edges] = Named("edges")


KIND = {name: number for number, name in enumerate(EDGE_KINDS)}
