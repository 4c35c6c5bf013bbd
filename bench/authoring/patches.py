"""The files of a commit's patch, each with the lines of the old file that it touches."""

import re
from dataclasses import dataclass

from bench.queries.diffs import parse_diff

_FILE = re.compile(r"^diff --git ", re.MULTILINE)
_HUNK = re.compile(r"^@@ ", re.MULTILINE)
_RANGE = re.compile(r"-(\d{1,9})(?:,(\d{1,9}))? ")
_LAYOUT = re.compile(r"\s|,(?=\s*[)\]}])")

Lines = tuple[int, int]


@dataclass(frozen=True)
class Section:
    """The changes of a patch to one file, in lines of the old file."""

    old_path: str
    """"" if the file is new."""
    changed: tuple[Lines, ...]
    """First and last line of each removed or replaced range."""
    inserted: tuple[Lines, ...]
    """The lines before and after each insertion."""
    is_formatting: bool


def sections_of(patch: str) -> tuple[Section, ...]:
    """Return the changes of a git patch to each file; parts that cannot be parsed are skipped."""
    found = []
    for text in _FILE.split(patch)[1:]:
        try:
            (change,) = parse_diff(f"diff --git {text}")
        except ValueError:
            continue
        found.append(_section(change.old_path or "", _HUNK.split(text)[1:]))
    return tuple(found)


def _section(path: str, hunks: list[str]) -> Section:
    changed: list[Lines] = []
    inserted: list[Lines] = []
    for hunk in hunks:
        header, _, body = hunk.partition("\n")
        _walk(header, body.split("\n"), changed, inserted)
    lines = [line for hunk in hunks for line in hunk.split("\n")[1:]]
    removed = "\n".join(line[1:] for line in lines if line.startswith("-"))
    added = "\n".join(line[1:] for line in lines if line.startswith("+"))
    return Section(path, tuple(changed), tuple(inserted), _bare(removed) == _bare(added))


def _walk(header: str, body: list[str], changed: list[Lines], inserted: list[Lines]) -> None:
    """Add the ranges of a hunk to the changed and inserted lines."""
    numbers = _RANGE.match(header)
    if numbers is None:
        return
    # Without removed lines, the header names the line before the hunk.
    line = int(numbers[1]) + (numbers[2] == "0")
    first, is_added = line, False
    for text in [*body, " "]:
        if text.startswith("-"):
            line += 1
        elif text.startswith("+"):
            is_added = True
        elif not text.startswith("\\"):
            if line > first:
                changed.append((first, line - 1))
            elif is_added:
                inserted.append((line - 1, line))
            line += 1
            first, is_added = line, False


def _bare(text: str) -> str:
    """Return a text without white space, trailing commas and differences in quotes."""
    return _LAYOUT.sub("", text.replace("'", '"'))
