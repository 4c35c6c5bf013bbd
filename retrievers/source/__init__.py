"""Parsed source: what a repository defines and where."""

from retrievers.source.answers import Answers, grammar_versions
from retrievers.source.edges import EDGE_KINDS, EDGES, PROVENANCES, Edges, find_edges
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
