"""Types of the packages that a task speaks of: from them a walk reaches their methods."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

import numpy as np

from retrievers.errors import SeedError
from retrievers.graph.model import TYPE_KINDS, CodeGraph
from retrievers.graph.seeding.channel import Asked, Finds, in_order
from retrievers.graph.seeding.keywords import parts
from retrievers.graph.seeding.terms import path_terms

_LAST = "\U0010ffff"


@dataclass(frozen=True)
class PathSeeds:
    """Which words may be the names of packages, and how many symbols of each are found."""

    letters: int = 4
    types_with_methods: int = 5
    types_without: int = 10
    others: int = 15
    limit: int = 30
    fused: bool = False
    """Whether these symbols also compete with what other channels find."""

    def __post_init__(self) -> None:
        """Refuse limits below zero."""
        for name in ("letters", "types_with_methods", "types_without", "others", "limit"):
            if getattr(self, name) < 0:
                raise SeedError(f"{name}={getattr(self, name)} is out of range; choose 0 or more")


class PathChannel:
    """Finds symbols in folders and files that are called like a word of the task."""

    def __init__(self, graph: CodeGraph, settings: PathSeeds) -> None:
        self._graph = graph
        self._settings = settings
        members = np.flatnonzero(graph.parent[: graph.symbol_count] >= 0).tolist()
        self._members = {node: graph.names[node].rpartition(".")[2] for node in members}
        self._in_file: dict[int, list[int]] = {}
        for node, document in enumerate(graph.document[: graph.symbol_count].tolist()):
            self._in_file.setdefault(document, []).append(node)
        self._has_members = set(graph.parent[graph.parent >= 0].tolist())
        self._segments: dict[str, list[int]] = {}
        for document, path in enumerate(graph.files):
            for segment in _segments(path):
                self._segments.setdefault(segment, []).append(document)
        self._ordered = sorted(self._segments)

    def find(self, asked: Asked) -> Finds:
        """Return the types of the packages first, those with methods that are named before."""
        words = {part for name in asked.keywords.components for part in parts(name)}
        counts = Counter(self._graph.parent[self._called(words)].tolist())
        found: dict[int, None] = {}
        for term in path_terms(asked.task, self._settings.letters):
            eligible = (node for node in self._below(term) if asked.eligible[node])
            found.update(dict.fromkeys(self._of_term(eligible, counts)))
        return in_order(list(found)[: self._settings.limit])

    def _called(self, words: set[str]) -> list[int]:
        """Return the members whose names have one of the words."""
        # One look for all words leaves few names to be taken apart.
        hint = re.compile("|".join(map(re.escape, words)) or r"\b\B")
        return [
            node
            for node, name in self._members.items()
            if hint.search(name.lower()) and not words.isdisjoint(parts(name))
        ]

    def _of_term(self, nodes: Iterable[int], named_members: Counter[int]) -> Iterator[int]:
        rich: list[int] = []
        lean: list[int] = []
        others: list[int] = []
        for node in nodes:
            if self._graph.kinds[node] not in TYPE_KINDS:
                others.append(node)
            elif node in self._has_members:
                rich.append(node)
            else:
                lean.append(node)
        rich.sort(key=lambda node: -named_members[node])
        own = self._settings
        yield from rich[: own.types_with_methods]
        yield from lean[: own.types_without]
        yield from others[: own.others]

    def _below(self, term: str) -> Iterator[int]:
        """Yield the symbols in files and folders whose names begin so."""
        first = bisect_left(self._ordered, term)
        last = bisect_left(self._ordered, term + _LAST)
        documents = {
            document
            for segment in self._ordered[first:last]
            for document in self._segments[segment]
        }
        for document in sorted(documents):
            yield from self._in_file.get(document, ())


def _segments(path: str) -> set[str]:
    place = PurePosixPath(path.lower())
    return {*place.parts[:-1], place.stem}
