"""What callers and callees say of a symbol: their names are phrases for it."""

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
"""Words of names that say nothing of what a symbol is about."""


class Aliases:
    """The phrases that the neighbours of symbols make."""

    def __init__(self, graph: CodeGraph, kind: str) -> None:
        self._graph = graph
        self._counts = graph.is_kind(kind)

    def meant(self, task: str, nodes: Iterable[int]) -> list[int]:
        """Return those of the nodes for which a neighbour's name has a phrase of the task."""
        words = spoken(task)
        return [node for node in nodes if next(self._said(words, node), None)]

    def said(self, task: str, node: int) -> tuple[str, ...]:
        """Return the phrases of a task that neighbours of a node are called by."""
        return tuple(dict.fromkeys(self._said(spoken(task), node)))

    def _said(self, words: str, node: int) -> Iterator[str]:
        return (phrase for phrase in self.phrases(node) if has_phrase(words, phrase))

    def phrases(self, node: int) -> Iterator[str]:
        """Yield pairs of words that are side by side in the names of a node's neighbours."""
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
