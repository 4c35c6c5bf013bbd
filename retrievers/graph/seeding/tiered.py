"""Symbols by their names, in tiers."""

from retrievers.graph.model import CodeGraph
from retrievers.graph.seeding.channel import Asked, Finds, in_order
from retrievers.lexical.names import Names, NameTable, tiered


class TieredChannel:
    """Finds symbols that are called what the task names, and loosely if few are."""

    def __init__(self, graph: CodeGraph, settings: Names) -> None:
        symbols = range(graph.symbol_count)
        paths = [graph.path(node) for node in symbols]
        self._table = NameTable(graph.names[: graph.symbol_count], paths)
        self._settings = settings

    def find(self, asked: Asked) -> Finds:
        """Return the symbols of the first tiers that give enough."""
        named = (*asked.keywords.exact, *asked.keywords.compounds)
        words = asked.keywords.components
        found = tiered(self._table, named, words, self._settings, eligible=asked.eligible)
        return in_order(found)
