"""External engines as stages: their answers, and chunks made from the answers.

An engine gets all queries at once. A failed query keeps its error and is excluded from all means.
If all queries failed, the stage fails.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
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
    LiveEngine,
    OpenEngine,
    Places,
    RunFile,
    known_places,
    laid_out,
    open_engine,
    scored,
)
from retrievers.interface import Chunks, Documents, TokenEnds
from retrievers.source import Symbols

_SHOWN = 3


@dataclass(frozen=True)
class Opening:
    """Settings for opening an engine."""

    settings: LiveEngine
    repository: str
    """Repository name that the engine receives."""

    @contextmanager
    def opened(self, documents: Documents, symbols: Symbols) -> Iterator[OpenEngine]:
        """Yield the engine, opened on a temporary folder with the documents."""
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
    """Loader of an engine for the documents of a repository."""

    documents: Stage[Documents]
    symbols: Stage[Symbols]
    opening: Opening

    def load(self, read: Read, /) -> AbstractContextManager[OpenEngine]:
        """Return a context manager that opens the engine."""
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
        """Return the engine's answers; it is an error if all queries failed."""
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
class TakeRun(Stage[EngineAnswers]):
    """Locate the ranked places of an imported run in the tree."""

    kind: ClassVar[str] = "take-run"
    codec: ClassVar[Record[EngineAnswers]] = Record(EngineAnswers)

    queries: tuple[tuple[str, str], ...]
    """ID and text of each query."""
    repository: str
    documents: Stage[Documents]
    symbols: Stage[Symbols]
    run_file: RunFile

    def run(self, read: Read, /) -> EngineAnswers:
        """Return the places that the tree has, with the unknown places and queries."""
        documents = read(self.documents)
        meanings = Meanings(documents, read(self.symbols))
        tree = Places(documents, meanings.spans, Path("/"), self.run_file.first_line)
        try:
            rankings = self.run_file.rankings()
        except ExternalError as error:
            raise EngineError(f"retriever.{error}") from error
        names = [self._name_in(rankings, *query) for query in self.queries]
        self._refuse_other_run(names, rankings)
        found = [known_places(rankings[name] if name else (), tree) for name in names]
        unknown = tuple(one for own in found for one in own.unknown)
        if not any(own.spans for own in found) and unknown:
            message = f"knows none of what the run ranks, such as {unknown[0]!r}"
            raise EngineError(
                f"{self.repository}: {message}; its documents are named like"
                f" {documents.paths[0]!r}"
            )
        read.count(unknown_places=len(unknown))
        answers = EngineAnswers.of(
            [scored(own.spans) for own in found], [""] * len(names), documents.places
        )
        used = {*names}
        return replace(
            answers,
            unknown=unknown,
            absent=tuple(
                query for (query, _), name in zip(self.queries, names, strict=True) if not name
            ),
            unasked=tuple(name for name in rankings if name not in used),
        )

    def _name_in(self, rankings: Mapping[str, object], query: str, text: str) -> str:
        """Return the name of a query in a run, or "" if the run does not have it."""
        names = (f"{self.repository}/{query}", query, text)
        spelt = (each for name in names for each in (name, name.replace(" ", "%20")))
        return next((name for name in spelt if name in rankings), "")

    def _refuse_other_run(self, names: Sequence[str], rankings: Mapping[str, object]) -> None:
        if names and not any(names):
            theirs, ours = ", ".join(list(rankings)[:_SHOWN]), self.queries[0][0]
            message = f"has none of the queries of {self.repository}: its queries are named like"
            raise EngineError(
                f"retriever.path={self.run_file.path}: {message} {theirs}, ours like {ours}"
            )


@dataclass(frozen=True)
class TakePlaces(Stage[Chunks]):
    """Make a chunk of each place in an engine's answers."""

    kind: ClassVar[str] = "take-places"
    codec: ClassVar[Record[Chunks]] = Record(Chunks)

    answers: Stage[EngineAnswers]
    documents: Stage[Documents]
    tokens: Stage[TokenEnds]

    def run(self, read: Read, /) -> Chunks:
        """Return the distinct places in order."""
        places, _ = read(self.answers).places
        return chunks_of_lines(read(self.documents), read(self.tokens), places)
