"""Similarity of two texts by their words and signs in order."""

import difflib
import re
from collections import Counter

_TOKEN = re.compile(r"\w+|[^\w\s]")
_LONGEST = 3000
"""Number of tokens above which the order is ignored, because the comparison takes too long."""

Words = Counter[str]


def words_of(text: str) -> Words:
    """Count the words and signs of a text."""
    return Counter(_TOKEN.findall(text))


def shared(one: Words, other: Words) -> float:
    """Return the share of words and signs that two texts have in common, 0 to 1."""
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 1.0


def alike(one: str, other: str) -> float:
    """Return the similarity of two texts, 0 to 1, ignoring white space."""
    tokens, others = _TOKEN.findall(one), _TOKEN.findall(other)
    if max(len(tokens), len(others)) > _LONGEST:
        return shared(Counter(tokens), Counter(others))
    return difflib.SequenceMatcher(None, tokens, others, autojunk=False).ratio()
