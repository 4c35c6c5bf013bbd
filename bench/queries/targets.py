"""Targets in the form of files: plain, or as a mapping with a grade."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from bench.queries.fields import Fields, text_of
from bench.queries.located import Located
from bench.queries.query import Target

_HIGHEST_GRADE = 100
_LAST = 2**31 - 1


def normal_path(path: str) -> str:
    """Return a path with forward slashes and without a leading `./`."""
    return re.sub(r"^(?:\./+)+", "", path.replace("\\", "/"))


ReadTarget = Callable[[Located], Target]


def targets_of(*lists: tuple[Iterable[Located], ReadTarget]) -> tuple[Target, ...]:
    """Read the targets in lists of a record; `any_of: [...]` lists alternatives."""
    found: list[Target] = []
    choices = 0
    for items, read in lists:
        for item in items:
            if isinstance(item.value, dict) and "any_of" in item.value:
                choices += 1
                found += _alternatives(item, read, choices)
            else:
                found.append(read(item))
    return tuple(found)


def _alternatives(found: Located, read: ReadTarget, number: int) -> Iterator[Target]:
    fields = Fields.of(found, "a choice", ("any_of", "grade", "repo"))
    items, grade = fields.items("any_of"), _grade(fields)
    _refuse_lesser_choices(fields, items)
    for item in items:
        yield replace(
            read(item),
            grade=grade,
            repository=fields.text_or_blank("repo"),
            alternative=number,
        )


def _refuse_lesser_choices(fields: Fields, items: Sequence[Located]) -> None:
    if len(items) < 2:  # noqa: PLR2004 - one place is not a choice
        raise fields.place.error("any_of names fewer than two places; name the place itself")
    for item in items:
        for name in ("any_of", "grade", "repo"):
            if isinstance(item.value, dict) and name in item.value:
                raise item.value[name].error(
                    f"a place in any_of has {name!r} of its own; write it once, beside any_of"
                )


def file_target(found: Located) -> Target:
    """Read a file target."""
    if not isinstance(found.value, dict):
        return Target("file", path=_path(found))
    fields = Fields.of(found, "a file", ("path", "grade", "repo"))
    fields.text("path")
    path, repository = _path(fields.values["path"]), fields.text_or_blank("repo")
    return Target("file", path=path, grade=_grade(fields), repository=repository)


def symbol_target(found: Located) -> Target:
    """Read a symbol target."""
    if not isinstance(found.value, dict):
        return Target("symbol", symbol=_symbol(found))
    fields = Fields.of(found, "a symbol", ("symbol", "grade", "repo"))
    fields.text("symbol")
    name, repository = _symbol(fields.values["symbol"]), fields.text_or_blank("repo")
    return Target("symbol", symbol=name, grade=_grade(fields), repository=repository)


_SPAN = ("path", "start", "end", "start_character", "end_character", "grade", "repo")


def span_target(found: Located) -> Target:
    """Read a span target, in lines or in characters."""
    fields = Fields.of(found, "a span", _SPAN)
    fields.text("path")
    characters = _characters(fields)
    # With characters, lines are optional and only informative.
    needs_lines = not characters or fields.has("start") or fields.has("end")
    start, end = _lines(fields) if needs_lines else (0, 0)
    target = Target(
        "span",
        path=_path(fields.values["path"]),
        start=start,
        end=end,
        grade=_grade(fields),
        repository=fields.text_or_blank("repo"),
    )
    if not characters:
        return target
    return replace(target, start_character=characters[0], end_character=characters[1])


def _lines(fields: Fields) -> tuple[int, int]:
    start, end = fields.whole("start"), fields.whole("end")
    if not 1 <= start <= end <= _LAST:
        raise fields.place.error(
            f"a span from line {str(start)[:20]} to {str(end)[:20]} is empty or too far; "
            "lines count from 1, and start is not above end"
        )
    return start, end


def _characters(fields: Fields) -> tuple[int, int] | None:
    """Return the start and end of a span in characters of its file, or None if not given."""
    if not fields.has("start_character") and not fields.has("end_character"):
        return None
    start, end = fields.whole("start_character"), fields.whole("end_character")
    if not 0 <= start < end <= _LAST:
        raise fields.place.error(
            f"a span from character {str(start)[:20]} to {str(end)[:20]} is empty or too far; "
            "characters count from 0, and the end is not included"
        )
    return start, end


def checked_path(written: str, found: Located) -> str:
    """Return a path within the tree, or refuse it; `found` is its place in the file."""
    path, shown = normal_path(written), repr(written[:80])
    remedy = "give a path relative to the repository's root"
    if path.startswith("/") or re.match(r"^[A-Za-z]:/", path):
        raise found.error(f"path {shown} is absolute; {remedy}")
    if ".." in path.split("/"):
        raise found.error(f"path {shown} contains '..'; {remedy}")
    if not path.strip() or "\0" in path:
        raise found.error(f"path {shown} is blank or holds a NUL; {remedy}")
    return path


def _path(found: Located) -> str:
    return checked_path(text_of(found, "a path"), found)


def _symbol(found: Located) -> str:
    name = text_of(found, "a symbol").strip()
    if not name:
        raise found.error("a symbol is blank; give its name")
    return name


def _grade(fields: Fields) -> int:
    grade = fields.whole("grade", 1)
    if not 1 <= grade <= _HIGHEST_GRADE:
        raise fields.values["grade"].error(
            f"grade {str(grade)[:20]} is not from 1 to {_HIGHEST_GRADE}; "
            "leave out what is not right"
        )
    return grade
