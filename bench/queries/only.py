"""Selection of queries of a suite, and a representative order of them.

The order is by hashes of ids. An added or moved query does not change the order of the others, and
the first twelve queries are among the first twenty.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from hashlib import sha256

from bench.queries.query import Query


@dataclass(frozen=True)
class Only:
    """Selection of queries by labels. A query must match every part that is set."""

    repositories: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    """A query needs any of these tags; the same holds for categories and ids."""
    categories: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    """Ids of queries, or repository and id as in reports: `shop/q1`."""
    per_repository: int | None = None
    """Maximal number of queries per repository."""

    def __str__(self) -> str:
        """Return the settings as on the command line, or "" if all queries are selected."""
        return " ".join(
            f"only.{field.name}={_typed(value)}"
            for field in fields(self)
            if (value := getattr(self, field.name)) not in ((), None)
        )

    def takes(self, repository: str) -> bool:
        """Return whether queries of a repository may be selected."""
        return not self.repositories or repository in self.repositories

    def fits(self, query: Query, *, repository: str) -> bool:
        """Return whether the labels of a query match, before the limit per repository."""
        return (
            self.takes(repository)
            and (not self.tags or not set(self.tags).isdisjoint(query.tags))
            and (not self.categories or query.category in self.categories)
            and (not self.ids or not set(self.ids).isdisjoint(names_of(query.id, repository)))
        )

    def asked(self, queries: Iterable[Query], *, repository: str) -> frozenset[str]:
        """Return the ids of the selected queries of a repository."""
        fitting = [one for one in queries if self.fits(one, repository=repository)]
        return frozenset(in_turn(fitting, repository=repository)[: self.per_repository])


def names_of(identifier: str, repository: str) -> tuple[str, str]:
    """Return the accepted names of a query: its id, and repository/id."""
    return identifier, f"{repository}/{identifier}"


def in_turn(queries: Iterable[Query], *, repository: str, seed: int = 0) -> list[str]:
    """Return ids in the order of hashes, alternating between categories.

    Queries without a category are grouped by difficulty. Negative queries form categories of their
    own, and come after the others.
    """
    seen: dict[tuple[str, bool], int] = {}
    places = []
    for query in sorted(queries, key=lambda one: _hash(seed, repository, one.id)):
        group = (query.category or query.difficulty, query.negative)
        seen[group] = seen.get(group, 0) + 1
        places.append((seen[group], query.negative, query.id))
    return [name for _, _, name in sorted(places, key=lambda place: place[:2])]


def _typed(value: object) -> str:
    return f"[{','.join(value)}]" if isinstance(value, tuple) else str(value)


def _hash(seed: int, *texts: str) -> str:
    return sha256("\0".join([str(seed), *texts]).encode("utf-8", "surrogatepass")).hexdigest()
