"""Unified diffs: the files of the old tree that they change, and the changed lines.

An added line counts as the old line before it, since it has no line of its own. If that line is
blank, it counts as the old line after it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_HUNK = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
_SAME_NAMES = re.compile(r'diff --git (?:"?)a/(.+?)"? "?b/\1"?$')
_ESCAPE = re.compile(r'\\([0-7]{3}|[abtnvfr"\\])')
_ESCAPES = {"a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13, '"': 34, "\\": 92}
_NOWHERE = "/dev/null"


class DiffError(ValueError):
    """A diff that is truncated or not a diff; the message names the line."""


@dataclass
class FileChange:
    """A file of the old tree and its ranges of changed lines; new files have no old path."""

    old_path: str | None = None
    spans: list[tuple[int, int]] = field(default_factory=list)
    is_new: bool = False


def parse_diff(text: str) -> tuple[FileChange, ...]:
    """Return the changes of a unified diff, file by file."""
    found = _Parser(text).changes()
    if not found:
        raise DiffError("line 1 of the patch: nothing here is a unified diff")
    return found


class _Parser:
    """Parser that walks over the lines of a diff."""

    def __init__(self, text: str) -> None:
        self._lines = text.removesuffix("\n").split("\n")
        self._place = 0
        self._found: list[FileChange] = []
        self._expects_header = False

    def changes(self) -> tuple[FileChange, ...]:
        """Return the changed files."""
        while self._place < len(self._lines):
            line = self._lines[self._place].rstrip("\r")
            if line.startswith("@@ "):
                self._hunk(line)
            elif line.startswith("diff --git "):
                self._found.append(FileChange(_same_name(line)))
                self._expects_header = True
            elif line.startswith("--- ") and self._next().startswith("+++ "):
                self._header(line)
            elif self._found:
                _note(line, self._found[-1])
            self._place += 1
        return tuple(self._found)

    def _header(self, line: str) -> None:
        if not self._expects_header:
            self._found.append(FileChange())
        change, self._expects_header = self._found[-1], False
        change.old_path = None if change.is_new else _old_path(line, self._next())
        self._place += 1

    def _next(self) -> str:
        after = self._place + 1
        return self._lines[after].rstrip("\r") if after < len(self._lines) else ""

    def _hunk(self, line: str) -> None:
        header = _HUNK.match(line)
        if header is None or not self._found:
            raise DiffError(f"line {self._place + 1} of the patch: a hunk without a file or range")
        old, removed, added = int(header[1]), _count(header[2]), _count(header[4])
        body = self._body(removed, added)
        if self._found[-1].old_path is not None:
            # Without removed lines, the header names the line before the hunk.
            self._found[-1].spans.extend(_touched(body, old if removed else old + 1))

    def _body(self, removed: int, added: int) -> list[str]:
        begun = self._place + 1
        while removed or added:
            self._place += 1
            if self._place >= len(self._lines):
                raise DiffError(f"line {begun} of the patch: the hunk is cut short")
            mark = self._lines[self._place][:1] or " "
            removed, added = removed - (mark in " -"), added - (mark in " +")
            if mark not in " -+\\" or removed < 0 or added < 0:
                where = f"line {self._place + 1} of the patch"
                raise DiffError(f"{where}: the hunk is not as long as it says")
        return self._lines[begun : self._place + 1]


def _touched(body: list[str], first: int) -> Iterator[tuple[int, int]]:
    """Yield the ranges of old lines that the body of a hunk removes or adds to."""
    last_of_hunk = first + sum(line[:1] in ("", " ", "-") for line in body) - 1
    old, place = first, 0
    while place < len(body):
        run_start, before = old, body[place - 1] if place else ""
        while place < len(body) and body[place][:1] in ("-", "+", "\\"):
            old += body[place].startswith("-")
            place += 1
        if old > run_start:
            yield run_start, old - 1
        elif place and body[place - 1].startswith("+"):
            # An insertion counts as the line before it, or the one after it if that is blank.
            forward = place < len(body) and not before[1:].strip() and body[place][1:].strip()
            line = run_start if forward or run_start == 1 else run_start - 1
            if last_of_hunk >= first or line < run_start:
                yield line, line
        if place < len(body):
            old += 1
            place += 1


def _note(line: str, change: FileChange) -> None:
    """Apply the extended header lines above the hunks of a file."""
    if line.startswith("rename from "):
        change.old_path = _unquoted(line.removeprefix("rename from "))
    elif line.startswith(("new file mode", "copy to ")):
        change.old_path, change.is_new = None, True


def _old_path(old: str, new: str) -> str | None:
    old_name, new_name = _header_name(old), _header_name(new)
    if old_name == _NOWHERE:
        return None
    prefixed = old_name.startswith("a/") and (new_name.startswith("b/") or new_name == _NOWHERE)
    return old_name.removeprefix("a/") if prefixed else old_name


def _header_name(line: str) -> str:
    return _unquoted(line[4:].partition("\t")[0].strip())


def _same_name(line: str) -> str | None:
    found = _SAME_NAMES.match(line)
    return _unescaped(found[1]) if found else None


def _unquoted(name: str) -> str:
    quoted = name.startswith('"') and name.endswith('"') and len(name) > 1
    return _unescaped(name[1:-1]) if quoted else name


def _unescaped(name: str) -> str:
    def byte(found: re.Match[str]) -> str:
        code = found[1]
        return chr(_ESCAPES[code] if code in _ESCAPES else int(code, 8) & 255)

    if "\\" not in name:
        return name
    # Git escapes single bytes of the UTF-8 name.
    raw = _ESCAPE.sub(byte, "".join(chr(one) for one in name.encode("utf-8", "surrogatepass")))
    return raw.encode("latin-1").decode("utf-8", "replace")


def _count(written: str | None) -> int:
    return 1 if written is None else int(written)
