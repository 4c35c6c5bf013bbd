"""What a table of scores cannot answer, or only roughly, in words."""

from bench.analysis.matrix import ScoreMatrix
from bench.errors import UsageError

_ENOUGH_QUERIES = 12
_FEWEST_REPOSITORIES, _FEW_REPOSITORIES = 3, 5
_ONE_IN_TWENTY = 3.0
"""Nothing seen in N trials: at most this over N happens, with 95 % confidence."""


def lone_queries(matrix: ScoreMatrix) -> str | None:
    """Say which repositories have a single query, if any: no interval can stand on it."""
    lone = [name for name, count in zip(matrix.names, matrix.counts, strict=True) if count == 1]
    if not lone:
        return None
    return (
        f"an interval on these repositories: {', '.join(lone)} has a single query, whose error"
        " cannot be known; add queries to it (12 or more) or leave it out"
    )


def refuse_lone_queries(matrix: ScoreMatrix) -> None:
    """Refuse a repository with a single query."""
    refusal = lone_queries(matrix)
    if refusal:
        raise UsageError(refusal)


def few_queries(matrix: ScoreMatrix) -> tuple[str, ...]:
    """Return a warning if a repository has fewer queries than its error can be known from."""
    few = [
        f"{name} ({count})"
        for name, count in zip(matrix.names, matrix.counts, strict=True)
        if count < _ENOUGH_QUERIES
    ]
    if not few:
        return ()
    return (
        f"Fewer than {_ENOUGH_QUERIES} queries: {', '.join(few)}; its error is a rough guess.",
    )


def no_generalising(matrix: ScoreMatrix) -> str | None:
    """Say why nothing can be said of repositories like these, if so."""
    if len(matrix.names) == 1:
        return f"repositories like these: there is one, so this holds on {matrix.names[0]} only"
    if len(matrix.names) < _FEWEST_REPOSITORIES:
        return (
            f"repositories like these: two ({', '.join(matrix.names)}) are too few for an"
            " interval; look at both differences, or add repositories"
        )
    return None


def few_repositories(matrix: ScoreMatrix) -> tuple[str, ...]:
    """Return a warning if the repositories hardly stand for others."""
    if len(matrix.names) > _FEW_REPOSITORIES:
        return ()
    return ("Too few repositories to generalise unless the difference is large.",)


def no_change(matrix: ScoreMatrix) -> str:
    """Say what follows from no query having changed."""
    most = _ONE_IN_TWENTY / matrix.units
    return f"no query changed; at most {100 * min(1.0, most):.1f} % would (3/{matrix.units}, 95 %)"
