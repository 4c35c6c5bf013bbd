"""The graph of a folder, and packs of what it answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bench.engine import Read, Record, Stage
from bench.stages.inputs import Inputs, RepositoryStages
from retrievers.chunkers import token_ends
from retrievers.graph import (
    CodeGraph,
    Format,
    Graph,
    NodeFacts,
    OpenGraph,
    Packing,
    Ranked,
    RepositoryGraph,
    packed,
    render,
)
from retrievers.graph.seeding import Vocabulary
from retrievers.interface import Documents, Integers, Span, TokenEnds
from retrievers.source import Symbols


@dataclass(frozen=True)
class StoredGraph:
    """The settings of a graph and the stages that it is opened from."""

    settings: Graph
    data: Inputs

    @classmethod
    def of(
        cls,
        settings: Graph,
        documents: Stage[Documents],
        symbols: Stage[Symbols],
        tokens: Stage[TokenEnds],
    ) -> "StoredGraph":
        """Return the graph of documents."""
        stages = RepositoryStages(documents, tokens, symbols)
        return cls(settings, stages.inputs(settings.graph_inputs))

    def open(self, read: Read, vocabulary: Vocabulary | None = None, /) -> OpenGraph:
        """Return the graph, ready to be asked."""
        return self.settings.open(self.data.reader(read), vocabulary)

    def graph(self, read: Read, /) -> CodeGraph:
        """Return the graph itself."""
        return self.data.reader(read)(RepositoryGraph())


@dataclass(frozen=True)
class ContextRequest:
    """What context is wanted for: one of a task, files, and changed lines."""

    task: str = ""
    files: tuple[str, ...] = ()
    changes: tuple[Span, ...] = ()

    def asked_of(self, retriever: OpenGraph, facts: NodeFacts | None = None) -> Ranked:
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
    graph: StoredGraph
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
        retriever = self.graph.open(read, vocabulary)
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
