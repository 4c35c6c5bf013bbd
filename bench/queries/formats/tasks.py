"""Tiered tasks in YAML: one file per task, with the symbols that an expert would expect."""

from pathlib import Path, PurePath, PurePosixPath

from bench.errors import FixtureError
from bench.queries.building import Entry, Faults, entry
from bench.queries.fields import Fields
from bench.queries.formats.format import QuerySet
from bench.queries.located import Located
from bench.queries.query import Query
from bench.queries.targets import symbol_target, targets_of
from bench.queries.written import (
    filled,
    of_level,
    query_of,
    refuse_level,
    standing_without_commit,
)
from bench.queries.yaml_text import dump_yaml

_FIELDS = (
    "task",
    "description",
    "difficulty",
    "tier",
    "tags",
    "category",
    "notes",
    "negative",
    "draft",
    "repo",
    "ground_truth",
)
_LONGEST_NAME = 200


def is_task(document: Located) -> bool:
    """Return whether a document is a task."""
    return isinstance(document.value, dict) and any(name in document.value for name in _FIELDS)


def read_task(document: Located, _faults: Faults | None = None) -> tuple[Entry, ...]:
    """Return the query of a task. Its id is the name of the file without the extension."""
    fields = Fields.of(document, "a task", _FIELDS)
    _one_of(fields, "difficulty", "tier")
    found = entry(
        fields,
        "tasks",
        identifier=PurePath(document.place.file).stem,
        text=fields.text(_one_of(fields, "task", "description") or "task"),
        targets=targets_of((fields.items("ground_truth"), symbol_target)),
    )
    return (found,)


def write_task(one: Query | Entry) -> str:
    """Return a query as a tiered task, for a file named after its id."""
    query = query_of(one)
    refuse_level(query, "file", "a task")
    refuse_level(query, "span", "a task")
    fields = {
        "difficulty": query.difficulty,
        "tags": list(query.tags),
        "category": query.category,
        "notes": query.notes,
        "negative": query.negative,
        **standing_without_commit(one, "a task"),
        "ground_truth": of_level(query, "symbol"),
    }
    return dump_yaml({"task": query.text, **filled(fields)})


def write_tasks(queries: QuerySet, folder: Path) -> None:
    """Write a file for each query, named after its id."""
    folder.mkdir()
    for one in queries.entries:
        name = one.query.id
        if PurePosixPath(name).name != name or len(name.encode()) > _LONGEST_NAME:
            message = f"query {name[:80]!r}: its id cannot be a file's name; give it another"
            raise FixtureError(message)
        (folder / f"{name}.yaml").write_text(write_task(one), encoding="utf-8", newline="")


def _one_of(fields: Fields, first: str, second: str) -> str | None:
    present = [name for name in (first, second) if fields.has(name)]
    if len(present) > 1:
        raise fields.values[second].error(
            f"a task has both {first!r} and {second!r}, which mean the same; keep one"
        )
    return present[0] if present else None
