"""The credits of the hits that people see, and the places of the targets."""

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
"""The credits of a hit; a duplicate matches only targets that earlier hits had found."""


@dataclass(frozen=True)
class Credited:
    """The credits of a query's hits, and the grades of its targets with who found them."""

    credits: tuple[str, ...]
    grades: tuple[int, ...]
    ranks: tuple[int, ...]
    """0 for a target that no shown hit found."""


@dataclass(frozen=True)
class Relevance:
    """The targets of the queries of one repository at one level."""

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
        """Return where the targets of each query are; lines are 0 for whole files."""
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
        """Return who found what among the shown hits of each query."""
        paths = self.rule.characters.documents.paths
        hits = Hits(_rankings(listed, self.query_count), _chunks(listed, paths))
        found = match(hits, self.targets, self.rule)
        names = [CREDITS[number] for number in found.credit.tolist()]
        grades, ranks = self.targets.grade.tolist(), found.rank.tolist()
        bounds = zip(self._bounds(listed.query), self._bounds(self.targets.query), strict=True)
        return [
            Credited(tuple(names[a:b]), tuple(grades[c:d]), tuple(ranks[c:d]))
            for (a, b), (c, d) in bounds
        ]

    def _bounds(self, query: np.ndarray[Any, Any]) -> list[tuple[int, int]]:
        bounds = np.searchsorted(query, np.arange(self.query_count + 1)).tolist()
        return list(pairwise(bounds))


def _rankings(listed: HitList, query_count: int) -> Rankings:
    """Return the hits as rankings of chunks that are numbered as the hits are."""
    none = np.zeros(query_count, np.float32)
    return Rankings(
        chunk=np.arange(len(listed.path), dtype=np.int32),
        score=listed.score,
        stops=np.searchsorted(listed.query, np.arange(query_count), side="right"),
        mean=none,
        deviation=none,
    )


def _chunks(listed: HitList, paths: tuple[str, ...]) -> Chunks:
    """Return the hits as chunks; matching asks for their bytes and nothing else."""
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
