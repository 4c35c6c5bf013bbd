"""Split of queries, or repositories, into a half for tuning and a half for reporting.

The half of a query depends on its repository, category and id, but not on the order of a file.
Each repository and category is cut in the middle of the order of hashes, so that an added query
moves at most one other.
"""

from collections.abc import Collection, Iterable
from hashlib import sha256
from typing import Literal

from bench.queries.query import Query

Half = Literal["all", "tune", "report"]
HalfOf = Literal["queries", "repositories"]
HALVES: tuple[Half, ...] = ("all", "tune", "report")


def in_half(queries: Iterable[Query], half: Half, *, repository: str) -> frozenset[str]:
    """Return the ids of the queries of a half.

    In groups of odd size, a hash decides which half is larger.
    """
    groups: dict[tuple[str, bool], list[str]] = {}
    for query in queries:
        groups.setdefault((query.category, query.negative), []).append(query.id)
    if half == "all":
        return frozenset(one for ids in groups.values() for one in ids)
    chosen: set[str] = set()
    for (category, negative), ids in groups.items():
        ordered = sorted(ids, key=lambda one: _hash(repository, one))
        over = len(ids) % 2 and int(_hash(repository, category, str(negative))[:8], 16) % 2
        middle = len(ids) // 2 + over
        chosen.update(ordered[:middle] if half == "tune" else ordered[middle:])
    return frozenset(chosen)


def repositories_in_half(names: Collection[str], half: Half) -> frozenset[str]:
    """Return the repositories of a half; with an odd number, the report half has one more.

    An added repository moves at most one other.
    """
    if half == "all":
        return frozenset(names)
    ordered = sorted(names, key=_hash)
    middle = len(ordered) // 2
    return frozenset(ordered[:middle] if half == "tune" else ordered[middle:])


def _hash(*texts: str) -> str:
    return sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()
