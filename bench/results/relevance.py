"""Credits of displayed hits, and places of targets."""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from bench.measures.matching import LEVELS, Hits, Rule, Targets, match
from bench.queries import Judgements, Offsets
from bench.results.query_result import Place
from bench.stages import HitList
from retrievers.interface import Chunks, Rankings

CREDITS = ("nothing", "relevant", "duplicate")
"""Credits of a hit. A duplicate matches only targets that earlier hits have found."""


@dataclass(frozen=True)
class Credited:
    """Credits of a query's hits, and grades and ranks of its targets."""

    credits: tuple[str, ...]
    grades: tuple[int, ...]
    ranks: tuple[int, ...]
    """Rank of the hit that found each target, or 0."""


@dataclass(frozen=True)
class Relevance:
    """Targets of a repository's queries at one level."""

    targets: Targets
    rule: Rule
    query_count: int

    @classmethod
    def of(
        cls, judgements: Judgements, rule: Rule, level: str, *, query_count: int
    ) -> "Relevance":
        """Return the targets at a level."""
        return cls(Targets.at(judgements, LEVELS.index(level)), rule, query_count)

    def places(self) -> list[tuple[Place, ...]]:
        """Return the places of each query's targets; lines are 0 for whole files."""
        places = self.targets.places
        columns = (places.document, places.start, places.end)
        rows = [self._place(*row) for row in zip(*(c.tolist() for c in columns), strict=True)]
        return [tuple(rows[start:end]) for start, end in self._bounds(places.query)]

    def _place(self, document: int, start: int, end: int) -> Place:
        path = self.rule.characters.documents.paths[document]
        if self.targets.whole_files:
            return Place(path, 0, 0)
        if document not in self._offsets:
            self._offsets[document] = Offsets(self.rule.characters.documents, document)
        return Place(path, *self._offsets[document].lines_of_bytes(start, end))

    @cached_property
    def _offsets(self) -> dict[int, Offsets]:
        return {}

    def credited(self, listed: HitList) -> list[Credited]:
        """Return the credits of the displayed hits of each query."""
        paths = self.rule.characters.documents.paths
        return self.credits_of(Hits(_rankings(listed, self.query_count), _chunks(listed, paths)))

    def credits_of(self, hits: Hits) -> list[Credited]:
        """Return the credits of the hits of each query."""
        found = match(hits, self.targets, self.rule)
        names = [CREDITS[number] for number in found.credit.tolist()]
        grades, ranks = self.targets.grade.tolist(), found.rank.tolist()
        bounds = zip(self._bounds(hits.query), self._bounds(self.targets.query), strict=True)
        return [
            Credited(tuple(names[a:b]), tuple(grades[c:d]), tuple(ranks[c:d]))
            for (a, b), (c, d) in bounds
        ]

    def _bounds(self, query: np.ndarray[Any, Any]) -> list[tuple[int, int]]:
        bounds = np.searchsorted(query, np.arange(self.query_count + 1)).tolist()
        return list(pairwise(bounds))


def _rankings(listed: HitList, query_count: int) -> Rankings:
    """Return the hits as rankings, where hit N is chunk N."""
    none = np.zeros(query_count, np.float32)
    return Rankings(
        chunk=np.arange(len(listed.path), dtype=np.int32),
        score=listed.score,
        stops=np.searchsorted(listed.query, np.arange(query_count), side="right"),
        mean=none,
        deviation=none,
    )


def _chunks(listed: HitList, paths: tuple[str, ...]) -> Chunks:
    """Return the hits as chunks. Token positions are unknown, because matching uses bytes only."""
    numbers = {path: number for number, path in enumerate(paths)}
    unknown = np.zeros(len(listed.path), np.int32)
    return Chunks(
        document=np.array([numbers[path] for path in listed.path], np.int32),
        start_byte=listed.start_byte,
        end_byte=listed.end_byte,
        start_line=listed.start,
        end_line=listed.end,
        start_token=unknown,
        end_token=unknown,
    )
