"""The graph of a repository as arrays, and the seeds that a walk receives.

A node is a symbol, a file or an external name. The nodes are numbered in this order. The graph
does not depend on a task.
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
"""Kinds with members. A walk from a type reaches its members."""
_OVERLOAD = "overload"
"""The kind of a signature whose implementation is another definition with the same name."""


class EdgeRows(Protocol):
    """Edges, one row each, with the columns that `CodeGraph.of` needs."""

    @property
    def source(self) -> Nodes:
        """The source node of each edge."""
        ...

    @property
    def target(self) -> Nodes:
        """The target node of each edge."""
        ...

    @property
    def kind(self) -> Codes:
        """The kind of each edge, as an index into the names of kinds."""
        ...

    @property
    def provenance(self) -> Codes:
        """The provenance of each edge, as an index into the names of provenances."""
        ...

    @property
    def confidence(self) -> Floats:
        """The confidence of each edge, 0 to 1."""
        ...

    @property
    def external(self) -> tuple[str, ...]:
        """The names of external nodes."""
        ...


@dataclass(frozen=True)
class CodeGraph:
    """Symbols, files and external names as nodes, and their relations as edges."""

    names: tuple[str, ...]
    """Dotted qualified names of symbols, paths of files, and external names."""
    kinds: tuple[str, ...]
    signatures: tuple[str, ...]
    docs: tuple[str, ...]
    files: tuple[str, ...]
    """The paths of the repository's documents."""
    document: Nodes
    """The document of each node; -1 for external nodes."""
    parent: Nodes
    """The symbol around each node; -1 if there is none."""
    start_line: Nodes
    end_line: Nodes
    source_tokens: Nodes
    """Number of tokens of the whole text of each node; 0 for external nodes."""
    is_test: Flags
    edge_kinds: tuple[str, ...]
    provenances: tuple[str, ...]
    edge_source: Nodes
    """Edges are sorted by source, target and kind, and unique in these three."""
    edge_target: Nodes
    edge_kind: Codes
    edge_provenance: Codes
    edge_confidence: Floats
    out_stops: Nodes
    """For each node, the number of edges that leave this node and all nodes before it."""
    in_order: Nodes
    """The numbers of the edges, sorted by target."""
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
        """Number of symbols, which are the first nodes."""
        return len(self) - len(self.files) - self.external_count

    @property
    def external_count(self) -> int:
        """Number of external nodes, which are the last nodes."""
        return int(np.count_nonzero(self.document < 0))

    @property
    def is_external(self) -> Flags:
        """Whether each node is external."""
        return np.asarray(self.document < 0)

    def path(self, node: int) -> str:
        """Return the file of a node, or an empty text for an external node."""
        document = int(self.document[node])
        return self.files[document] if document >= 0 else ""

    def implementation(self, node: int) -> int:
        """Return the implementation of an overloaded signature, or any other node unchanged."""
        if self.kinds[node] != _OVERLOAD:
            return node
        same = np.flatnonzero(self.document[: self.symbol_count] == self.document[node]).tolist()
        name = self.names[node]
        found = (n for n in same if self.names[n] == name and self.kinds[n] != _OVERLOAD)
        return next(found, node)

    def leaving(self, node: int) -> Nodes:
        """Return the numbers of the edges that leave a node."""
        return np.arange(
            self.out_stops[node - 1] if node else 0, self.out_stops[node], dtype=np.int32
        )

    def entering(self, node: int) -> Nodes:
        """Return the numbers of the edges that enter a node."""
        return self.in_order[self.in_stops[node - 1] if node else 0 : self.in_stops[node]]

    def is_kind(self, name: str) -> Flags:
        """Return whether each edge has this kind."""
        if name not in self.edge_kinds:
            return np.zeros(len(self.edge_kind), bool)
        return np.asarray(self.edge_kind == self.edge_kinds.index(name))


@dataclass(frozen=True)
class Keywords:
    """The keywords of a task, from the most to the least specific."""

    exact: tuple[str, ...] = ()
    """Identifiers in backticks."""
    compounds: tuple[str, ...] = ()
    """Identifiers of several words, from the task or formed from adjacent words."""
    components: tuple[str, ...] = ()
    """Single words."""


def _none() -> Nodes:
    return np.zeros(0, np.int32)


@dataclass(frozen=True)
class Seeds:
    """The start nodes of a walk, best first, with the scores of the channels."""

    node: Nodes
    score: Floats
    """The fused score of each node."""
    channels: Mapping[str, Floats]
    """The part of each channel in each node's score; 0 if the channel did not find the node."""
    supplement: Nodes = field(default_factory=_none)
    """Additional start nodes with a lower weight: types of packages that the task names."""
    forced: Nodes = field(default_factory=_none)
    """Nodes that are always ranked on top, best first."""


def _padded(of_symbols: Any, of_files: Any, outside: int) -> Nodes:
    return np.concatenate([of_symbols, of_files, np.zeros(outside)]).astype(np.int32)


def _token_counts(
    documents: Documents, symbols: Symbols, tokens: TokenEnds
) -> tuple[Nodes, Nodes]:
    """Return the number of tokens that end in each symbol and in each document."""
    of_symbols = np.zeros(len(symbols), np.int32)
    starts = starts_of(symbols.document, len(documents))
    for document in np.unique(symbols.document).tolist():
        own, ends = slice(starts[document], starts[document + 1]), tokens.of(document)
        last = np.searchsorted(ends, symbols.end_byte[own], "right")
        of_symbols[own] = last - np.searchsorted(ends, symbols.start_byte[own], "right")
    return of_symbols, np.diff(tokens.stops, prepend=0)[: len(documents)].astype(np.int32)


def adjacency(edges: EdgeRows, nodes: int) -> dict[str, Any]:
    """Return sorted unique edges, each with its highest confidence, and the stops of each node."""
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
