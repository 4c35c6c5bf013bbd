"""Changed lines of a unified diff, in the line numbers of the new tree.

The parser follows the lengths in hunk headers. A changed line that looks like a file header is
therefore not mistaken for one.
"""

import re
from collections.abc import Iterator

from bench.errors import UsageError
from retrievers.interface import Span

_HUNK = re.compile(r"@@ -\d{1,9}(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
_NOWHERE = "/dev/null"


def changed_spans(text: str) -> tuple[Span, ...]:
    """Return the runs of new lines in each file; a removal is placed at the line after it."""
    lines = text.split("\n")
    found: list[Span] = []
    path, place = "", 0
    while place < len(lines):
        line = lines[place].rstrip("\r")
        hunk = _HUNK.match(line)
        if line.startswith("+++ ") and place and lines[place - 1].startswith("--- "):
            path = _path(lines[place - 1], line)
        elif hunk:
            body = _body(lines, place + 1, _count(hunk[1]), _count(hunk[3]))
            first = int(hunk[2]) + (_count(hunk[3]) == 0)
            if path:
                found.extend(Span(path, *run) for run in _runs(body, first))
            place += len(body)
        place += 1
    if not found:
        raise UsageError("--diff: no changed lines there; give a unified diff, as git diff prints")
    return tuple(found)


def _body(lines: list[str], begun: int, removed: int, added: int) -> list[str]:
    place = begun
    while removed > 0 or added > 0:
        mark = lines[place][:1] or " " if place < len(lines) else ""
        if mark not in (" ", "-", "+", "\\"):
            message = (
                f"--diff: line {place + 1}: the hunk ends early; give the diff as it was made"
            )
            raise UsageError(message)
        removed, added = removed - (mark in " -"), added - (mark in " +")
        place += 1
    return lines[begun:place]


def _runs(body: list[str], first: int) -> Iterator[tuple[int, int]]:
    """Yield the first and the last new line of each run of changes."""
    line, start = first, 0
    for text in (*body, " "):
        mark = text[:1] or " "
        if mark in "+-":
            start = start or max(line, 1)
            line += mark == "+"
        elif mark == " ":
            if start:
                yield start, max(line - 1, start)
            start, line = 0, line + 1


def _path(old: str, new: str) -> str:
    name = new[4:].partition("\t")[0].strip()
    if name == _NOWHERE:
        return ""
    before = old[4:].partition("\t")[0].strip()
    prefixed = name.startswith("b/") and (before.startswith("a/") or before == _NOWHERE)
    return name.removeprefix("b/") if prefixed else name


def _count(written: str | None) -> int:
    return 1 if written is None else int(written)
