"""Edges between the definitions and files of a repository: calls, imports, bases, types, tests.

`find_edges` is imported at its first use. Opening a stored graph does not need it and takes less
time than this import.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from retrievers.source.edges.model import CONFIDENCES, EDGE_KINDS, EDGES, PROVENANCES, Edges

if TYPE_CHECKING:
    from retrievers.source.edges.extraction import find_edges

__all__ = ["CONFIDENCES", "EDGES", "EDGE_KINDS", "PROVENANCES", "Edges", "find_edges"]

if not TYPE_CHECKING:  # a type checker would accept any name of a module with `__getattr__`

    def __getattr__(name: str) -> object:
        """Return `find_edges`; its import is slow."""
        if name == "find_edges":
            return import_module(f"{__name__}.extraction").find_edges
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
