"""A choice among the queries of a suite, and the order in which some of them represent all.

The order is of hashes of ids, so that a query that is added or moved in its file leaves the others
where they are, and the first twelve are among the first twenty.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from hashlib import sha256

from bench.queries.query import Query


@dataclass(frozen=True)
class Only:
    """Which queries are asked: those that fit every part that is set; all if none is."""

    repositories: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    """Any of these tags is enough; so it is with categories and ids."""
    categories: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    """The id of a query, or its repository and id as reports write them: `shop/q1`."""
    per_repository: int | None = None
    """How many of each repository at most."""

    def __str__(self) -> str:
        """Return the settings as they are typed, or nothing if all queries are asked."""
        return " ".join(
            f"only.{field.name}={_typed(value)}"
            for field in fields(self)
            if (value := getattr(self, field.name)) not in ((), None)
        )

    def takes(self, repository: str) -> bool:
        """Whether a repository may have queries that are asked."""
        return not self.repositories or repository in self.repositories

    def fits(self, query: Query, *, repository: str) -> bool:
        """Whether a query may be asked, as far as its labels say."""
        return (
            self.takes(repository)
            and (not self.tags or not set(self.tags).isdisjoint(query.tags))
            and (not self.categories or query.category in self.categories)
            and (not self.ids or not set(self.ids).isdisjoint(names_of(query.id, repository)))
        )

    def asked(self, queries: Iterable[Query], *, repository: str) -> frozenset[str]:
        """Return the ids of the queries of a repository that are asked."""
        fitting = [one for one in queries if self.fits(one, repository=repository)]
        return frozenset(in_turn(fitting, repository=repository)[: self.per_repository])


def names_of(identifier: str, repository: str) -> tuple[str, str]:
    """Return what a query may be called: its id, and its id within a repository."""
    return identifier, f"{repository}/{identifier}"


def in_turn(queries: Iterable[Query], *, repository: str, seed: int = 0) -> list[str]:
    """Return ids in the order of hashes, a query of each category and then the next of each.

    Where queries have no category, their difficulty is one. Negative queries are a category of
    their own, which comes after the others.
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
