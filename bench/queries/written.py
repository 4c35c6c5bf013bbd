"""Queries and targets as plain values for files."""

from collections.abc import Mapping
from dataclasses import replace

from bench.errors import FixtureError
from bench.queries.building import Entry
from bench.queries.query import Level, Query, Target, together


def filled(fields: Mapping[str, object]) -> dict[str, object]:
    """Return the fields with a value."""
    return {name: value for name, value in fields.items() if value}


def query_of(one: Query | Entry) -> Query:
    """Return the query of an entry."""
    return one.query if isinstance(one, Entry) else one


def standing(one: Query | Entry) -> dict[str, object]:
    """Return the repository, commit and draft status of a query."""
    if isinstance(one, Query):
        return {}
    return {"repo": one.repository, "commit": one.commit, "draft": one.draft}


def standing_without_commit(one: Query | Entry, what: str) -> dict[str, object]:
    """Return repository and draft status, for formats that cannot store the commit of a query."""
    fields = standing(one)
    if fields.pop("commit", ""):
        raise FixtureError(
            f"query {query_of(one).id!r} is asked of a commit of its own, which {what} cannot "
            "hold; write a query set instead"
        )
    return fields


def of_level(query: Query, level: Level) -> list[object]:
    """Return the targets of a level in the form of files."""
    targets = (target for target in query.targets if target.level == level)
    return [_thing(alternatives) for alternatives in together(targets)]


def refuse_level(query: Query, level: Level, what: str) -> None:
    """Refuse a query with targets of a level that a format cannot store."""
    if any(target.level == level for target in query.targets):
        raise FixtureError(
            f"query {query.id!r} has a target of level {level}, which {what} cannot hold; "
            "write a query set instead"
        )


def _thing(alternatives: tuple[Target, ...]) -> object:
    first = alternatives[0]
    if not first.alternative:
        return written_target(first)
    plain = [written_target(replace(one, grade=1, repository="")) for one in alternatives]
    more = filled({"grade": first.grade if first.grade != 1 else 0, "repo": first.repository})
    return {"any_of": plain, **more}


def written_target(target: Target) -> object:
    """Return a target in the form of files."""
    more: dict[str, object] = {"grade": target.grade} if target.grade != 1 else {}
    if target.repository:
        more["repo"] = target.repository
    if target.level == "span":
        return {"path": target.path, **_stretch(target), **more}
    field, name = ("path", target.path) if target.level == "file" else ("symbol", target.symbol)
    return {field: name, **more} if more else name


def _stretch(target: Target) -> dict[str, int]:
    lines = {"start": target.start, "end": target.end} if target.start else {}
    if not target.has_characters:
        return lines
    characters = (target.start_character, target.end_character)
    return lines | dict(zip(("start_character", "end_character"), characters, strict=True))
