"""The answers of an engine, read from JSON or from lines of text.

Hits are in order, best first. Scores are used only if every hit has one.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal

from retrievers.errors import ExternalError

Form = Literal["json", "lines", "symbols"]
_LINE = re.compile(r"(?P<path>.+?)(?::(?P<start>\d{1,9})(?:-(?P<end>\d{1,9}))?(?::.*)?)?")
_SHOWN = 120
_HIGHEST_SCORE = 3e38
"""About the largest number in single precision."""


@dataclass(frozen=True)
class AnswerFields:
    """The path to the hits in an answer, and the names of their fields."""

    hits: str = "hits"
    """A dotted path to the list; blank if the answer is the list."""
    path: str = "path"
    start: str = "start"
    end: str = "end"
    score: str = "score"
    symbol: str = "symbol"

    def __post_init__(self) -> None:
        """Raise an error for blank names."""
        for field in fields(self):
            if field.name != "hits" and not getattr(self, field.name):
                raise ExternalError(f"answer.{field.name}='': give the name of a part of a hit")


@dataclass(frozen=True)
class Answer:
    """A hit in the form of the engine: lines of a file, a whole file, or a qualified name."""

    path: str = ""
    start: int | None = None
    end: int | None = None
    symbol: str = ""
    score: float | None = None


@dataclass(frozen=True)
class Asked:
    """The outcome of a query: hits, or the reason of a failure."""

    answers: tuple[Answer, ...] = ()
    error: str = ""


MOST_FAILURES = 20
"""Maximum number of failures in a row. After them, the engine is not asked again."""


def each(search: Callable[[str], tuple[Answer, ...]], queries: Sequence[str]) -> list[Asked]:
    """Return the outcomes of queries, asked one after another."""
    found: list[Asked] = []
    for query in queries:
        last = found[-MOST_FAILURES:]
        if len(last) == MOST_FAILURES and all(one.error for one in last):
            found.append(Asked(error=_GIVEN_UP + last[-1].error.removeprefix(_GIVEN_UP)))
            continue
        try:
            found.append(Asked(search(query)))
        except ExternalError as error:
            found.append(Asked(error=str(error)))
    return found


_GIVEN_UP = f"not asked, as the {MOST_FAILURES} queries before it failed: "


def read_answers(text: str, form: Form, names: AnswerFields) -> tuple[Answer, ...]:
    """Return the hits in a text of this form."""
    if form == "json":
        return json_answers(_parsed(text), names)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if form == "symbols":
        return tuple(Answer(symbol=line) for line in lines)
    return tuple(line_answer(line) for line in lines)


def json_answers(value: object, names: AnswerFields) -> tuple[Answer, ...]:
    """Return the hits in a decoded JSON answer."""
    found = value if isinstance(value, list) else _at(value, names.hits)
    if not isinstance(found, list):
        wanted = f'{{"{names.hits}": [hit, …]}} or [hit, …]' if names.hits else "[hit, …]"
        hit = f'{{"{names.path}": "a.py", "{names.start}": 1, "{names.end}": 9}}'
        message = f"the answer is not a list of hits: {_shown(value)}"
        raise ExternalError(f"{message}; expected {wanted} with hits like {hit}")
    return tuple(_hit(one, names) for one in found)


def _parsed(text: str) -> object:
    """Return the JSON value of a text, or a list of one value per line."""
    try:
        return json.loads(text) if text.strip() else []
    except (ValueError, RecursionError):
        pass
    return [_parsed_line(line) for line in text.splitlines() if line.strip()]


def _parsed_line(line: str) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ExternalError(f"the answer is not JSON: {_shown(line)}") from error


def _at(value: object, dotted: str) -> object:
    found = value
    for part in dotted.split(".") if dotted else ():
        found = found.get(part) if isinstance(found, Mapping) else None
    return found


def _hit(value: object, names: AnswerFields) -> Answer:
    if not isinstance(value, Mapping):
        raise ExternalError(f"a hit is not a JSON object: {_shown(value)}")
    path, symbol = _text(value, names.path), _text(value, names.symbol)
    if not path and not symbol:
        wanted = f"{names.path!r} or {names.symbol!r}"
        raise ExternalError(f"a hit has neither {wanted}: {_shown(value)}")
    start = _line(value, names.start)
    return Answer(path, start, _line(value, names.end), symbol, _score(value, names.score))


def _text(value: Mapping[Any, Any], name: str) -> str:
    found = value.get(name)
    if found is None or isinstance(found, str):
        return found or ""
    raise ExternalError(f"{name}={_shown(found)}: must be text")


def _line(value: Mapping[Any, Any], name: str) -> int | None:
    found = value.get(name)
    if found is None or type(found) is int:
        return found
    raise ExternalError(f"{name}={_shown(found)}: must be a line's number")


def _score(value: Mapping[Any, Any], name: str) -> float | None:
    found = value.get(name)
    if found is None:
        return None
    if type(found) in (int, float) and abs(found) <= _HIGHEST_SCORE:
        return float(found)
    raise ExternalError(f"{name}={_shown(found)}: must be a number from -3e38 to 3e38")


def line_answer(line: str) -> Answer:
    """Return the hit of a line: `path`, `path:line`, `path:start-end` or `path:line:text`."""
    found = _LINE.fullmatch(line)
    if found is None:
        raise ExternalError(f"a line is not path:start-end: {_shown(line)}")
    start, end = found["start"], found["end"]
    first = int(start) if start else None
    return Answer(found["path"], first, int(end) if end else first)


def _shown(value: object) -> str:
    text = " ".join(str(value).split())
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")
