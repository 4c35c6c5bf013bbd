"""Scoring of rankings: resolution of targets, and comparison of hits with them."""

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from bench.commands import command
from bench.corpora import EVERY_FILE
from bench.engine import Fingerprint, Read, Record, Stage
from bench.errors import FixtureError
from bench.measures import Characters, Rule, Scores, SymbolCredit, measures_of, score
from bench.queries import (
    Earlier,
    Followed,
    Judgements,
    Missing,
    Problem,
    Query,
    Tree,
    follow,
    problems_in,
    resolve_in,
    with_states,
)
from bench.stages.listing import FindDefinitions
from retrievers.interface import Chunks, Documents, Rankings, TokenEnds
from retrievers.source import Symbols


@dataclass(frozen=True)
class ResolveTargets(Stage[Judgements]):
    """Find every target in the source tree."""

    kind: ClassVar[str] = "resolve-targets"
    version: ClassVar[int] = 5
    codec: ClassVar[Record[Judgements]] = Record(Judgements)

    documents: Stage[Documents]
    symbols: Stage[Symbols]
    queries: tuple[Query, ...]
    most_matches: int = 1
    """Maximum number of definitions that a symbol name may match."""
    earlier: Earlier | None = field(default=None, metadata={"later": True})
    """States of the targets in another tree, or None. With it, a query is left out if its target
    is gone. Otherwise `missing` decides."""
    missing: Missing = field(default="refuse", metadata={"later": True})
    """Whether a target outside the source is an error or is dropped."""

    def run(self, read: Read, /) -> Judgements:
        """Return the places of the targets, and the state of each target."""
        tree = Tree.of(read(self.documents), read(self.symbols), self.most_matches)
        followed = self._followed(tree)
        try:
            judgements = resolve_in(tree, [one.query for one in followed])
        except FixtureError as error:
            moved = f"correct them ({command('fixtures update')} looks for what has moved)"
            remedy = f"{moved}, or pass missing=drop to leave them out and count them"
            message = f"{_with_choice(error.message, self.documents)}\n  {remedy}"
            raise FixtureError(message) from error
        return with_states(judgements, followed)

    def problems(self, documents: Documents, symbols: Symbols) -> tuple[Problem, ...]:
        """Return problems of the required targets or, without any, problems of all targets."""
        tree = Tree.of(documents, symbols, self.most_matches)
        needed = [one.query for one in self._followed(tree)]
        return problems_in(tree, needed) or problems_in(tree, self.queries)

    def _followed(self, tree: Tree) -> list[Followed]:
        return follow(tree, self.queries, self.earlier, missing=self.missing)


def _with_choice(message: str, documents: Stage[Documents]) -> str:
    """Return a message with the selection of files, which may exclude the targets."""
    files = getattr(documents, "files", EVERY_FILE)
    if files == EVERY_FILE:
        return message
    first, _, rest = message.partition("\n")
    return f"{first} ({files} leaves files out, and their targets cannot be found)\n{rest}"


@dataclass(frozen=True)
class Evaluate(Stage[Scores]):
    """Score the rankings of one repository at every level."""

    kind: ClassVar[str] = "evaluate"
    version: ClassVar[int] = 4
    codec: ClassVar[Record[Scores]] = Record(Scores)

    ranking: Stage[Rankings]
    chunks: Stage[Chunks]
    documents: Stage[Documents]
    tokens: Stage[TokenEnds]
    judgements: ResolveTargets
    limit: int
    overlap: float = 0.5
    symbol_credit: SymbolCredit = "strict"
    measures: tuple[str, ...] = ()
    """Columns besides the standard ones."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns in the order of the reports."""
        return tuple(measure.column for measure in measures_of(self.measures))

    @property
    def quality(self) -> Fingerprint:
        """Fingerprint without the additional columns, which do not change the quality."""
        return replace(self, measures=()).fingerprint

    def run(self, read: Read, /) -> Scores:
        """Return a value per level, query and measure."""
        rankings, characters = read(self.ranking), Characters(read(self.documents))
        return score(
            rankings,
            read(self.chunks),
            read(self.judgements),
            read(self.tokens),
            query_count=len(rankings),
            rule=Rule(characters, self.overlap, self.symbol_credit),
            measures=measures_of(self.measures),
            limit=self.limit,
        )


@dataclass(frozen=True)
class HitList:
    """The first hits of each query, with bytes for judging and lines for people."""

    query: np.ndarray[Any, np.dtype[np.int32]]
    path: tuple[str, ...]
    start: np.ndarray[Any, np.dtype[np.int32]]
    """First line, counted from 1."""
    end: np.ndarray[Any, np.dtype[np.int32]]
    start_byte: np.ndarray[Any, np.dtype[np.int32]]
    end_byte: np.ndarray[Any, np.dtype[np.int32]]
    symbol: tuple[str, ...]
    """Qualified name of the definition that each hit shows, or ""."""
    score: np.ndarray[Any, np.dtype[np.float32]]


@dataclass(frozen=True)
class ListHits(Stage[HitList]):
    """List the first hits of each query with path, place and definition."""

    kind: ClassVar[str] = "list-hits"
    version: ClassVar[int] = 2
    codec: ClassVar[Record[HitList]] = Record(HitList)

    ranking: Stage[Rankings]
    chunks: Stage[Chunks]
    documents: Stage[Documents]
    definitions: FindDefinitions
    limit: int

    def run(self, read: Read, /) -> HitList:
        """Return the hits in the order of the queries and their ranks."""
        rankings, chunks, documents = read(self.ranking), read(self.chunks), read(self.documents)
        definitions, symbols = read(self.definitions), read(self.definitions.symbols)
        tops = [rankings.of_query(query) for query in range(len(rankings))]
        chosen = np.concatenate([np.zeros(0, np.int32), *(hits[: self.limit] for hits, _ in tops)])
        counts = [min(len(hits), self.limit) for hits, _ in tops]
        return HitList(
            query=np.repeat(np.arange(len(tops)), counts).astype(np.int32),
            path=tuple(documents.paths[number] for number in chunks.document[chosen]),
            start=chunks.start_line[chosen],
            end=chunks.end_line[chosen],
            start_byte=chunks.start_byte[chosen],
            end_byte=chunks.end_byte[chosen],
            symbol=definitions.names(chosen, symbols),
            score=np.concatenate(
                [np.zeros(0, np.float32), *(scores[: self.limit] for _, scores in tops)]
            ),
        )
