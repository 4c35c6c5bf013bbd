"""Judgements as rows of query, document and grade: BEIR's table and TREC's four columns.

A grade of zero or less says that a document was looked at and is not right. A query that only
has such rows is negative; one without rows is unjudged and no query at all.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.errors import FixtureError
from bench.files import read_text
from bench.judgements.building import Entry, Format
from bench.judgements.located import Place
from bench.judgements.query import Query, Target

_HIGHEST_GRADE = 100
_BEIR_COLUMNS = 3
_TREC_COLUMNS = 4


@dataclass(frozen=True, slots=True)
class Judged:
    """The grades of the documents that were judged for one query."""

    place: Place
    grades: dict[str, int]


Qrels = Mapping[str, Judged]


def read_beir_qrels(path: Path) -> Qrels:
    """Return the judgements in a table of query-id, corpus-id and score, parted by tabs."""
    lines = _lines(path, "\t")
    if not lines or lines[0][1][:2] != ["query-id", "corpus-id"]:
        place = lines[0][0] if lines else Place(str(path), 1)
        raise place.error("lacks the heading 'query-id\tcorpus-id\tscore'; add it")
    rows = (_row(place, columns, _BEIR_COLUMNS) for place, columns in lines[1:])
    return _by_query((place, query, document, grade) for place, (query, document, grade) in rows)


def read_trec_qrels(path: Path) -> Qrels:
    """Return the judgements in lines of query, iteration, document and grade."""
    rows = (_row(place, columns, _TREC_COLUMNS) for place, columns in _lines(path, None))
    return _by_query(
        (place, query, document, grade) for place, (query, _, document, grade) in rows
    )


def are_qrels(text: str) -> bool:
    """Say whether a text begins as TREC's four columns do."""
    first = next((line for line in text.split("\n") if line.strip()), "").split()
    return len(first) == _TREC_COLUMNS and first[-1].removeprefix("-").isdecimal()


def judged_entry(place: Place, text: str, identifier: str, judged: Judged, form: Format) -> Entry:
    """Return a query whose targets are the documents judged right."""
    targets = tuple(
        Target("file", path=document, grade=grade)
        for document, grade in judged.grades.items()
        if grade > 0
    )
    return Entry(Query(identifier, text, targets, negative=not targets), "", place, form)


def refuse_unknown(qrels: Qrels, asked: Iterable[str], where: str) -> None:
    """Refuse judgements of queries that are nowhere."""
    known = set(asked)
    for query, judged in qrels.items():
        if query not in known:
            raise judged.place.error(
                f"judges query {query[:80]!r}, which is not in {where}; remove it or add the query"
            )


def _lines(path: Path, separator: str | None) -> Sequence[tuple[Place, list[str]]]:
    lines = enumerate(read_text(path, FixtureError).split("\n"), 1)
    return [
        (Place(str(path), number), line.rstrip("\r").split(separator))
        for number, line in lines
        if line.strip()
    ]


def _row(place: Place, columns: list[str], count: int) -> tuple[Place, list[str]]:
    if len(columns) != count:
        raise place.error(f"has {len(columns)} columns, not {count}; correct this line")
    if not all(column.strip() for column in columns):
        raise place.error("has a blank column; correct this line")
    return place, columns


def _by_query(rows: Iterable[tuple[Place, str, str, str]]) -> Qrels:
    found: dict[str, Judged] = {}
    for place, query, document, written in rows:
        grade = _grade(place, written)
        grades = found.setdefault(query, Judged(place, {})).grades
        if grades.setdefault(document, grade) != grade:
            raise place.error(
                f"grades document {document[:80]!r} of query {query[:80]!r} again, differently; "
                "keep one"
            )
    return found


def _grade(place: Place, written: str) -> int:
    try:
        grade = int(written)
    except ValueError as error:
        raise place.error(f"grade {written[:40]!r} is not a whole number; correct it") from error
    if abs(grade) > _HIGHEST_GRADE:
        raise place.error(f"grade {written[:20]} is above {_HIGHEST_GRADE}; use smaller grades")
    return grade
