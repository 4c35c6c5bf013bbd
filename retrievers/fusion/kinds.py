"""What kind of query a text is, as far as it should be fused otherwise."""

import re
from typing import Literal

QueryKind = Literal["symbol", "sentence", "issue"]

_MOST_WORDS = 60
"""Of a sentence: a longer text is an issue's."""
_SYMBOL = re.compile(r"`?[^\W\d]\w*(?:(?:\.|::|->|#)[^\W\d]\w*)*(?:\(\))?`?")


def is_bare_symbol(query: str) -> bool:
    """Tell whether a query is the name of a symbol and nothing else: `parse`, `Parser.feed()`."""
    return _SYMBOL.fullmatch(query.strip()) is not None


def is_issue(query: str) -> bool:
    """Tell whether a query is as long as the text of an issue: several lines, or many words."""
    lines = [line for line in query.splitlines() if line.strip()]
    return len(lines) > 1 or len(query.split()) > _MOST_WORDS


def kind_of_query(query: str) -> QueryKind:
    """Return which weights a query is fused by."""
    if is_bare_symbol(query):
        return "symbol"
    return "issue" if is_issue(query) else "sentence"
