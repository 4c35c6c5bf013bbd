"""What kind of query a text is, as far as it should be fused otherwise."""

import re

_SYMBOL = re.compile(r"`?[^\W\d]\w*(?:(?:\.|::|->|#)[^\W\d]\w*)*(?:\(\))?`?")


def is_bare_symbol(query: str) -> bool:
    """Tell whether a query is the name of a symbol and nothing else: `parse`, `Parser.feed()`."""
    return _SYMBOL.fullmatch(query.strip()) is not None
