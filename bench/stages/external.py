"""Other people's engines as stages: what they answered, as chunks and rankings of their own.

An engine is asked once for all queries. A query that it failed on keeps the reason, and the study
takes it out of every mean; if it failed on all of them, the stage has failed.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import pairwise
from time import perf_counter
from typing import Any, ClassVar

import numpy as np

from bench.errors import EngineError
from bench.judgements import Meanings
from bench.pipeline import Read, Record, Stage
from bench.stages.sources import Questions
from retrievers.chunkers import chunks_of_lines
from retrievers.errors import ExternalError
from retrievers.external import (
    Asked,
    ExternalEngine,
    ExternalSettings,
    Places,
    laid_out,
    open_engine,
)
from retrievers.interface import Chunks, Documents, Rankings, Span, TokenEnds
from retrievers.source import Symbols

Column = np.ndarray[Any, np.dtype[np.int32]]
Found = Sequence[tuple[Span, float]]
"""Where the hits of a query are, best first, and their scores."""


@dataclass(frozen=True)
class EngineAnswers:
    """What an engine answered: places in the tree for each query, or why there are none."""

    document: Column
    start: Column
    end: Column
    """First and last line."""
    score: np.ndarray[Any, np.dtype[np.float32]]
    stops: np.ndarray[Any, np.dtype[np.int64]]
    """For each query, the number of hits of it and all queries before it."""
    errors: tuple[str, ...]
    """For each query why it has no answer; blank where it has one."""

    @classmethod
    def of(
        cls, found: Sequence[Found], errors: Sequence[str], numbers: Mapping[str, int]
    ) -> "EngineAnswers":
        """Return the answers as columns; `numbers` are those of the documents."""
        hits = [hit for own in found for hit in own]
        rows = [(numbers[span.path], span.start, span.end) for span, _ in hits]
        document, start, end = np.array(rows, np.int32).reshape(-1, 3).T.copy()
        score = np.array([score for _, score in hits], np.float32)
        stops = np.cumsum([len(own) for own in found], dtype=np.int64)
        return cls(document, start, end, score, stops, tuple(errors))

    @property
    def places(self) -> tuple[Column, Column]:
        """The distinct places in order, a row each, and which of them each hit is."""
        rows = np.stack([self.document, self.start, self.end], axis=1)
        distinct, own = np.unique(rows, axis=0, return_inverse=True)
        return distinct, own.reshape(-1).astype(np.int32)


@dataclass(frozen=True)
class Opened:
    """An engine that has seen the tree, and the places that the tree has."""

    engine: ExternalEngine
    tree: Places
    index_seconds: float

    def placed(self, asked: Asked) -> tuple[Found, str]:
        """Return where the hits of a query are, or why that cannot be said."""
        if asked.error:
            return (), asked.error
        try:
            return _scored(self.tree.spans(asked.answers)), ""
        except ExternalError as error:
            return (), str(error)


@dataclass(frozen=True)
class Opening:
    """What an engine is opened with."""

    settings: ExternalSettings
    repository: str
    """The name that the engine is told."""

    @contextmanager
    def opened(self, documents: Documents, symbols: Symbols) -> Iterator[Opened]:
        """Yield the engine on a folder with the documents."""
        with ExitStack() as stack:
            start = perf_counter()
            try:
                scratch = stack.enter_context(laid_out(documents))
                opening = open_engine(self.settings, scratch, self.repository)
                engine = stack.enter_context(opening)
            except ExternalError as error:
                raise EngineError(str(error)) from error
            meanings = Meanings(documents, symbols)
            tree = Places(documents, meanings.spans, scratch.root, self.settings.first_line)
            yield Opened(engine, tree, perf_counter() - start)


@dataclass(frozen=True)
class AskEngine(Stage[EngineAnswers]):
    """Ask an engine every query."""

    kind: ClassVar[str] = "ask-engine"
    codec: ClassVar[Record[EngineAnswers]] = Record(EngineAnswers)

    questions: Stage[Questions]
    documents: Stage[Documents]
    symbols: Stage[Symbols]
    opening: Opening

    def run(self, read: Read, /) -> EngineAnswers:
        """Return its answers; none to any query is an error."""
        texts = read(self.questions).texts
        documents, symbols = read(self.documents), read(self.symbols)
        with self.opening.opened(documents, symbols) as opened:
            found = [opened.placed(asked) for asked in opened.engine.ask(texts)]
        errors = [error for _, error in found]
        read.count(
            index_milliseconds=round(opened.index_seconds * 1000),
            failed_queries=sum(map(bool, errors)),
        )
        if texts and all(errors):
            message = f"none of {len(texts)} queries was answered; the first: {errors[0]}"
            raise EngineError(message)
        return EngineAnswers.of([own for own, _ in found], errors, documents.places)


@dataclass(frozen=True)
class TakePlaces(Stage[Chunks]):
    """Make a chunk of each place that an engine answered with."""

    kind: ClassVar[str] = "take-places"
    codec: ClassVar[Record[Chunks]] = Record(Chunks)

    answers: Stage[EngineAnswers]
    documents: Stage[Documents]
    tokens: Stage[TokenEnds]

    def run(self, read: Read, /) -> Chunks:
        """Return the distinct places in order."""
        places, _ = read(self.answers).places
        return chunks_of_lines(read(self.documents), read(self.tokens), places)


@dataclass(frozen=True)
class TakeRankings(Stage[Rankings]):
    """Take an engine's order as it is."""

    kind: ClassVar[str] = "take-rankings"
    codec: ClassVar[Record[Rankings]] = Record(Rankings)

    answers: Stage[EngineAnswers]

    def run(self, read: Read, /) -> Rankings:
        """Return the rankings of the places."""
        answers = read(self.answers)
        _, own = answers.places
        bounds = pairwise([0, *answers.stops.tolist()])
        return rankings_of([(own[a:b], answers.score[a:b]) for a, b in bounds])


def rankings_of(hits: Sequence[tuple[Any, Any]]) -> Rankings:
    """Return rankings of which no more is known than their hits and scores."""
    means = [float(scores.mean()) if len(scores) else 0.0 for _, scores in hits]
    deviations = [float(scores.std()) if len(scores) else 0.0 for _, scores in hits]
    return Rankings.of(hits, means, deviations)


def _scored(hits: Sequence[tuple[Span, float | None]]) -> Found:
    """Return the hits with scores that fall: the engine's own, or 1/rank where those do not."""
    own = [score for _, score in hits if score is not None]
    falling = len(own) == len(hits) and all(np.diff(own) <= 0)
    scores = own if falling else [1 / rank for rank in range(1, len(hits) + 1)]
    return [(span, score) for (span, _), score in zip(hits, scores, strict=True)]
