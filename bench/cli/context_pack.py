"""Context packs and the requests for them."""

from collections.abc import Callable
from dataclasses import dataclass

from bench.errors import UsageError
from retrievers.chunkers import count_tokens
from retrievers.graph import (
    CodeGraph,
    Format,
    NodeFacts,
    OpenGraph,
    Packing,
    Ranked,
    packed,
    render,
)
from retrievers.interface import Documents, Span


@dataclass(frozen=True)
class ContextRequest:
    """A request for context with one of a task, files or changed lines."""

    task: str = ""
    files: tuple[str, ...] = ()
    changes: tuple[Span, ...] = ()

    def asked_of(self, retriever: OpenGraph, facts: NodeFacts | None = None) -> Ranked:
        """Return the graph's ranking for the request."""
        if self.files:
            return retriever.for_files(self.files, facts=facts)
        if self.changes:
            return retriever.for_changes(self.changes, facts=facts)
        return retriever.for_task(self.task, facts=facts)


def refuse_silence(task: str) -> None:
    """Refuse an empty task."""
    if not task.strip():
        raise UsageError("--task: says nothing; describe in words what is to be done")


@dataclass(frozen=True)
class ContextPack:
    """A rendered pack with its symbols and counts."""

    text: str
    symbols: tuple[str, ...]
    tokens: int
    candidates: int


def filled(
    graph: CodeGraph,
    ranked: Ranked,
    read: Callable[[], Documents],
    settings: Packing,
    form: Format,
) -> ContextPack:
    """Return a rendered pack of the most valuable symbols within the token budget."""
    # Signatures are part of the graph, so only `source` needs the documents.
    documents = read() if settings.detail == "source" else Documents.of([])
    pack = packed(graph, ranked, documents, settings, form=form, count=count_tokens)
    names = tuple(entry.symbol for entry in pack.entries)
    return ContextPack(render(pack, form), names, pack.tokens, pack.candidates)
