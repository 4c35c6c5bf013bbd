"""A query from the fields of a record, whatever the format."""

from collections.abc import Iterable
from dataclasses import dataclass

from bench.judgements.fields import Fields
from bench.judgements.located import Place
from bench.judgements.query import Query, Target


@dataclass(frozen=True, slots=True)
class Entry:
    """A query as it stands in a file, and the repository that it is asked of, if said."""

    query: Query
    repository: str
    place: Place


def entry(
    fields: Fields,
    *,
    identifier: str,
    text: str,
    targets: Iterable[Target],
    difficulty: str = "",
    explicitly_none: bool = False,
) -> Entry:
    """Return the query that a record holds; `explicitly_none`: it says that nothing is right."""
    found = tuple(targets)
    declared = fields.flag("negative")
    if declared and found:
        raise fields.place.error(
            f"query {identifier!r} is negative but has targets; remove one or the other"
        )
    if explicitly_none and not found and declared is False:
        raise fields.place.error(
            f"query {identifier!r} expects nothing but says negative: false; remove one"
        )
    negative = bool(declared) or (explicitly_none and not found)
    if not found and not negative:
        raise fields.place.error(
            f"query {identifier!r} has no targets; give some, "
            "or negative: true if nothing is right"
        )
    query = Query(
        id=identifier,
        text=text,
        targets=found,
        negative=negative,
        category=fields.text_or_blank("category"),
        difficulty=difficulty or fields.text_or_blank("difficulty"),
        tags=fields.texts("tags"),
        notes=fields.text_or_blank("notes"),
    )
    return Entry(query, fields.text_or_blank("repo"), fields.place)
