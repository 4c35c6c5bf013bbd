"""Symbols that resemble the task as a whole, by scores that the caller brings."""

from dataclasses import dataclass

from retrievers.errors import SeedError
from retrievers.graph.model import CodeGraph
from retrievers.graph.seeding.channel import Asked, Finds, best_scored


@dataclass(frozen=True)
class SimilarSeeds:
    """How many of the most similar symbols count: always, and where little else is found."""

    limit: int = 30
    gap_below: int = 5
    """Gaps are filled while all other channels find fewer than so many symbols."""
    gap_limit: int = 10

    def __post_init__(self) -> None:
        """Refuse limits below zero."""
        for name in ("limit", "gap_below", "gap_limit"):
            if getattr(self, name) < 0:
                raise SeedError(f"{name}={getattr(self, name)} is out of range; choose 0 or more")


class VectorChannel:
    """Finds the symbols that are the most similar to the task."""

    def __init__(self, graph: CodeGraph, settings: SimilarSeeds) -> None:
        self._graph = graph
        self._limit = settings.limit

    def find(self, asked: Asked) -> Finds:
        """Return the symbols with the highest similarity above zero."""
        return _most_similar(self._graph, asked, self._limit)


class GapFillChannel:
    """Finds similar symbols where all other channels find next to nothing."""

    def __init__(self, graph: CodeGraph, settings: SimilarSeeds) -> None:
        self._graph = graph
        self._settings = settings

    def find(self, asked: Asked) -> Finds:
        """Return the symbols with the highest similarity, or none if enough is found."""
        found = {node for finds in asked.earlier.values() for node in finds}
        if len(found) >= self._settings.gap_below:
            return {}
        return _most_similar(self._graph, asked, self._settings.gap_limit)


def _most_similar(graph: CodeGraph, asked: Asked, limit: int) -> Finds:
    if asked.similarity is None:
        return {}
    if len(asked.similarity) != len(graph):
        message = (
            f"similarity has {len(asked.similarity)} scores for {len(graph)} nodes; "
            "give one for each node"
        )
        raise SeedError(message)
    return best_scored(asked.similarity[: graph.symbol_count], asked, limit)
