"""What uses what: calls, imports, bases, types and tests, across the files of a repository.

`find_edges` is imported when it is first used: a stored graph is opened without it, in less time
than its import takes.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from retrievers.source.edges.model import CONFIDENCES, EDGE_KINDS, EDGES, PROVENANCES, Edges

if TYPE_CHECKING:
    from retrievers.source.edges.extraction import find_edges

__all__ = ["CONFIDENCES", "EDGES", "EDGE_KINDS", "PROVENANCES", "Edges", "find_edges"]

if not TYPE_CHECKING:  # or a type checker would take any name for one that is here

    def __getattr__(name: str) -> object:
        """Return what finds edges from the module that does."""
        if name == "find_edges":
            return import_module(f"{__name__}.extraction").find_edges
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
