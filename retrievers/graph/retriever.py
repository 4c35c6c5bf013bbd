"""The graph as a retriever: a symbol's score goes to the chunk that shows it.

`Graph` holds everything that decides what a graph answers; each number can be swept.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

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
    Vocabulary,
    WordCounts,
    symbol_texts,
)
from retrievers.graph.shown_symbols import chunk_of_symbols, chunk_scores
from retrievers.graph.walk import Walk
from retrievers.interface import (
    CHANGE_DAYS,
    CHUNKS,
    DOCUMENTS,
    TOKENS,
    Chunks,
    Derived,
    Floats,
    IndexRetriever,
    Input,
    ReadInput,
)
from retrievers.lexical import FieldTexts, TokenizerName
from retrievers.lexical.full_text import FullTextTable
from retrievers.source import EDGE_KINDS, EDGES, PROVENANCES, SYMBOLS, Symbols


@dataclass(frozen=True)
class RepositoryGraph(Derived[CodeGraph]):
    """The compact graph of symbols, files and edges: shared by all settings of a graph."""

    @property
    def inputs(self) -> tuple[Input[Any], ...]:
        """The source and what is known of it."""
        return DOCUMENTS, SYMBOLS, EDGES, TOKENS

    @property
    def record(self) -> type[CodeGraph]:
        """The graph as arrays."""
        return CodeGraph

    def make(self, read: ReadInput, /) -> CodeGraph:
        """Make nodes of symbols and files."""
        made_of = (read(DOCUMENTS), read(SYMBOLS), read(EDGES), read(TOKENS))
        return CodeGraph.of(*made_of, edge_kinds=EDGE_KINDS, provenances=PROVENANCES)

    def counts(self, made: CodeGraph, /) -> Mapping[str, int]:
        """Return the size of the graph."""
        return {"nodes": len(made), "edges": len(made.edge_kind)}


@dataclass(frozen=True)
class SymbolFields(Derived[FieldTexts]):
    """The words of each symbol's columns: shared by all weights of the columns."""

    tokenizer: TokenizerName

    @property
    def inputs(self) -> tuple[Input[Any], ...]:
        """The symbols, and the text of their lines."""
        return DOCUMENTS, RepositoryGraph()

    @property
    def record(self) -> type[FieldTexts]:
        """The columns."""
        return FieldTexts

    def make(self, read: ReadInput, /) -> FieldTexts:
        """Split each symbol's columns into words."""
        return symbol_texts(read(RepositoryGraph()), read(DOCUMENTS), self.tokenizer)


@dataclass(frozen=True)
class SymbolWords(Derived[WordCounts]):
    """The counted words of each symbol and of each file: shared by all k1 and b."""

    tokenizer: TokenizerName

    @property
    def inputs(self) -> tuple[Input[Any], ...]:
        """The columns' words, and the file of each symbol."""
        return RepositoryGraph(), SymbolFields(self.tokenizer)

    @property
    def record(self) -> type[WordCounts]:
        """The counts."""
        return WordCounts

    def make(self, read: ReadInput, /) -> WordCounts:
        """Count the words."""
        return WordCounts.of(read(RepositoryGraph()), read(SymbolFields(self.tokenizer)))


@dataclass(frozen=True)
class SymbolTable(Derived[FullTextTable]):
    """The full text index of some of the symbols' columns: shared by all their weights."""

    tokenizer: TokenizerName
    columns: tuple[str, ...]

    @property
    def inputs(self) -> tuple[Input[Any], ...]:
        """The columns' words."""
        return (SymbolFields(self.tokenizer),)

    @property
    def record(self) -> type[FullTextTable]:
        """The table as bytes."""
        return FullTextTable

    def make(self, read: ReadInput, /) -> FullTextTable:
        """Fill the table."""
        texts = read(SymbolFields(self.tokenizer)).columns
        return FullTextTable.of({name: texts[name] for name in self.columns})


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
        return RepositoryGraph(), self._words, self._table, *days

    def index(self, read: ReadInput, /) -> "GraphIndex":
        """Open the graph and find the chunk of each symbol."""
        return GraphIndex(self.open(read), read(SYMBOLS), read(CHUNKS))

    def open(self, read: ReadInput, vocabulary: Vocabulary | None = None, /) -> OpenGraph:
        """Return the graph, ready to be asked; `vocabulary` is what was learned."""
        days = read(CHANGE_DAYS).by_path if self.scoring.commit_recency else None
        graph = read(RepositoryGraph())
        texts = SeedTexts(self._words.tokenizer, read(self._words), read(self._table))
        return open_graph(graph, texts, self, vocabulary=vocabulary, changed_days=days)

    @property
    def _words(self) -> SymbolWords:
        return SymbolWords(self.seeding.bm25.fields.tokenizer)

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
