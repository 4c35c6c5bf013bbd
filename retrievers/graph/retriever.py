"""The graph as a retriever. The score of a symbol goes to the chunk that shows it.

`Graph` has all settings of a ranking, and each of them can be swept.
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
    """The graph of symbols, files and edges. It does not depend on the settings of a ranking."""

    @property
    def inputs(self) -> tuple[Input[Any], ...]:
        """The documents with their symbols, edges and tokens."""
        return DOCUMENTS, SYMBOLS, EDGES, TOKENS

    @property
    def record(self) -> type[CodeGraph]:
        """The graph as arrays."""
        return CodeGraph

    def make(self, read: ReadInput, /) -> CodeGraph:
        """Build the graph."""
        made_of = (read(DOCUMENTS), read(SYMBOLS), read(EDGES), read(TOKENS))
        return CodeGraph.of(*made_of, edge_kinds=EDGE_KINDS, provenances=PROVENANCES)

    def counts(self, made: CodeGraph, /) -> Mapping[str, int]:
        """Return the numbers of nodes and edges."""
        return {"nodes": len(made), "edges": len(made.edge_kind)}


@dataclass(frozen=True)
class SymbolFields(Derived[FieldTexts]):
    """The words of the columns of each symbol. They do not depend on the weights of columns."""

    tokenizer: TokenizerName

    @property
    def inputs(self) -> tuple[Input[Any], ...]:
        """The graph, and the texts of the lines of its symbols."""
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
    """The counts of words in each symbol and each file. They do not depend on k1 and b."""

    tokenizer: TokenizerName

    @property
    def inputs(self) -> tuple[Input[Any], ...]:
        """The words of the columns, and the file of each symbol."""
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
    """The full-text index of these columns of the symbols. It does not depend on their weights."""

    tokenizer: TokenizerName
    columns: tuple[str, ...]

    @property
    def inputs(self) -> tuple[Input[Any], ...]:
        """The words of the columns."""
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
        return RepositoryGraph(), self._words, self._table, *days

    def index(self, read: ReadInput, /) -> "GraphIndex":
        """Open the graph and find the chunk of each symbol."""
        return GraphIndex(self.open(read), read(SYMBOLS), read(CHUNKS))

    def open(self, read: ReadInput, vocabulary: Vocabulary | None = None, /) -> OpenGraph:
        """Return the graph, ready for questions. `vocabulary` comes from a session."""
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
