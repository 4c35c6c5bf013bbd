"""Graphs written by hand."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from retrievers.graph import CodeGraph, Seeds

KINDS = ("calls", "contains", "imports", "documents", "owned_by")
PROVENANCES = ("resolved", "inferred")


def graph_of(  # a graph is its edges; everything else has a default
    edges: Sequence[tuple[int, ...]],
    *,
    symbols: int,
    external: int = 0,
    tests: Sequence[int] = (),
    tokens: Sequence[int] = (),
) -> CodeGraph:
    """Return a graph of edges (source, target, kind, provenance), all in one file."""
    nodes = symbols + 1 + external
    rows = np.array([(*edge, 0, 0)[:4] for edge in edges], np.int64).reshape(-1, 4)
    order = np.lexsort((rows[:, 2], rows[:, 1], rows[:, 0]))
    source, target, kind, provenance = rows[order].T
    document = np.where(np.arange(nodes) <= symbols, 0, -1).astype(np.int32)
    return CodeGraph(
        names=tuple(f"n{node}" for node in range(nodes)),
        kinds=(*["function"] * symbols, "file", *["external"] * external),
        signatures=("def f()",) * symbols + ("",) * (1 + external),
        docs=("",) * nodes,
        files=("a.py",),
        document=document,
        parent=np.full(nodes, -1, np.int32),
        start_line=np.ones(nodes, np.int32),
        end_line=np.ones(nodes, np.int32),
        source_tokens=np.array([*tokens, *[1] * (nodes - len(tokens))], np.int32),
        is_test=np.isin(np.arange(nodes), tests),
        edge_kinds=KINDS,
        provenances=PROVENANCES,
        edge_source=source.astype(np.int32),
        edge_target=target.astype(np.int32),
        edge_kind=kind.astype(np.uint8),
        edge_provenance=provenance.astype(np.uint8),
        edge_confidence=np.where(provenance == 0, 0.9, 0.7).astype(np.float32),
        out_stops=np.cumsum(np.bincount(source, minlength=nodes)).astype(np.int32),
        in_order=np.argsort(target, kind="stable").astype(np.int32),
        in_stops=np.cumsum(np.bincount(target, minlength=nodes)).astype(np.int32),
    )


def seeds_of(*nodes: int, supplement: Sequence[int] = (), forced: Sequence[int] = ()) -> Seeds:
    """Return seeds in this order."""
    score: Any = np.linspace(1, 0.5, len(nodes), dtype=np.float32)
    return Seeds(
        node=np.array(nodes, np.int32),
        score=score,
        channels={"tiered": score},
        supplement=np.array(supplement, np.int32),
        forced=np.array(forced, np.int32),
    )


def six() -> CodeGraph:
    """Return six symbols: a cycle with a branch, a dead end, and one that nothing reaches.

    0 calls 1 and imports 2, 1 calls 2, 2 calls 0, 2 contains 3, 3 ends; 5 calls 4 and 0.
    """
    return graph_of(
        [(0, 1, 0), (0, 2, 2), (1, 2, 0), (2, 0, 0), (2, 3, 1), (5, 4, 0), (5, 0, 0)], symbols=6
    )
