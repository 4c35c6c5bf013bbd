"""Tiered tasks in YAML: one file a task, with the symbols that an expert would want to see."""

from pathlib import PurePath

from bench.judgements.building import Entry, entry
from bench.judgements.fields import Fields
from bench.judgements.located import Located
from bench.judgements.targets import symbol_target

FIELDS = (
    "task",
    "description",
    "difficulty",
    "tier",
    "tags",
    "category",
    "notes",
    "negative",
    "repo",
    "ground_truth",
)


def read_tiered(document: Located) -> tuple[Entry, ...]:
    """Return the one query of a task; its id is the file's name without the extension."""
    fields = Fields.of(document, "a task", FIELDS)
    found = entry(
        fields,
        identifier=PurePath(document.place.file).stem,
        text=fields.text(_one_of(fields, "task", "description") or "task"),
        difficulty=fields.text_or_blank(_one_of(fields, "difficulty", "tier") or "difficulty"),
        targets=map(symbol_target, fields.items("ground_truth")),
    )
    return (found,)


def _one_of(fields: Fields, first: str, second: str) -> str | None:
    present = [name for name in (first, second) if fields.has(name)]
    if len(present) > 1:
        raise fields.values[second].error(
            f"a task has both {first!r} and {second!r}, which mean the same; keep one"
        )
    return present[0] if present else None
