"""Queries and targets as the plain values that files hold."""

from collections.abc import Mapping

from bench.errors import FixtureError
from bench.judgements.query import Level, Query, Target


def filled(fields: Mapping[str, object]) -> dict[str, object]:
    """Return the fields that say something."""
    return {name: value for name, value in fields.items() if value}


def of_level(query: Query, level: Level) -> list[object]:
    """Return the targets of a level as files write them."""
    return [_target(target) for target in query.targets if target.level == level]


def refuse_level(query: Query, level: Level, what: str) -> None:
    """Refuse a query with targets that a format cannot hold."""
    if any(target.level == level for target in query.targets):
        raise FixtureError(
            f"query {query.id!r} has a target of level {level}, which {what} cannot hold; "
            "write a query set instead"
        )


def _target(target: Target) -> object:
    more: dict[str, object] = {"grade": target.grade} if target.grade != 1 else {}
    if target.repository:
        more["repo"] = target.repository
    if target.level == "span":
        return {"path": target.path, "start": target.start, "end": target.end, **more}
    field, name = ("path", target.path) if target.level == "file" else ("symbol", target.symbol)
    return {field: name, **more} if more else name
