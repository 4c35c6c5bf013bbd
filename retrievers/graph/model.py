"""The graph of a repository as arrays, and what is handed from seeding to walking.

A node is a symbol, a file or something outside the repository, in this order; its number is its
row. Nothing here knows how relevant a node is to a task.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from retrievers.interface import Documents, Floats, TokenEnds
from retrievers.rules.words import is_test_path
from retrievers.source import Symbols
from retrievers.unchanged import starts_of

Nodes = np.ndarray[Any, np.dtype[np.int32]]
Codes = np.ndarray[Any, np.dtype[np.uint8]]
Flags = np.ndarray[Any, np.dtype[np.bool_]]

FILE, EXTERNAL = "file", "external"
"""The kinds of nodes that are not symbols."""
TYPE_KINDS = frozenset(("class", "interface", "struct", "enum", "trait", "type"))
"""Kinds that have members, so that a walk from them reaches what they are made of."""
_OVERLOAD = "overload"
"""The kind of a signature that another definition of the same name implements."""


class EdgeRows(Protocol):
    """Edges, a row each: what `CodeGraph.of` reads of them."""

    @property
    def source(self) -> Nodes:
        """The node each edge starts from."""
        ...

    @property
    def target(self) -> Nodes:
        """The node each edge ends at."""
        ...

    @property
    def kind(self) -> Codes:
        """What each edge says, as a place among the names of kinds."""
        ...

    @property
    def provenance(self) -> Codes:
        """How each edge is known, as a place among the names of provenances."""
        ...

    @property
    def confidence(self) -> Floats:
        """How sure each edge is, 0 to 1."""
        ...

    @property
    def external(self) -> tuple[str, ...]:
        """The names of nodes outside the repository."""
        ...


@dataclass(frozen=True)
class CodeGraph:
    """Symbols, files and what is outside as nodes; what the source says of them as edges."""

    names: tuple[str, ...]
    """Qualified and dotted for symbols, the path for files."""
    kinds: tuple[str, ...]
    signatures: tuple[str, ...]
    docs: tuple[str, ...]
    files: tuple[str, ...]
    """The paths of the repository's documents."""
    document: Nodes
    """The document of each node, or -1 outside."""
    parent: Nodes
    """The symbol around each node, or -1."""
    start_line: Nodes
    end_line: Nodes
    source_tokens: Nodes
    """How many tokens the whole text of each node has; 0 outside."""
    is_test: Flags
    edge_kinds: tuple[str, ...]
    provenances: tuple[str, ...]
    edge_source: Nodes
    """Edges are in the order of their sources, targets and kinds; no two are equal in all."""
    edge_target: Nodes
    edge_kind: Codes
    edge_provenance: Codes
    edge_confidence: Floats
    out_stops: Nodes
    """For each node, the number of edges that start from it and all nodes before it."""
    in_order: Nodes
    """The numbers of the edges in the order of their targets."""
    in_stops: Nodes

    def __len__(self) -> int:
        return len(self.names)

    @classmethod
    def of(
        cls,
        documents: Documents,
        symbols: Symbols,
        edges: EdgeRows,
        tokens: TokenEnds,
        *,
        edge_kinds: Sequence[str],
        provenances: Sequence[str],
    ) -> "CodeGraph":
        """Return the graph of a repository."""
        outside, nowhere = len(edges.external), np.full(len(edges.external), -1)
        paths, none = np.arange(len(documents)), np.full(len(documents), -1)
        document = np.concatenate([symbols.document, paths, nowhere]).astype(np.int32)
        tests = np.array([is_test_path(path) for path in documents.paths] + [False], bool)
        lines = [len(documents.line_starts(place)) for place in paths.tolist()]
        return cls(
            names=(*symbols.names, *documents.paths, *edges.external),
            kinds=(*symbols.kinds, *[FILE] * len(documents), *[EXTERNAL] * outside),
            signatures=(*symbols.signatures, *[""] * (len(documents) + outside)),
            docs=(*symbols.docs, *[""] * (len(documents) + outside)),
            files=documents.paths,
            document=document,
            parent=np.concatenate([symbols.parent, none, nowhere]).astype(np.int32),
            start_line=_padded(symbols.start_line, np.ones(len(documents)), outside),
            end_line=_padded(symbols.end_line, np.array(lines), outside),
            source_tokens=_padded(*_token_counts(documents, symbols, tokens), outside),
            is_test=tests[document],
            edge_kinds=tuple(edge_kinds),
            provenances=tuple(provenances),
            **adjacency(edges, len(document)),
        )

    @property
    def symbol_count(self) -> int:
        """How many nodes, the first ones, are symbols."""
        return len(self) - len(self.files) - self.external_count

    @property
    def external_count(self) -> int:
        """How many nodes, the last ones, are outside the repository."""
        return int(np.count_nonzero(self.document < 0))

    @property
    def is_external(self) -> Flags:
        """Whether each node is outside the repository."""
        return np.asarray(self.document < 0)

    def path(self, node: int) -> str:
        """Return the file of a node, or an empty text outside."""
        document = int(self.document[node])
        return self.files[document] if document >= 0 else ""

    def implementation(self, node: int) -> int:
        """Return what implements an overloaded signature; any other node is its own."""
        if self.kinds[node] != _OVERLOAD:
            return node
        same = np.flatnonzero(self.document[: self.symbol_count] == self.document[node]).tolist()
        name = self.names[node]
        found = (n for n in same if self.names[n] == name and self.kinds[n] != _OVERLOAD)
        return next(found, node)

    def leaving(self, node: int) -> Nodes:
        """Return the edges that start from a node."""
        return np.arange(
            self.out_stops[node - 1] if node else 0, self.out_stops[node], dtype=np.int32
        )

    def entering(self, node: int) -> Nodes:
        """Return the edges that end at a node."""
        return self.in_order[self.in_stops[node - 1] if node else 0 : self.in_stops[node]]

    def is_kind(self, name: str) -> Flags:
        """Return whether each edge is of the kind with this name."""
        if name not in self.edge_kinds:
            return np.zeros(len(self.edge_kind), bool)
        return np.asarray(self.edge_kind == self.edge_kinds.index(name))


