"""Kinds of queries."""

import re
from typing import Literal

QueryKind = Literal["name", "question", "error", "issue", "task"]

_MOST_WORDS = 60
"""Most words of a question; a longer text is an issue."""
_SYMBOL = re.compile(r"`?[^\W\d]\w*(?:(?:\.|::|->|#)[^\W\d]\w*)*(?:\(\))?`?")
_ERROR = re.compile(
    r"\s*(?:[\w.$]*(?:Error|Exception|Warning|Fault|Panic)\b|panicked at\b|"
    r"(?:fatal )?error(?:\[\w+\])?:)"
)
_VERBS = frozenset(
    re.findall(
        r"\w+",
        "add adjust allow avoid build change clean convert correct create debug define delete "
        "deprecate detect disable drop eliminate enable ensure expand expose extend extract fix "
        "handle implement improve include increase integrate introduce make migrate modify move "
        "optimise optimize port prevent provide reduce refactor remove rename replace resolve "
        "restructure rewrite simplify speed split stop support switch unify update upgrade write",
    )
)
"""First words of tasks."""


def is_bare_symbol(query: str) -> bool:
    """Whether a query is only the name of a symbol: `parse`, `Parser.feed()`."""
    return _SYMBOL.fullmatch(query.strip()) is not None


def is_long(query: str) -> bool:
    """Whether a query is as long as an issue: several lines, or many words."""
    lines = [line for line in query.splitlines() if line.strip()]
    return len(lines) > 1 or len(query.split()) > _MOST_WORDS


def kind_of(query: str) -> QueryKind:
    """Return the kind of a query; a long one is an issue in any case."""
    if is_bare_symbol(query):
        return "name"
    if is_long(query):
        return "issue"
    if _ERROR.match(query):
        return "error"
    first = query.split(maxsplit=1)[:1]
    return "task" if first and first[0].lower() in _VERBS else "question"
