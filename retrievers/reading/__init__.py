"""Reading of a query, once for every retriever: its kind, its parts, and the names in it."""

from retrievers.reading.identifiers import identifiers
from retrievers.reading.kinds import QueryKind, is_bare_symbol
from retrievers.reading.parts import Part, PartName
from retrievers.reading.reading import MODES, Mode, Reading, read_query
from retrievers.reading.test_words import TEST_WORDS
from retrievers.reading.tracebacks import Frame

__all__ = [
    "MODES",
    "TEST_WORDS",
    "Frame",
    "Mode",
    "Part",
    "PartName",
    "QueryKind",
    "Reading",
    "identifiers",
    "is_bare_symbol",
    "read_query",
]
