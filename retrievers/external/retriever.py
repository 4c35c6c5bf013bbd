"""External engines as retrievers, for rankings and for serving.

As one of several channels, an engine ranks our chunks that its answers overlap. As the only
retriever of a trial (`OwnChunks`), its answers are the chunks.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from retrievers.errors import ExternalError
from retrievers.external.answers import Asked
from retrievers.external.spans import Places
from retrievers.interface import (
    CHUNKS,
    DOCUMENTS,
    SEARCHED,
    Chunks,
    Documents,
    Floats,
    Input,
    Integers,
    Rankings,
    ReadInput,
    Retriever,
    Span,
    ranked,
)

if TYPE_CHECKING:
    from retrievers.external.asking import ExternalEngine
    from retrievers.external.settings import ExternalSettings

Column = np.ndarray[Any, np.dtype[np.int32]]
Found = Sequence[tuple[Span, float]]
"""The spans of the hits of a query, best first, with their scores."""


@dataclass(frozen=True)
class EngineAnswers:
    """The answers of an engine: places in the tree for each query, or the error."""

    document: Column
    start: Column
    end: Column
    """First and last line."""
    score: np.ndarray[Any, np.dtype[np.float32]]
    stops: np.ndarray[Any, np.dtype[np.int64]]
    """For each query, the number of hits of this query and all queries before it."""
    errors: tuple[str, ...]
    """For each query the reason of its failure; blank if it has an answer."""
    unknown: tuple[str, ...] = ()
    """The places that a run file has for these queries and that are not in the tree."""
    absent: tuple[str, ...] = ()
    """The queries that are missing in a run file."""
    unasked: tuple[str, ...] = ()
    """The queries of a run file that are not asked."""

    @classmethod
    def of(
        cls, found: Sequence[Found], errors: Sequence[str], numbers: Mapping[str, int]
    ) -> "EngineAnswers":
        """Return the answers as columns. `numbers` has the number of the document of each path."""
        hits = [hit for own in found for hit in own]
        rows = [(numbers[span.path], span.start, span.end) for span, _ in hits]
        document, start, end = np.array(rows, np.int32).reshape(-1, 3).T.copy()
        score = np.array([score for _, score in hits], np.float32)
        stops = np.cumsum([len(own) for own in found], dtype=np.int64)
        return cls(document, start, end, score, stops, tuple(errors))

    @property
    def places(self) -> tuple[Column, Column]:
        """The sorted distinct places, one row each, and the row of each hit."""
        rows = np.stack([self.document, self.start, self.end], axis=1)
        distinct, own = np.unique(rows, axis=0, return_inverse=True)
        return distinct, own.reshape(-1).astype(np.int32)

    @property
    def slices(self) -> Iterator[slice]:
        """The rows of each query."""
        return (slice(*pair) for pair in pairwise([0, *self.stops.tolist()]))


@dataclass(frozen=True)
class OpenEngine:
    """An engine that has indexed the tree, and the places in the tree."""

    engine: "ExternalEngine"
    tree: Places
    index_seconds: float

    def located(self, asked: Asked) -> tuple[Found, str]:
        """Return the spans of the hits and a blank error, or no hits and the error."""
        if asked.error:
            return (), asked.error
        try:
            return scored(self.tree.spans(asked.answers)), ""
        except ExternalError as error:
            return (), str(error)

    def hits(self, query: str) -> Found:
        """Return the spans of the hits of a query. Raise `ExternalError` if the engine fails."""
        found, error = self.located(self.engine.ask([query])[0])
        if error:
            raise ExternalError(error)
        return found


def scored(hits: Sequence[tuple[Span, float | None]]) -> Found:
    """Return the hits with their scores, or with 1/rank if a score is missing or increases."""
    own = [score for _, score in hits if score is not None]
    falling = len(own) == len(hits) and all(np.diff(own) <= 0)
    scores = own if falling else [1 / rank for rank in range(1, len(hits) + 1)]
    return [(span, score) for (span, _), score in zip(hits, scores, strict=True)]


@dataclass(frozen=True)
class EngineReplies(Input[EngineAnswers]):
    """The answers of an engine to all queries."""

    engine: "ExternalSettings"


@dataclass(frozen=True)
class EngineConnection(Input[AbstractContextManager[OpenEngine]]):
    """A connection to the engine, for single queries."""

    engine: "ExternalSettings"


class EngineRetriever(Retriever):
    """The base of the settings of all engines. It ranks our chunks by the engine's places."""

    @property
    def inputs(self) -> tuple[Input[Any], ...]:
        """The chunks that are ranked, and the engine."""
        return DOCUMENTS, CHUNKS, EngineConnection(self._settings)

    @property
    def query_inputs(self) -> tuple[Input[Any], ...]:
        """The answers to all queries."""
        return (EngineReplies(self._settings),)

    def rank(self, _queries: Sequence[str], read: ReadInput, /, *, depth: int) -> Rankings:
        """Return rankings in which a chunk has the score of the best place that matches it."""
        answers, lines = read(EngineReplies(self._settings)), ChunkLines.of(read(CHUNKS))
        return ranked(_rows(answers, lines), depth, floor=0)

    def searcher(self, read: ReadInput, /) -> "EngineSearcher":
        """Return a searcher after the engine has indexed the tree."""
        return EngineSearcher(read, EngineConnection(self._settings), own_chunks=False)

    @property
    def _settings(self) -> Any:
        return self


