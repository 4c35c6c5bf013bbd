"""Parsed source: the definitions of a repository and the edges between them.

`find_edges` is imported at its first use, as in `retrievers.source.edges`.
"""

from typing import TYPE_CHECKING

from retrievers.source import edges as _edges
from retrievers.source.answers import Answers, grammar_versions
from retrievers.source.edges import EDGE_KINDS, EDGES, PROVENANCES, Edges
from retrievers.source.parsing import ParsingLimits
from retrievers.source.registry import (
    LANGUAGES,
    Language,
    extensions_of,
    language_names,
    language_of,
    languages,
    module_name,
)
from retrievers.source.symbols import (
    CODE_KINDS,
    MINOR_KINDS,
    NAMING_KINDS,
    SYMBOLS,
    VISIBILITIES,
    Symbols,
    find_symbols,
)

if TYPE_CHECKING:
    from retrievers.source.edges import find_edges

__all__ = [
    "CODE_KINDS",
    "EDGES",
    "EDGE_KINDS",
    "LANGUAGES",
    "MINOR_KINDS",
    "NAMING_KINDS",
    "PROVENANCES",
    "SYMBOLS",
    "VISIBILITIES",
    "Answers",
    "Edges",
    "Language",
    "ParsingLimits",
    "Symbols",
    "extensions_of",
    "find_edges",
    "find_symbols",
    "grammar_versions",
    "language_names",
    "language_of",
    "languages",
    "module_name",
]

if not TYPE_CHECKING:  # otherwise a type checker would accept any name

    def __getattr__(name: str) -> object:
        """Return `find_edges` from its module."""
        if name == "find_edges":
            return _edges.find_edges
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
