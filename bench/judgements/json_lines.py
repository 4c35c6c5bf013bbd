"""JSON Lines as located values: one record a line."""

import json
from collections.abc import Iterable
from typing import Any

from bench.judgements.located import Located, Place

_DEEPEST = 50


def load_json_lines(text: str, file: str) -> tuple[Located, ...]:
    """Return the records in `text`; blank lines count but hold none."""
    lines = enumerate(text.split("\n"), 1)
    return tuple(_record(line, Place(file, number)) for number, line in lines if line.strip())


def _record(line: str, place: Place) -> Located:
    def once(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, value in pairs:
            if name in found:
                raise place.error(f"field {name!r} stands here twice; keep one")
            found[name] = value
        return found

    try:
        value = json.loads(line, object_pairs_hook=once)
    except (ValueError, RecursionError) as error:
        what = (
            error.msg if isinstance(error, json.JSONDecodeError) else "it nests or counts too far"
        )
        raise place.error(f"is not valid JSON: {what}; correct this line") from error
    return _located(value, place, 0)


def _located(value: Any, place: Place, depth: int) -> Located:
    if depth > _DEEPEST:
        raise place.error(f"nests deeper than {_DEEPEST}; correct this line")
    if isinstance(value, dict):
        fields = {name: _located(item, place, depth + 1) for name, item in value.items()}
        return Located(fields, place)
    if isinstance(value, list):
        return Located([_located(item, place, depth + 1) for item in value], place)
    return Located(value, place)
