"""The order of the first symbols by the graph's scores and the meaning of their own texts.

Nothing here imports a model: `rankgrid context` opens a graph without one.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from retrievers.graph.model import CodeGraph
from retrievers.graph.ranking import Ranked
from retrievers.graph.scoring import Scored
from retrievers.graph.weights import check_numbers
from retrievers.interface import Documents, Integers

_Doubles = np.ndarray[Any, np.dtype[np.float64]]
_DOC_LETTERS = 300
_CODE_BYTES = 700
"""More of a long definition is about its parts, which have texts of their own."""


@dataclass(frozen=True)
class Reordering:
    """How the first symbols are put into another order by vectors of their texts."""

    depth: int = 80
    """How many symbols are reordered."""
    weight: float = 0.0
    """The share of the vectors; 0: the order of the graph, without a model."""

    def __post_init__(self) -> None:
        """Refuse a depth below 1 and a weight that is not a share."""
        check_numbers(self, 1, 100_000, names=("depth",))
        check_numbers(self, 0, 1, names=("weight",))


def reordered(scored: Scored, similarity: Any, weight: float) -> Scored:
    """Return the symbols with the first, one for each similarity, in the order of both scores.

    The scores stay where they are and the symbols move, so that all others remain behind them.
    """
    return _moved(scored, _order(scored, similarity, weight))


def reordered_pack(ranked: Ranked, similarity: Any, weight: float) -> Ranked:
    """Return the same of what a graph answers: a symbol keeps its place in the walk."""
    order = _order(ranked.scored, similarity, weight)
    scored = _moved(ranked.scored, order)
    return replace(ranked, scored=scored, nearness=ranked.nearness[order])


def _order(scored: Scored, similarity: Any, weight: float) -> Integers:
    count = len(similarity)
    joint = (1 - weight) * _standardised(scored.score[:count])
    joint += weight * _standardised(np.asarray(similarity, np.float64))
    rest = np.arange(count, len(scored.node))
    return np.concatenate([np.argsort(-joint, kind="stable"), rest])


def _moved(scored: Scored, order: Integers) -> Scored:
    parts = {name: part[order] for name, part in scored.components.items()}
    parts["similarity"] = scored.score - scored.score[order]
    return Scored(scored.node[order], scored.score, parts)


def _standardised(values: _Doubles) -> _Doubles:
    """Return z-scores; equal values are all zero."""
    deviation = values.std() if len(values) else 0.0
    mean = values.mean() if len(values) else 0.0
    return np.asarray((values - mean) / (deviation or 1.0), np.float64)


def symbol_passages(graph: CodeGraph, documents: Documents) -> list[str]:
    """Return of each symbol its path, its qualified name, its documentation and its first code."""
    files = [
        (documents.source(place), documents.line_starts(place)) for place in range(len(documents))
    ]
    nodes = range(graph.symbol_count)
    return [_passage(graph, node, *files[graph.document[node]]) for node in nodes]


def _passage(graph: CodeGraph, node: int, source: bytes, line_starts: Integers) -> str:
    start = int(line_starts[int(graph.start_line[node]) - 1])
    # A character that is cut in two at the end is left out.
    code = source[start : start + _CODE_BYTES].decode("utf-8", "ignore")
    doc = graph.docs[node][:_DOC_LETTERS]
    return f"{graph.path(node)}\n{graph.names[node]}\n{doc}\n{code}"
