"""How similar two pieces of text are, by their words and signs in order."""

import difflib
import re
from collections import Counter

_TOKEN = re.compile(r"\w+|[^\w\s]")
_LONGEST = 3000
"""Tokens above which the order is left aside, because comparing it takes too long."""

Words = Counter[str]


def words_of(text: str) -> Words:
    """Return how often each word and sign occurs in a text."""
    return Counter(_TOKEN.findall(text))


def shared(one: Words, other: Words) -> float:
    """Return the share of words and signs that two texts have in common, 0 to 1."""
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 1.0


def alike(one: str, other: str) -> float:
    """Return how similar two texts are, 0 to 1; white space does not count."""
    tokens, others = _TOKEN.findall(one), _TOKEN.findall(other)
    if max(len(tokens), len(others)) > _LONGEST:
        return shared(Counter(tokens), Counter(others))
    return difflib.SequenceMatcher(None, tokens, others, autojunk=False).ratio()
