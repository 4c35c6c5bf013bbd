"""Interface of the resolver for its parts."""

from typing import Protocol

from retrievers.source.edges.expressions import Path
from retrievers.source.edges.memos import Cycles
from retrievers.source.edges.values import Value


class Paths(Protocol):
    """Resolution of paths to values."""

    cycles: Cycles

    def value(self, path: Path, document: int, row: int) -> Value | None:
        """Return the value of a path in a definition."""
        ...

    def named_type(self, path: Path, document: int, row: int) -> Value | None:
        """Return the value of a path in a type annotation."""
        ...

    def of(self, value: Value, name: str) -> Value | None:
        """Return the member of a value."""
        ...