@dataclass(frozen=True)
class OwnChunks(Retriever):
    """An engine that is the only retriever. The places in its answers are the chunks."""

    engine: "ExternalSettings"

    @property
    def inputs(self) -> tuple[Input[Any], ...]:
        """The inputs of the engine."""
        return self.engine.inputs

    @property
    def query_inputs(self) -> tuple[Input[Any], ...]:
        """The answers to all queries."""
        return self.engine.query_inputs

    def rank(self, _queries: Sequence[str], read: ReadInput, /, *, depth: int) -> Rankings:
        """Return rankings in the order of the engine."""
        answers = read(EngineReplies(self.engine))
        _, own = answers.places
        return _rankings_of(
            [(own[rows][:depth], answers.score[rows][:depth]) for rows in answers.slices]
        )

    def searcher(self, read: ReadInput, /) -> "EngineSearcher":
        """Return a searcher after the engine has indexed the tree."""
        return EngineSearcher(read, EngineConnection(self.engine), own_chunks=True)


class EngineSearcher:
    """A searcher over an engine."""

    def __init__(self, read: ReadInput, connection: EngineConnection, *, own_chunks: bool) -> None:
        self._documents: Documents = read(DOCUMENTS)
        self._lines = ChunkLines.of(read(CHUNKS))
        self._own = self._lines.numbers if own_chunks else None
        self._stack = ExitStack()
        self._opened = self._stack.enter_context(read(connection))

    def search(self, query: str) -> Rankings:
        """Return the chunks at the engine's places. With own chunks, new places are dropped."""
        found, numbers = self._opened.hits(query), self._documents.places
        places = [(numbers[span.path], span.start, span.end) for span, _ in found]
        scores = np.array([score for _, score in found], np.float32)
        if self._own is None:
            return ranked([self._lines.scores(places, scores)], SEARCHED, floor=0)
        known = [row for row, place in enumerate(places) if place in self._own]
        chunks = np.array([self._own[places[row]] for row in known], np.int32)
        return _rankings_of([(chunks, scores[known])])

    def close(self) -> None:
        """Close the engine and remove its tree."""
        self._stack.close()


def _rankings_of(hits: Sequence[tuple[Any, Any]]) -> Rankings:
    """Return rankings whose mean and deviation cover only the hits."""
    means = [float(scores.mean()) if len(scores) else 0.0 for _, scores in hits]
    deviations = [float(scores.std()) if len(scores) else 0.0 for _, scores in hits]
    return Rankings.of(hits, means, deviations)


def _rows(answers: EngineAnswers, lines: "ChunkLines") -> Iterator[Floats]:
    for rows in answers.slices:
        places = zip(answers.document[rows], answers.start[rows], answers.end[rows], strict=True)
        yield lines.scores([(int(a), int(b), int(c)) for a, b, c in places], answers.score[rows])


@dataclass(frozen=True)
class ChunkLines:
    """The lines of chunks, to find the chunks that a place matches.

    A place matches a chunk by the rule for hits and targets: they share half of the shorter of the
    two. A chunk without a match scores 0. Scores of the engine are therefore replaced by 1/rank
    unless all of them are above 0.
    """

    document: Column
    start: Column
    end: Column

    @classmethod
    def of(cls, chunks: Chunks) -> "ChunkLines":
        """Return the lines of chunks."""
        return cls(chunks.document, chunks.start_line, chunks.end_line)

    @property
    def numbers(self) -> dict[tuple[int, int, int], int]:
        """The number of each chunk by its document and lines."""
        columns = (self.document.tolist(), self.start.tolist(), self.end.tolist())
        return {place: number for number, place in enumerate(zip(*columns, strict=True))}

    def scores(self, places: Sequence[tuple[int, int, int]], scores: Floats) -> Floats:
        """Return for each chunk the best score of the places that match it, or 0."""
        row = np.zeros(len(self.document), np.float32)
        if not (scores > 0).all():
            scores = np.asarray(1 / np.arange(1, len(places) + 1), np.float32)
        for place, score in zip(places, scores, strict=True):
            matched = self._matched(*place)
            row[matched] = np.maximum(row[matched], score)
        return row

    def _matched(self, document: int, start: int, end: int) -> Integers:
        # Chunks are sorted by document, so those of one document are a range.
        first, last = np.searchsorted(self.document, [document, document + 1])
        starts, ends = self.start[first:last], self.end[first:last]
        common = np.minimum(ends, end) - np.maximum(starts, start) + 1
        shorter = np.minimum(ends - starts, end - start) + 1
        return np.asarray(np.flatnonzero(2 * common >= shorter) + first, np.int64)
