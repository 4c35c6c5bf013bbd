"""Identifiers in queries: names in camelCase or snake_case, and qualified names."""

import re
from collections.abc import Iterator

_NAME = r"[^\W\d]\w*"
_QUALIFIED = re.compile(rf"{_NAME}(?:(?:\.|::|->|#){_NAME})*")
_SEPARATOR = re.compile(r"\.|::|->|#")
_CAMEL = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]")
_MARKS = "`'\"()[]{}<>?!.,:;"


def identifiers(query: str) -> tuple[str, ...]:
    """Return the identifiers of a query, with dots between qualified parts.

    These are names in camelCase or snake_case, qualified names, and a query of one word.
    """
    found = dict.fromkeys(identifiers_in_sentence(query))
    alone = query.strip().strip(_MARKS)
    if alone and len(query.split()) == 1:
        found[_SEPARATOR.sub(".", alone)] = None
    return tuple(found)


def identifiers_in_sentence(query: str) -> Iterator[str]:
    """Yield the names of a text that are camelCase, snake_case or qualified."""
    for found in _QUALIFIED.findall(query):
        segments = _SEPARATOR.split(found)
        if len(segments) > 1:
            yield ".".join(segments)
        for segment in segments:
            if segment.strip("_") and ("_" in segment or _CAMEL.search(segment)):
                yield segment
