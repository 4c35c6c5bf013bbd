"""The choice of seeds among the candidates, by number, kind and package."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

import numpy as np

from retrievers.errors import SeedError
from retrievers.graph.model import TYPE_KINDS, CodeGraph


@dataclass(frozen=True)
class Selection:
    """Settings of the choice of seeds."""

    interfaces: bool = True
    """Whether the implementations of a candidate become candidates."""
    implementing_kinds: tuple[str, ...] = ("implements",)
    types_first_over: int = 40_000
    """In graphs with more nodes, types come first, since walks from types reach their members."""
    focus: bool = False
    """Whether the package with the most candidates comes first, regardless of scores."""
    seeds: int = 40
    medium_over: int = 10_000
    medium_seeds: int = 40
    large_over: int = 40_000
    large_seeds: int = 40

    def __post_init__(self) -> None:
        """Raise an error for counts below 1 and thresholds out of order."""
        for name in ("seeds", "medium_seeds", "large_seeds"):
            if getattr(self, name) < 1:
                raise SeedError(f"{name}={getattr(self, name)} is out of range; choose 1 or more")
        if not 0 <= self.medium_over <= self.large_over:
            message = f"large_over={self.large_over} is below medium_over={self.medium_over}"
            raise SeedError(f"{message}; choose at least {self.medium_over}")

    def count(self, nodes: int) -> int:
        """Return the maximum number of seeds for a graph with this number of nodes."""
        if nodes > self.large_over:
            return self.large_seeds
        return self.medium_seeds if nodes > self.medium_over else self.seeds


class Selector:
    """Adds implementations to the candidates, and orders and limits the candidates."""

    def __init__(self, graph: CodeGraph, settings: Selection) -> None:
        self._graph = graph
        self._settings = settings
        self._implementing = np.zeros(len(graph.edge_kind), bool)
        for name in settings.implementing_kinds:
            self._implementing |= graph.is_kind(name)

    def implementors(self, candidates: Sequence[int]) -> dict[int, int]:
        """Return implementations of candidate types with their type, without known candidates."""
        found: dict[int, int] = {}
        for node in candidates if self._settings.interfaces else ():
            if self._graph.kinds[node] in TYPE_KINDS:
                edges = self._graph.entering(node)
                for source in self._graph.edge_source[edges[self._implementing[edges]]].tolist():
                    found.setdefault(source, node)
        known = set(candidates)
        return {source: node for source, node in found.items() if source not in known}

    def ordered(self, candidates: Sequence[int]) -> list[int]:
        """Return the candidates that become seeds, in order."""
        graph, settings = self._graph, self._settings
        chosen = list(candidates)
        if len(graph) > settings.types_first_over:
            chosen.sort(key=lambda node: graph.kinds[node] not in TYPE_KINDS)
        if settings.focus:
            chosen = self._focused(chosen)
        return chosen[: settings.count(len(graph))]

    def _focused(self, candidates: list[int]) -> list[int]:
        """Return the candidates of the largest package first. The earliest package wins a tie."""
        packages = [str(PurePosixPath(self._graph.path(node)).parent) for node in candidates]
        if not packages:
            return candidates
        largest = Counter(packages).most_common(1)[0][0]
        pairs = list(zip(candidates, packages, strict=True))
        first = [node for node, package in pairs if package == largest]
        return first + [node for node, package in pairs if package != largest]
