"""The reordering of the first symbols by scores of the graph and similarities of texts.

This module does not import models: `rankgrid context` opens a graph without one.
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
"""The rest of a long definition is mostly inner definitions, which have their own texts."""


@dataclass(frozen=True)
class Reordering:
    """Settings of the reordering by vectors of texts."""

    depth: int = 80
    """Number of symbols that are reordered."""
    weight: float = 0.0
    """The share of the vectors. With 0, the order is the graph's, and no model is needed."""

    def __post_init__(self) -> None:
        """Raise an error for values out of range."""
        check_numbers(self, 1, 100_000, names=("depth",))
        check_numbers(self, 0, 1, names=("weight",))


def reordered(scored: Scored, similarity: Any, weight: float) -> Scored:
    """Return the symbols, with the first ones ordered by their scores and similarities.

    One symbol per similarity is reordered. The scores keep their positions and only the symbols
    move, so that all other symbols stay below them.
    """
    return _moved(scored, _order(scored, similarity, weight))


def reordered_pack(ranked: Ranked, similarity: Any, weight: float) -> Ranked:
    """Return a ranking reordered in the same way. Nearness moves with its symbol."""
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
    """Return z-scores, which are 0 if all values are equal."""
    deviation = values.std() if len(values) else 0.0
    mean = values.mean() if len(values) else 0.0
    return np.asarray((values - mean) / (deviation or 1.0), np.float64)


def symbol_passages(graph: CodeGraph, documents: Documents) -> list[str]:
    """Return for each symbol its path, name, start of documentation and start of code."""
    files = [
        (documents.source(place), documents.line_starts(place)) for place in range(len(documents))
    ]
    nodes = range(graph.symbol_count)
    return [_passage(graph, node, *files[graph.document[node]]) for node in nodes]


def _passage(graph: CodeGraph, node: int, source: bytes, line_starts: Integers) -> str:
    start = int(line_starts[int(graph.start_line[node]) - 1])
    # A character that is cut at the end is dropped.
    code = source[start : start + _CODE_BYTES].decode("utf-8", "ignore")
    doc = graph.docs[node][:_DOC_LETTERS]
    return f"{graph.path(node)}\n{graph.names[node]}\n{doc}\n{code}"
