"""Aliases of a symbol: phrases made of the names of its callers and callees."""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from retrievers.graph.model import CodeGraph
from retrievers.graph.seeding.classes import has_phrase, spoken
from retrievers.graph.seeding.keywords import parts

GENERIC = frozenset(
    re.findall(
        r"\w+",
        "add apply build call check create default delete do exec execute find from get handle "
        "handler has helper impl init is load main make new of on parse process put read remove "
        "run save self set setup start stop test tests the to update util utils with write",
    )
)
"""Words of names that do not tell the topic of a symbol."""


class Aliases:
    """The aliases of the symbols of a graph, from neighbours along one kind of edge."""

    def __init__(self, graph: CodeGraph, kind: str) -> None:
        self._graph = graph
        self._counts = graph.is_kind(kind)

    def meant(self, task: str, nodes: Iterable[int]) -> list[int]:
        """Return the nodes with an alias that the task contains."""
        words = spoken(task)
        return [node for node in nodes if next(self._said(words, node), None)]

    def said(self, task: str, node: int) -> tuple[str, ...]:
        """Return the distinct aliases of a node that the task contains."""
        return tuple(dict.fromkeys(self._said(spoken(task), node)))

    def _said(self, words: str, node: int) -> Iterator[str]:
        return (phrase for phrase in self.phrases(node) if has_phrase(words, phrase))

    def phrases(self, node: int) -> Iterator[str]:
        """Yield pairs of adjacent words in the names of neighbours, without generic words."""
        for name in dict.fromkeys(self._neighbours(node)):
            telling = [part for part in parts(name) if part not in GENERIC]
            yield from (f"{left} {right}" for left, right in pairwise(telling))

    def _neighbours(self, node: int) -> Iterator[str]:
        graph = self._graph
        for edges, ends in (
            (graph.entering(node), graph.edge_source),
            (graph.leaving(node), graph.edge_target),
        ):
            for edge in edges[self._counts[edges]].tolist():
                yield graph.names[int(ends[edge])].rpartition(".")[2]
