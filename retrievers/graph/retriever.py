"""The graph as a retriever. The score of a symbol goes to the chunk that shows it.

`Graph` has all settings of a ranking, and each of them can be swept.
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
    """All settings of a ranking by a graph: seeds, walk, centrality and scores."""

    algorithm_version: ClassVar[int] = 2

    seeding: Seeding = field(default_factory=Seeding)
    walk: Walk = field(default_factory=Walk)
    hits: Hits = field(default_factory=Hits)
    scoring: Scoring = field(default_factory=Scoring)
    classes: tuple[EquivalenceClass, ...] = ()
    """Equivalence classes of a project, in addition to the built-in ones."""
    observations: tuple[Observation, ...] = ()
    """Observations of running symbols. Without any, all code counts as equally recent."""

    @property
    def ranking(self) -> RankingSettings:
        """The settings of the ranking, without those of its seeds."""
        return RankingSettings(self.walk, self.hits, self.scoring)

    @property
    def inputs(self) -> tuple[Input[Any], ...]:
        """The graph, and the chunks that show its symbols."""
        return *self.graph_inputs, SYMBOLS, CHUNKS

    @property
    def graph_inputs(self) -> tuple[Input[Any], ...]:
        """The inputs of `open`, which needs no chunks."""
        days = (CHANGE_DAYS,) if self.scoring.commit_recency else ()
        return RepositoryGraph(), *self._words, self._table, *days

    def index(self, read: ReadInput, /) -> "GraphIndex":
        """Open the graph and find the chunk of each symbol."""
        return GraphIndex(self.open(read), read(SYMBOLS), read(CHUNKS))

    def open(self, read: ReadInput, vocabulary: Vocabulary | None = None, /) -> OpenGraph:
        """Return the graph, ready for questions. `vocabulary` comes from a session."""
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
    """An index that scores chunks by a walk over their symbols."""

    def __init__(self, retriever: OpenGraph, symbols: Symbols, chunks: Chunks) -> None:
        self._retriever = retriever
        self._home = chunk_of_symbols(symbols, chunks)
        self._chunks = len(chunks)

    def scores(self, query: str) -> Floats:
        """Return the score of every chunk; 0 without a ranked symbol."""
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
    """Return a graph with the texts of its symbols, ready for questions.

    `vocabulary` has the words learned in a session, and `changed_days` the days since the last
    change of each file.
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
