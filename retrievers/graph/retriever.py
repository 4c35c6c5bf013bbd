"""The graph as a retriever: a symbol's score goes to the chunk that shows it.

`Graph` holds everything that decides what a graph answers; each number can be swept.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from retrievers.graph.data import FileWords, RepositoryGraph, SymbolTable, SymbolWords
from retrievers.graph.hits import Hits
from retrievers.graph.model import CodeGraph
from retrievers.graph.observations import Observation, days_since
from retrievers.graph.questions import OpenGraph
from retrievers.graph.ranking import NodeFacts, RankingSettings
from retrievers.graph.scoring import Scoring
from retrievers.graph.seeding import (
    EquivalenceClass,
    Seeder,
    Seeding,
    SeedTexts,
    SeedWords,
    Vocabulary,
)
from retrievers.graph.shown_symbols import chunk_of_symbols, chunk_scores
from retrievers.graph.walk import Walk
from retrievers.interface import (
    CHANGE_DAYS,
    CHUNKS,
    Chunks,
    Floats,
    IndexRetriever,
    Input,
    ReadInput,
)
from retrievers.lexical import TokenizerName
from retrievers.source import SYMBOLS, Symbols


@dataclass(frozen=True)
class Graph(IndexRetriever):
    """Where a walk begins, how it goes, and what its nodes are worth."""

    algorithm_version: ClassVar[int] = 2

    seeding: Seeding = field(default_factory=Seeding)
    walk: Walk = field(default_factory=Walk)
    hits: Hits = field(default_factory=Hits)
    scoring: Scoring = field(default_factory=Scoring)
    classes: tuple[EquivalenceClass, ...] = ()
    """What a project calls its ideas, beside what comes with us."""
    observations: tuple[Observation, ...] = ()
    """What was seen running; without any, all code counts as equally recent."""

    @property
    def ranking(self) -> RankingSettings:
        """What holds once the seeds are known."""
        return RankingSettings(self.walk, self.hits, self.scoring)

    @property
    def inputs(self) -> tuple[Input[Any], ...]:
        """The graph, and the chunks that show its symbols."""
        return *self.graph_inputs, SYMBOLS, CHUNKS

    @property
    def graph_inputs(self) -> tuple[Input[Any], ...]:
        """What the graph is opened from, where no chunks are ranked."""
        days = (CHANGE_DAYS,) if self.scoring.commit_recency else ()
        return RepositoryGraph(), *self._words, self._table, *days

    def index(self, read: ReadInput, /) -> "GraphIndex":
        """Open the graph and find the chunk of each symbol."""
        return GraphIndex(self.open(read), read(SYMBOLS), read(CHUNKS))

    def open(self, read: ReadInput, vocabulary: Vocabulary | None = None, /) -> OpenGraph:
        """Return the graph, ready to be asked; `vocabulary` is what was learned."""
        days = read(CHANGE_DAYS).by_path if self.scoring.commit_recency else None
        graph = read(RepositoryGraph())
        texts = SeedTexts(self._tokenizer, self._seed_words(read), read(self._table))
        return open_graph(graph, texts, self, vocabulary=vocabulary, changed_days=days)

    def _seed_words(self, read: ReadInput, /) -> SeedWords:
        of_symbols, of_files = (read(words).postings for words in self._words)
        return SeedWords(of_symbols, of_files)

    @property
    def _tokenizer(self) -> TokenizerName:
        return self.seeding.bm25.fields.tokenizer

    @property
    def _words(self) -> tuple[SymbolWords, FileWords]:
        return SymbolWords(self._tokenizer), FileWords(self._tokenizer)

    @property
    def _table(self) -> SymbolTable:
        fields = self.seeding.bm25.fields
        return SymbolTable(fields.tokenizer, fields.searched)


class GraphIndex:
    """Chunks, ready to be scored by a walk over what they define."""

    def __init__(self, retriever: OpenGraph, symbols: Symbols, chunks: Chunks) -> None:
        self._retriever = retriever
        self._home = chunk_of_symbols(symbols, chunks)
        self._chunks = len(chunks)

    def scores(self, query: str) -> Floats:
        """Return the score of every chunk; zero shows no symbol near to the query."""
        scored = self._retriever.for_task(query).scored
        return chunk_scores(scored, self._home, self._chunks)


def open_graph(
    graph: CodeGraph,
    texts: SeedTexts,
    settings: Graph,
    *,
    vocabulary: Vocabulary | None = None,
    changed_days: Mapping[str, float] | None = None,
) -> OpenGraph:
    """Return a graph with these texts of its symbols, ready to be asked.

    `vocabulary` is what was learned, `changed_days` the days since each file was changed.
    """
    seeder = Seeder(
        graph, texts, settings.seeding, classes=settings.classes, vocabulary=vocabulary
    )
    facts = NodeFacts()
    if settings.observations:
        facts = NodeFacts(seen_days=days_since(settings.observations, graph.names))
    if changed_days is not None:
        of_files = [changed_days.get(path, np.nan) for path in graph.files]
        facts = NodeFacts(changed_days=np.array([*of_files, np.nan])[graph.document]).over(facts)
    return OpenGraph(
        graph, seeder.seed, settings.ranking, facts=facts, find_reasons=seeder.reasons
    )
