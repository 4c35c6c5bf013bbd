"""Packed results, where data shared by trials is written once.

Most of a query's row is the same in other trials: its question, the names of 40 measures and the
spans of its hits. A full row takes 3.6 KB, a packed row 0.4 KB.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from bench.results.decoding import MisfitError

Json = dict[str, Any]

_QUESTION = (
    "id",
    "repository",
    "query",
    "category",
    "difficulty",
    "tags",
    "negative",
    "expected",
    "targets",
)
_OWN = ("first_rank", "answer", "error")
_PLACE = ("start", "end", "start_byte", "end_byte", "symbol")
_RANKED = ("score", "credit")
ROWS, _HITS = "query_results", "retrieved"
_QUESTIONS, _PATHS, _PLACES = "questions_asked", "paths", "places"
TABLES = (_QUESTIONS, _PATHS, _PLACES)
"""Tables that all trials share, with one line per row in the file."""

Tables = tuple[list[Any], list[Any], list[Any]]


def packed(study: Json) -> Json:
    """Return results with each question and each span stored once."""
    tables = _Tables()
    reports = [
        {**report, **_packed_rows(report[ROWS] or [], tables)} for report in study["reports"]
    ]
    shared = (tables.questions, tables.paths, tables.places)
    rows = {name: table.rows for name, table in zip(TABLES, shared, strict=True)}
    return {**study, **rows, "reports": reports}


def unpacked(study: object) -> Any:
    """Return results with complete rows; older files already have them and are returned unchanged.

    Raise MisfitError where a row does not fit its table.
    """
    if not isinstance(study, dict) or _QUESTIONS not in study:
        return study
    tables = tuple(_listed(study, name) for name in TABLES)
    rest = {name: value for name, value in study.items() if name not in TABLES}
    reports = [
        _at(_unpacked_report, report, tables, ("reports", number))
        for number, report in enumerate(_listed(study, "reports"))
    ]
    return {**rest, "reports": reports}


class _Table:
    """Distinct rows, numbered in the order of their first use."""

    def __init__(self) -> None:
        self.rows: list[Any] = []
        self._numbers: dict[str, int] = {}

    def number(self, row: Any) -> int:
        known = self._numbers.setdefault(repr(row), len(self.rows))
        if known == len(self.rows):
            self.rows.append(row)
        return known


@dataclass
class _Tables:
    questions: _Table = field(default_factory=_Table)
    paths: _Table = field(default_factory=_Table)
    places: _Table = field(default_factory=_Table)


def _packed_rows(rows: Sequence[Json], tables: _Tables) -> Json:
    taken = {*_QUESTION, *_OWN, _HITS}
    names = list(dict.fromkeys(name for row in rows for name in row if name not in taken))
    return {"measured": names, ROWS: [_packed_row(row, names, tables) for row in rows]}


def _packed_row(row: Json, names: Sequence[str], tables: _Tables) -> Json:
    asked = {name: row[name] for name in _QUESTION if name in row}
    own = {name: row[name] for name in _OWN if row.get(name) is not None}
    missing = [name for name in names if name not in row]
    absent = {"absent": missing} if missing else {}
    named = {"id": row["id"], "asked": tables.questions.number(asked)}
    numbers = [row.get(name) for name in names]
    hits = [_packed_hit(hit, tables) for hit in row[_HITS]]
    return {**named, **own, **absent, "numbers": numbers, _HITS: hits}


def _packed_hit(hit: Json, tables: _Tables) -> list[Any]:
    path = tables.paths.number(hit["path"])
    place = tables.places.number([path, *(hit.get(name) for name in _PLACE)])
    return [place, *(hit.get(name) for name in _RANKED)]


def _unpacked_report(report: Json, tables: Tables) -> Json:
    names = _listed(report, "measured")
    rest = {name: value for name, value in report.items() if name != "measured"}
    rows = [
        _at(_unpacked_row, row, (names, tables), (ROWS, number))
        for number, row in enumerate(_listed(report, ROWS))
    ]
    return {**rest, ROWS: rows}


def _unpacked_row(row: Json, tables: tuple[list[Any], Tables]) -> Json:
    names, (questions, paths, places) = tables
    own: Json = {"first_rank": None, "answer": None, "error": None}
    own |= {name: row[name] for name in _OWN if name in row}
    numbers = dict(zip(names, _listed(row, "numbers"), strict=True))
    for name in row.get("absent", ()):
        del numbers[name]
    hits = [_unpacked_hit(hit, paths, places) for hit in _listed(row, _HITS)]
    return {**questions[row["asked"]], **own, **numbers, _HITS: hits}


def _unpacked_hit(hit: list[Any], paths: list[Any], places: list[Any]) -> Json:
    number, *ranked = hit
    path, *where = places[number]
    place = dict(zip(_PLACE, where, strict=True))
    return {"path": paths[path], **place, **dict(zip(_RANKED, ranked, strict=True))}


def _at(read: Callable[..., Json], found: Any, tables: Any, place: tuple[str, int]) -> Json:
    """Return the result of `read`; add `place` to the path of an error."""
    try:
        return read(found, tables)
    except MisfitError as error:
        raise error.under(*place) from error
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise MisfitError("does not fit the tables of the file", *place) from error


def _listed(holder: Json, name: str) -> list[Any]:
    found = holder[name]
    if not isinstance(found, list):
        raise MisfitError("must be a list", name)
    return found
