"""Suggestions of similar names, fast even for the many names of a repository."""

import difflib
import heapq
from collections.abc import Sequence
from itertools import pairwise

_LOOKED_AT = 100
_NAMED = 3


def nearest(name: str, names: Sequence[str]) -> list[str]:
    """Return up to three of `names` that are most similar to `name`, best first."""
    pairs = set(pairwise(name))

    def shared(other: str) -> float:
        return 2 * len(pairs.intersection(pairwise(other))) / (len(name) + len(other) or 1)

    # difflib takes seconds for the names of a large repository, so a cheap filter comes first.
    likely = heapq.nlargest(_LOOKED_AT, names, key=shared)
    return difflib.get_close_matches(name, likely, n=_NAMED)