@dataclass(frozen=True)
class Keywords:
    """What a task names, from the most specific to the least."""

    exact: tuple[str, ...] = ()
    """The text in backticks."""
    compounds: tuple[str, ...] = ()
    """Identifiers of several words, said or made of neighbouring words."""
    components: tuple[str, ...] = ()
    """Single words."""


def _none() -> Nodes:
    return np.zeros(0, np.int32)


@dataclass(frozen=True)
class Seeds:
    """Where a walk starts, best first, and which channel found it."""

    node: Nodes
    score: Floats
    """Fused over the channels."""
    channels: Mapping[str, Floats]
    """What each channel gave to each node's score, zeros where it did not find it."""
    supplement: Nodes = field(default_factory=_none)
    """Nodes that only the walk starts from, more weakly: types of a package that is named."""
    forced: Nodes = field(default_factory=_none)
    """Nodes that go to the top whatever the walk says, best first."""


def _padded(of_symbols: Any, of_files: Any, outside: int) -> Nodes:
    return np.concatenate([of_symbols, of_files, np.zeros(outside)]).astype(np.int32)


def _token_counts(
    documents: Documents, symbols: Symbols, tokens: TokenEnds
) -> tuple[Nodes, Nodes]:
    """Return how many tokens end in each symbol and in each document."""
    of_symbols = np.zeros(len(symbols), np.int32)
    starts = starts_of(symbols.document, len(documents))
    for document in np.unique(symbols.document).tolist():
        own, ends = slice(starts[document], starts[document + 1]), tokens.of(document)
        last = np.searchsorted(ends, symbols.end_byte[own], "right")
        of_symbols[own] = last - np.searchsorted(ends, symbols.start_byte[own], "right")
    return of_symbols, np.diff(tokens.stops, prepend=0)[: len(documents)].astype(np.int32)


def adjacency(edges: EdgeRows, nodes: int) -> dict[str, Any]:
    """Return the edges in order, the surest of those that are equal, and where each node's are."""
    order = np.lexsort((-edges.confidence, edges.kind, edges.target, edges.source))
    source, target, kind = edges.source[order], edges.target[order], edges.kind[order]
    is_new = np.ones(len(order), bool)
    is_new[1:] = (np.diff(source) != 0) | (np.diff(target) != 0) | (kind[1:] != kind[:-1])
    order, source, target = order[is_new], source[is_new], target[is_new]
    return {
        "edge_source": source.astype(np.int32),
        "edge_target": target.astype(np.int32),
        "edge_kind": kind[is_new].astype(np.uint8),
        "edge_provenance": edges.provenance[order].astype(np.uint8),
        "edge_confidence": edges.confidence[order].astype(np.float32),
        "out_stops": np.cumsum(np.bincount(source, minlength=nodes)).astype(np.int32),
        "in_order": np.argsort(target, kind="stable").astype(np.int32),
        "in_stops": np.cumsum(np.bincount(target, minlength=nodes)).astype(np.int32),
    }
