"""An engine's places as a ranking of our chunks, so that it can be fused with other channels.

A chunk has the best score of the places that match it as a hit matches a target: by half of the
shorter of the two. What an engine does not answer with counts as 0, as a chunk without a word of
the query does; so scores that are not all above 0 give way to 1/rank.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np

from bench.pipeline import Read, Record, Stage
from bench.stages.external import Column, EngineAnswers
from bench.stages.ranking import DEPTH
from retrievers.interface import Chunks, Floats, Integers, Rankings, ranked


@dataclass(frozen=True)
class RankByPlaces(Stage[Rankings]):
    """Give each chunk the score of the best place that matches it."""

    kind: ClassVar[str] = "rank-by-places"
    codec: ClassVar[Record[Rankings]] = Record(Rankings)

    answers: Stage[EngineAnswers]
    chunks: Stage[Chunks]
    depth: int = DEPTH

    def run(self, read: Read, /) -> Rankings:
        """Return the rankings of the chunks."""
        answers, grid = read(self.answers), ChunkLines.of(read(self.chunks))
        return ranked(_rows(answers, grid), self.depth, floor=0)


def _rows(answers: EngineAnswers, grid: "ChunkLines") -> Iterator[Floats]:
    for start, stop in pairwise([0, *answers.stops.tolist()]):
        own = slice(start, stop)
        places = zip(answers.document[own], answers.start[own], answers.end[own], strict=True)
        yield grid.scores([(int(a), int(b), int(c)) for a, b, c in places], answers.score[own])


@dataclass(frozen=True)
class ChunkLines:
    """Where chunks stand, to find those that a place matches."""

    document: Column
    start: Column
    end: Column

    @classmethod
    def of(cls, chunks: Chunks) -> "ChunkLines":
        """Return the lines of chunks."""
        return cls(chunks.document, chunks.start_line, chunks.end_line)

    def scores(self, places: Sequence[tuple[int, int, int]], scores: Floats) -> Floats:
        """Return a score a chunk: the best of the places that match it, or 0."""
        row = np.zeros(len(self.document), np.float32)
        if not (scores > 0).all():
            scores = np.asarray(1 / np.arange(1, len(places) + 1), np.float32)
        for place, score in zip(places, scores, strict=True):
            matched = self._matched(*place)
            row[matched] = np.maximum(row[matched], score)
        return row

    def _matched(self, document: int, start: int, end: int) -> Integers:
        first, last = np.searchsorted(self.document, [document, document + 1])
        starts, ends = self.start[first:last], self.end[first:last]
        common = np.minimum(ends, end) - np.maximum(starts, start) + 1
        shorter = np.minimum(ends - starts, end - start) + 1
        return np.asarray(np.flatnonzero(2 * common >= shorter) + first, np.int64)
