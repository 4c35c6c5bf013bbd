"""Answers typed by a person: numbers of candidates, or places in text form, with grades."""

import re
import shlex
from collections.abc import Sequence

from bench.authoring.pooling import Candidate
from bench.errors import UsageError
from bench.queries import Target

_MARK = re.compile(r"(?P<what>.+?)(?:=(?P<grade>\d{1,3}))?")
_LINES = re.compile(r"(?P<path>.+):(?P<start>\d{1,9})(?:-(?P<end>\d{1,9}))?")
_HIGHEST_GRADE = 100


def read_marks(text: str, candidates: Sequence[Candidate]) -> tuple[Target, ...]:
    """Return the targets of marks separated by blanks: `2`, `5=3`, or the forms of `read_mark`."""
    try:
        marks = shlex.split(text)
    except ValueError as error:
        message = f"{text[:80]}: a quote is not closed; close it"
        raise UsageError(message) from error
    return tuple(dict.fromkeys(_mark(one, candidates) for one in marks))


def read_mark(text: str) -> Target:
    """Return the target of one place: `path:3-9`, `path::Symbol` or `path`, with `=grade`."""
    return _mark(text, None)


def _mark(text: str, candidates: Sequence[Candidate] | None) -> Target:
    found = _MARK.fullmatch(text)
    if found is None:
        raise UsageError("a mark is blank; give path:start-end, path::Symbol or path")
    what, grade = found["what"], int(found["grade"] or 1)
    if not 1 <= grade <= _HIGHEST_GRADE:
        message = f"{text}: grade {grade} is not from 1 to {_HIGHEST_GRADE}"
        raise UsageError(message)
    if candidates is not None and what.isdecimal():
        return _of_candidate(int(what), candidates, grade)
    lines = _LINES.fullmatch(what)
    if lines:
        start = int(lines["start"])
        end = int(lines["end"] or start)
        return Target("span", path=lines["path"], start=start, end=end, grade=grade)
    if "::" in what:
        return Target("symbol", symbol=what, grade=grade)
    return Target("file", path=what, grade=grade)


def _of_candidate(number: int, candidates: Sequence[Candidate], grade: int) -> Target:
    if not 1 <= number <= len(candidates):
        message = f"{number}: no such candidate; give 1 to {len(candidates)}"
        raise UsageError(message)
    one = candidates[number - 1]
    if one.symbol:
        return Target("symbol", symbol=one.symbol, grade=grade)
    return Target("span", path=one.path, start=one.start, end=one.end, grade=grade)
