"""Edges between what a repository defines, its files, and what others define."""

from array import array
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from retrievers.interface import Input, Named

Integers = np.ndarray[Any, np.dtype[np.int32]]
Bytes = np.ndarray[Any, np.dtype[np.uint8]]
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
"""What an edge may say; docs/edges.md tells the meaning of each."""

PROVENANCES = ("resolved", "inferred")
"""Whether the language's rules lead from the source to the target, or only the names do."""

CONFIDENCES = (0.9, 0.7)
"""How much an edge of each provenance is to be believed."""

LONGEST_EXTERNAL = 200


class Edge(NamedTuple):
    """One edge, in the order that edges are sorted by."""

    source: int
    kind: int
    target: int
    line: int
    provenance: int


@dataclass(frozen=True)
class Edges:
    """Edges in the order of source, kind, target and line, each once.

    A node is a row of the symbols; after those, one for each document; after those, one for each
    name in `external`.
    """

    source: Integers
    """The innermost definition that says it, or the document for what no definition holds."""
    target: Integers
    kind: Bytes
    """A place in `EDGE_KINDS`."""
    provenance: Bytes
    """A place in `PROVENANCES`."""
    confidence: Floats
    line: Integers
    """Where in the source's document it is said, counted from 1."""
    external: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.source)

    @classmethod
    def of(cls, fields: "array[int]", external: tuple[str, ...]) -> "Edges":
        """Return edges, field by field, in their order, each once and as its better provenance."""
        table = np.array(fields, np.int64).reshape(-1, len(Edge._fields))
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
