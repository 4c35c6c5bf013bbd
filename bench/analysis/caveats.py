"""Limits of the conclusions from a table of scores; `bench.advice` has the words for them."""

from dataclasses import dataclass

from bench.analysis.matrix import ScoreMatrix
from bench.errors import UsageError

ENOUGH_QUERIES = 12
_FEWEST_REPOSITORIES, _FEW_REPOSITORIES = 3, 5
_RULE_OF_THREE = 3.0
"""Rule of three: an event not seen in N trials has a rate of at most 3/N (95 % confidence)."""


@dataclass(frozen=True)
class LoneQueries:
    """Repositories with a single query. The error of their mean cannot be estimated."""

    repositories: tuple[str, ...]


@dataclass(frozen=True)
class FewQueries:
    """Repositories with few queries, whose error is a rough estimate, with their counts."""

    repositories: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class TooFewRepositories:
    """One or two repositories: too few for an interval on repositories like these."""

    repositories: tuple[str, ...]


@dataclass(frozen=True)
class FewRepositories:
    """Three to five repositories: only a large difference generalises."""

    count: int


@dataclass(frozen=True)
class NoChange:
    """Every unit has the same score under both trials."""

    units: int

    @property
    def most(self) -> float:
        """Largest share of units that would change, with 95 % confidence."""
        return min(1.0, _RULE_OF_THREE / self.units)


@dataclass(frozen=True)
class NoSpread:
    """All units differ by the same value, so there is no spread for an interval."""

    units: int
    value: float


Caveat = LoneQueries | FewQueries | TooFewRepositories | FewRepositories | NoChange | NoSpread


def lone_queries(matrix: ScoreMatrix) -> LoneQueries | None:
    """Return the repositories with a single query, or None."""
    counts = zip(matrix.names, matrix.counts.tolist(), strict=True)
    lone = tuple(name for name, count in counts if count == 1)
    return LoneQueries(lone) if lone else None


def refuse_lone_queries(matrix: ScoreMatrix) -> None:
    """Refuse a table in which a repository has a single query."""
    lone = lone_queries(matrix)
    if lone:
        raise UsageError(
            f"scores: {', '.join(lone.repositories)} has a single query, whose error cannot be"
            " estimated. Add queries to it (12 or more) or leave it out."
        )


def few_queries(matrix: ScoreMatrix) -> tuple[FewQueries, ...]:
    """Return a caveat if some repository has too few queries to estimate its error well."""
    counts = zip(matrix.names, matrix.counts.tolist(), strict=True)
    few = tuple((name, count) for name, count in counts if count < ENOUGH_QUERIES)
    return (FewQueries(few),) if few else ()


def too_few_repositories(matrix: ScoreMatrix) -> TooFewRepositories | None:
    """Return the repositories if they are too few to generalise from."""
    few = len(matrix.names) < _FEWEST_REPOSITORIES
    return TooFewRepositories(matrix.names) if few else None


def few_repositories(matrix: ScoreMatrix) -> tuple[FewRepositories, ...]:
    """Return a caveat if only a large difference generalises from these repositories."""
    count = len(matrix.names)
    return (FewRepositories(count),) if count <= _FEW_REPOSITORIES else ()


def caveats_of(matrix: ScoreMatrix) -> tuple[Caveat, ...]:
    """Return the limits of a table for both questions."""
    lone, too_few = lone_queries(matrix), too_few_repositories(matrix)
    return (
        *((lone,) if lone else few_queries(matrix)),
        *((too_few,) if too_few else few_repositories(matrix)),
    )
