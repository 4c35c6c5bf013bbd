"""The channel that finds types in the packages of a task. A walk then reaches their methods."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import compress

import numpy as np

from retrievers.errors import SeedError
from retrievers.graph.model import TYPE_KINDS, CodeGraph
from retrievers.graph.seeding.channel import Asked, Finds, in_order
from retrievers.graph.seeding.keywords import parts
from retrievers.graph.seeding.terms import path_terms

_LAST = "\U0010ffff"


@dataclass(frozen=True)
class PathSeeds:
    """Minimum length of a word that may name a package, and the maximum numbers of symbols."""

    letters: int = 4
    types_with_methods: int = 5
    types_without: int = 10
    others: int = 15
    limit: int = 30
    fused: bool = False
    """Whether these symbols also take part in the fusion with other channels."""

    def __post_init__(self) -> None:
        """Raise an error for limits below 0."""
        for name in ("letters", "types_with_methods", "types_without", "others", "limit"):
            if getattr(self, name) < 0:
                raise SeedError(f"{name}={getattr(self, name)} is out of range; choose 0 or more")


class PathChannel:
    """Finds symbols in folders and files whose names begin with a word of the task."""

    def __init__(self, graph: CodeGraph, settings: PathSeeds) -> None:
        self._graph = graph
        self._settings = settings
        documents = graph.document[: graph.symbol_count]
        self._parent = graph.parent[: graph.symbol_count]
        self._by_file = np.argsort(documents, kind="stable")
        self._stops = np.cumsum(np.bincount(documents, minlength=len(graph.files)))
        self._has_members = np.zeros(graph.symbol_count, bool)
        self._has_members[self._parent[self._parent >= 0]] = True
        self._segments: dict[str, list[int]] = {}
        for document, path in enumerate(graph.files):
            for segment in segments(path):
                self._segments.setdefault(segment, []).append(document)
        self._ordered = sorted(self._segments)

    def find(self, asked: Asked) -> Finds:
        """Return types with members first, then other types, then other symbols, for each word."""
        words = {part for name in asked.keywords.components for part in parts(name)}
        found: dict[int, None] = {}
        for term in path_terms(asked.task, self._settings.letters):
            eligible = (node for node in self._below(term) if asked.eligible[node])
            found.update(dict.fromkeys(self._of_term(eligible, words)))
        return in_order(list(found)[: self._settings.limit])

    def _of_term(self, nodes: Iterable[int], words: set[str]) -> Iterator[int]:
        rich: list[int] = []
        lean: list[int] = []
        others: list[int] = []
        for node in nodes:
            if self._graph.kinds[node] not in TYPE_KINDS:
                others.append(node)
            elif self._has_members[node]:
                rich.append(node)
            else:
                lean.append(node)
        named_members = self._named_members(rich, words)
        rich.sort(key=lambda node: -named_members[node])
        own = self._settings
        yield from rich[: own.types_with_methods]
        yield from lean[: own.types_without]
        yield from others[: own.others]

    def _named_members(self, types: list[int], words: set[str]) -> Counter[int]:
        """Return for each type the number of members whose names have one of the words."""
        members = np.flatnonzero(np.isin(self._parent, types)).tolist()
        last = (self._graph.names[node].rpartition(".")[2] for node in members)
        named = (not words.isdisjoint(parts(name)) for name in last)
        return Counter(self._parent[list(compress(members, named))].tolist())

    def _below(self, term: str) -> Iterator[int]:
        """Yield the symbols in files and folders whose names begin with the term."""
        first = bisect_left(self._ordered, term)
        last = bisect_left(self._ordered, term + _LAST)
        documents = {
            document
            for segment in self._ordered[first:last]
            for document in self._segments[segment]
        }
        for document in sorted(documents):
            first_of_file = int(self._stops[document - 1]) if document else 0
            yield from self._by_file[first_of_file : self._stops[document]].tolist()


def segments(path: str) -> set[str]:
    """Return the names of the folders and the file of a path, without the file's extension."""
    # A plain split is enough for paths of documents, and faster than `PurePosixPath`.
    *folders, name = path.lower().split("/")
    stem, _, ending = name.rpartition(".")
    return {*folders, stem if stem and ending else name}
