"""Retrieval by the graph: its data, what opens it, and packs of what it answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bench.pipeline import Read, Record, Stage
from bench.stages.changes import ChangeDays, change_days
from bench.stages.sources import FindEdges
from retrievers.chunkers import token_ends
from retrievers.graph import (
    CodeGraph,
    Format,
    Graph,
    GraphIndex,
    GraphRetriever,
    NodeFacts,
    Packing,
    Ranked,
    open_graph,
    packed,
    render,
)
from retrievers.graph.seeding import Vocabulary, symbol_texts
from retrievers.interface import Chunks, Documents, Index, Integers, Span, TokenEnds
from retrievers.lexical import FieldTexts, TokenizerName
from retrievers.source import Symbols
from retrievers.source.edges import EDGE_KINDS, PROVENANCES, Edges


@dataclass(frozen=True)
class BuildGraph(Stage[CodeGraph]):
    """Make a compact graph of symbols, files and edges."""

    kind: ClassVar[str] = "build-graph"
    codec: ClassVar[Record[CodeGraph]] = Record(CodeGraph)

    documents: Stage[Documents]
    symbols: Stage[Symbols]
    edges: Stage[Edges]
    tokens: Stage[TokenEnds]

    def run(self, read: Read, /) -> CodeGraph:
        """Return the graph."""
        inputs = (read(self.documents), read(self.symbols), read(self.edges), read(self.tokens))
        graph = CodeGraph.of(*inputs, edge_kinds=EDGE_KINDS, provenances=PROVENANCES)
        read.count(nodes=len(graph), edges=len(graph.edge_kind))
        return graph


@dataclass(frozen=True)
class SplitSymbols(Stage[FieldTexts]):
    """Find the words of each symbol's columns; the columns' weights share this."""

    kind: ClassVar[str] = "split-symbols"
    codec: ClassVar[Record[FieldTexts]] = Record(FieldTexts)

    documents: Stage[Documents]
    graph: Stage[CodeGraph]
    tokenizer: TokenizerName

    def run(self, read: Read, /) -> FieldTexts:
        """Return the columns."""
        return symbol_texts(read(self.graph), read(self.documents), self.tokenizer)


@dataclass(frozen=True)
class GraphInputs:
    """The stored data of a graph, and how it is asked."""

    graph: Stage[CodeGraph]
    texts: Stage[FieldTexts]
    settings: Graph
    changes: Stage[ChangeDays] | None = None
    """Where it counts how long ago files were changed."""

    def open(self, read: Read, vocabulary: Vocabulary | None = None, /) -> GraphRetriever:
        """Return the graph, ready to be asked."""
        return open_graph(
            read(self.graph),
            read(self.texts),
            self.settings,
            vocabulary=vocabulary,
            changed_days=read(self.changes).by_path if self.changes else None,
        )


def graph_inputs(
    documents: Stage[Documents],
    symbols: Stage[Symbols],
    tokens: Stage[TokenEnds],
    settings: Graph,
) -> GraphInputs:
    """Return what a graph of documents is opened from."""
    graph = BuildGraph(documents, symbols, FindEdges(documents, symbols), tokens)
    texts = SplitSymbols(documents, graph, settings.seeding.bm25.fields.tokenizer)
    changes = change_days(documents) if settings.scoring.commit_recency else None
    return GraphInputs(graph, texts, settings, changes)


@dataclass(frozen=True)
class GraphForm:
    """A walk over what the chunks define."""

    inputs: GraphInputs
    symbols: Stage[Symbols]
    chunks: Stage[Chunks]

    def index(self, read: Read, /) -> Index:
        """Return the index."""
        return GraphIndex(self.inputs.open(read), read(self.symbols), read(self.chunks))


@dataclass(frozen=True)
class ContextRequest:
    """What context is wanted for: one of a task, files, and changed lines."""

    task: str = ""
    files: tuple[str, ...] = ()
    changes: tuple[Span, ...] = ()

    def asked_of(self, retriever: GraphRetriever, facts: NodeFacts | None = None) -> Ranked:
        """Return what the graph answers."""
        if self.files:
            return retriever.for_files(self.files, facts=facts)
        if self.changes:
            return retriever.for_changes(self.changes, facts=facts)
        return retriever.for_task(self.task, facts=facts)


@dataclass(frozen=True)
class ContextPack:
    """A pack as it is shown."""

    text: str
    symbols: tuple[str, ...]
    tokens: int
    candidates: int


@dataclass(frozen=True)
class PackContext(Stage[ContextPack]):
    """Fill a budget with what matters for a task, for files or for changed lines."""

    kind: ClassVar[str] = "pack-context"
    codec: ClassVar[Record[ContextPack]] = Record(ContextPack)

    documents: Stage[Documents]
    inputs_of_graph: GraphInputs
    request: ContextRequest
    packing: Packing
    form: Format

    def run(self, read: Read, /) -> ContextPack:
        """Return the pack."""
        return self.answer(read)

    def answer(
        self,
        read: Read,
        /,
        *,
        facts: NodeFacts | None = None,
        vocabulary: Vocabulary | None = None,
    ) -> ContextPack:
        """Return the pack, given what is known of the nodes besides, and what was learned."""
        retriever = self.inputs_of_graph.open(read, vocabulary)
        pack = packed(
            retriever.graph,
            self.request.asked_of(retriever, facts),
            read(self.documents),
            self.packing,
            form=self.form,
            count=count_tokens,
        )
        names = tuple(entry.symbol for entry in pack.entries)
        return ContextPack(render(pack, self.form), names, pack.tokens, pack.candidates)


def count_tokens(texts: Sequence[str]) -> Integers:
    """Return the o200k tokens of each text."""
    named = [(f"{place:09}", text) for place, text in enumerate(texts)]
    return np.diff(token_ends(Documents.of(named)).stops, prepend=0)
