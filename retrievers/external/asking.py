"""Opens an engine on a tree. All kinds of engines have the same interface."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

from retrievers.external.answers import Asked
from retrievers.external.command import CommandClient
from retrievers.external.http import HttpClient
from retrievers.external.mcp import McpClient
from retrievers.external.python import PythonClient
from retrievers.external.settings import CommandEngine, LiveEngine, McpEngine, PythonEngine
from retrievers.external.tree import Scratch


class ExternalEngine(Protocol):
    """An engine for one tree."""

    def index(self) -> None:
        """Let the engine index the tree, if it has an index."""
        ...

    def ask(self, queries: Sequence[str]) -> list[Asked]:
        """Return the outcome of each query."""
        ...

    def close(self) -> None:
        """Stop or disconnect the engine."""
        ...


@contextmanager
def open_engine(
    settings: LiveEngine, scratch: Scratch, repository: str
) -> Iterator[ExternalEngine]:
    """Yield an engine that has indexed the tree, and close it afterwards."""
    engine = _engine(settings, scratch, repository)
    try:
        engine.index()
        yield engine
    finally:
        engine.close()


def _engine(settings: LiveEngine, scratch: Scratch, repository: str) -> ExternalEngine:
    if isinstance(settings, CommandEngine):
        return CommandClient(settings, scratch, repository)
    if isinstance(settings, McpEngine):
        return McpClient(settings, scratch, repository)
    if isinstance(settings, PythonEngine):
        return PythonClient(settings, scratch, repository)
    return HttpClient(settings, scratch, repository)
