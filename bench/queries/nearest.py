"""Names that look like one that is not there, quickly among a repository's many."""

import difflib
import heapq
from collections.abc import Sequence
from itertools import pairwise

_LOOKED_AT = 100
_NAMED = 3


def nearest(name: str, names: Sequence[str]) -> list[str]:
    """Return up to three of `names` that are most like `name`, best first."""
    pairs = set(pairwise(name))

    def shared(other: str) -> float:
        return 2 * len(pairs.intersection(pairwise(other))) / (len(name) + len(other) or 1)

    # difflib takes seconds over the names of a large repository.
    likely = heapq.nlargest(_LOOKED_AT, names, key=shared)
    return difflib.get_close_matches(name, likely, n=_NAMED)
