"""Graphs made from a few lines of source and edges written by hand."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from retrievers.chunkers import token_ends
from retrievers.graph import CodeGraph
from retrievers.graph.seeding import BM25Seeds, SeedTexts, symbol_texts
from retrievers.interface import Documents
from retrievers.source import find_symbols

KINDS = ("calls", "implements")


@dataclass(frozen=True)
class Rows:
    """Edges from, to and of a kind."""

    source: Any
    target: Any
    kind: Any
    provenance: Any
    confidence: Any
    external: tuple[str, ...]


def graph_of(
    documents: Documents,
    edges: Sequence[tuple[int, int, str]] = (),
    external: tuple[str, ...] = (),
) -> CodeGraph:
    """Return the graph of the documents with these edges."""
    source, target, kind = zip(*edges, strict=True) if edges else ((), (), ())
    rows = Rows(
        np.array(source, np.int32),
        np.array(target, np.int32),
        np.array([KINDS.index(one) for one in kind], np.uint8),
        np.zeros(len(source), np.uint8),
        np.ones(len(source), np.float32),
        external,
    )
    return CodeGraph.of(
        documents,
        find_symbols(documents),
        rows,
        token_ends(documents),
        edge_kinds=KINDS,
        provenances=("resolved",),
    )


def seed_texts(
    graph: CodeGraph, documents: Documents, settings: BM25Seeds | None = None
) -> SeedTexts:
    """Return what the channels of a graph look words up in."""
    texts = symbol_texts(graph, documents)
    return SeedTexts.of(graph, texts, (settings or BM25Seeds()).fields.searched)
