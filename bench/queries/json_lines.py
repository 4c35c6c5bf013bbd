"""JSON Lines as located values, with one record per line."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from bench.errors import FixtureError
from bench.files import decoded, json_value, opened
from bench.queries.located import Located, Place

LINES = (".jsonl", ".ndjson")
"""Suffixes of files with one record per line, regardless of the first line."""
_DEEPEST = 50
_LONGEST_LINE = 100_000_000


def lines_of(text: str, file: str) -> Iterator[tuple[str, Place]]:
    """Yield the lines with a record. Blank lines are counted and skipped."""
    lines = enumerate(text.split("\n"), 1)
    return ((line, Place(file, number)) for number, line in lines if line.strip())


def json_records(path: Path) -> Iterator[Located]:
    """Yield the records of a file one by one, without loading the whole file."""
    with opened(path, FixtureError) as file:
        number = 0
        while line := file.readline(_LONGEST_LINE + 1):
            number += 1
            place = Place(str(path), number)
            if len(line) > _LONGEST_LINE:
                raise place.error(f"is longer than {_LONGEST_LINE // 1_000_000} MB; split it")
            text = decoded(line, str(path), FixtureError, line=number)
            if text.strip():
                yield read_record(text.rstrip("\r\n"), place)


def load_json(text: str, file: str) -> Located:
    """Return the single value in `text`."""
    return read_record(text, Place(file, 1))


def read_record(line: str, place: Place) -> Located:
    """Return the JSON value of a text at `place`."""

    def once(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, value in pairs:
            if name in found:
                raise place.error(f"field {name!r} appears twice; keep one")
            found[name] = value
        return found

    value = json_value(line, place.file, FixtureError, line=place.line, of_pairs=once)
    return located(value, place)


def located(value: Any, place: Place, depth: int = 0) -> Located:
    """Return a value and everything inside it, located at `place`."""
    if depth > _DEEPEST:
        raise place.error(f"nests deeper than {_DEEPEST}; correct this line")
    if isinstance(value, dict):
        fields = {name: located(item, place, depth + 1) for name, item in value.items()}
        return Located(fields, place)
    if isinstance(value, list):
        return Located([located(item, place, depth + 1) for item in value], place)
    return Located(value, place)
