"""Parsed source: what a repository defines and where."""

from retrievers.source.parsing import ParserError, ParsingLimits
from retrievers.source.registry import Language, language_of, languages, module_name
from retrievers.source.symbols import CODE_KINDS, Symbols, find_symbols

__all__ = [
    "CODE_KINDS",
    "Language",
    "ParserError",
    "ParsingLimits",
    "Symbols",
    "find_symbols",
    "language_of",
    "languages",
    "module_name",
]
