"""Queries from the fields of a record, for all formats."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bench.errors import FixtureError
from bench.queries.fields import Fields
from bench.queries.located import Located, Place
from bench.queries.query import JudgedPlace, Query, Target


@dataclass(frozen=True, slots=True)
class Entry:
    """A query as read from its file, with the repository and commit if the file names them."""

    query: Query
    repository: str
    place: Place
    form: str
    """Name of the format of the file."""
    commit: str = ""
    draft: bool = False
    """Whether nobody has reviewed the query yet. Drafts are only scored on request."""
    generated: bool = False
    """Whether a program made the query from the source. It is scored, and counted separately."""
    hidden: tuple[Target, ...] = ()
    """Lines and files that the query was made from, hidden from all trials."""
    judged: tuple[JudgedPlace, ...] = ()
    """Places that somebody judged, relevant or not."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A record that could not be read."""

    place: Place
    query: str
    error: FixtureError


Faults = list[Fault]


def gather(
    read: Callable[[Located], Entry], records: Iterable[Located], faults: Faults | None
) -> tuple[Entry, ...]:
    """Return the result of `read` for each record. With `faults`, invalid records go there."""
    found = []
    for record in records:
        try:
            found.append(read(record))
        except FixtureError as error:
            if faults is None:
                raise
            faults.append(Fault(record.place, _identifier(record), error))
    return tuple(found)


def _identifier(record: Located) -> str:
    """Return the id of a record that may be invalid, or ""."""
    fields = record.value if isinstance(record.value, dict) else {}
    names = (name for name in ("id", "_id", "instance_id") if name in fields)
    return next((str(fields[name].value)[:80] for name in names), "")


def entry(
    fields: Fields,
    form: str,
    *,
    identifier: str,
    text: str,
    targets: Iterable[Target],
    explicitly_none: bool = False,
) -> Entry:
    """Return the query of a record.

    `explicitly_none` means that the record has an empty list of expectations, which makes the
    query negative.
    """
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
        difficulty=fields.text_or_blank("difficulty") or fields.text_or_blank("tier"),
        tags=fields.texts("tags"),
        notes=fields.text_or_blank("notes"),
        expected_answer=fields.text_or_blank("expected_answer"),
        must_contain=fields.texts("must_contain"),
        forbidden=fields.texts("forbidden"),
    )
    repository, draft = fields.text_or_blank("repo"), bool(fields.flag("draft"))
    return Entry(query, repository, fields.place, form, draft=draft)
