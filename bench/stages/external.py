"""External engines as stages: what they answered, and the chunks that their answers are.

An engine is asked once for all queries. A query that it failed on keeps the reason, and the study
takes it out of every mean; if it failed on all of them, the stage has failed.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import ClassVar

from bench.engine import Read, Record, Stage
from bench.errors import EngineError
from bench.queries import Meanings
from bench.stages.sources import Questions
from retrievers.chunkers import chunks_of_lines
from retrievers.errors import ExternalError
from retrievers.external import (
    EngineAnswers,
    ExternalSettings,
    OpenEngine,
    Places,
    laid_out,
    open_engine,
)
from retrievers.interface import Chunks, Documents, TokenEnds
from retrievers.source import Symbols


@dataclass(frozen=True)
class Opening:
    """What an engine is opened with."""

    settings: ExternalSettings
    repository: str
    """The name that the engine is told."""

    @contextmanager
    def opened(self, documents: Documents, symbols: Symbols) -> Iterator[OpenEngine]:
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
            yield OpenEngine(engine, tree, perf_counter() - start)


@dataclass(frozen=True)
class ConnectEngine:
    """Opens an engine on the documents of a repository."""

    documents: Stage[Documents]
    symbols: Stage[Symbols]
    opening: Opening

    def load(self, read: Read, /) -> AbstractContextManager[OpenEngine]:
        """Return the engine, opened when it is entered."""
        return self.opening.opened(read(self.documents), read(self.symbols))


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
            found = [opened.located(asked) for asked in opened.engine.ask(texts)]
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
