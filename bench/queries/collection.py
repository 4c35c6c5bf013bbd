"""Common parts of BEIR and TREC: documents in JSON Lines, and rows of query, document and grade.

A grade of 0 or less marks a document that was judged as not relevant. A query with only such rows
is negative. A query without rows is not judged and is ignored.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.errors import FixtureError
from bench.files import read_text
from bench.queries.building import Entry
from bench.queries.fields import Fields, text_of
from bench.queries.json_lines import json_records
from bench.queries.located import Located, Place
from bench.queries.query import LEVELS, Query, Target
from bench.queries.resolved import Judgements
from retrievers.interface import Documents

_HIGHEST_GRADE = 100
_BEIR_COLUMNS = 3
_TREC_COLUMNS = 4

GradedRow = tuple[str, str, int]


@dataclass(frozen=True, slots=True)
class Judged:
    """Grades of the documents that were judged for one query."""

    place: Place
    grades: dict[str, int]


Qrels = Mapping[str, Judged]


def read_beir_qrels(path: Path) -> Qrels:
    """Read a table of judgements: query-id, corpus-id and score, separated by tabs."""
    lines = _lines(path, "\t")
    if not lines or lines[0][1][:2] != ["query-id", "corpus-id"]:
        place = lines[0][0] if lines else Place(str(path), 1)
        raise place.error("lacks the heading 'query-id\tcorpus-id\tscore'; add it")
    rows = (_row(place, columns, _BEIR_COLUMNS) for place, columns in lines[1:])
    return _by_query((place, query, document, grade) for place, (query, document, grade) in rows)


def read_trec_qrels(path: Path) -> Qrels:
    """Read judgements in lines of query, iteration, document and grade."""
    rows = (_row(place, columns, _TREC_COLUMNS) for place, columns in _lines(path, None))
    return _by_query(
        (place, query, document, grade) for place, (query, _, document, grade) in rows
    )


def is_qrels_row(line: str) -> bool:
    """Return whether a line looks like the four columns of TREC."""
    columns = line.split()
    return len(columns) == _TREC_COLUMNS and columns[-1].removeprefix("-").isdecimal()


def judged_entry(place: Place, text: str, identifier: str, judged: Judged, form: str) -> Entry:
    """Return a query with the relevant documents as targets."""
    targets = tuple(
        Target("file", path=document, grade=grade)
        for document, grade in judged.grades.items()
        if grade > 0
    )
    return Entry(Query(identifier, text, targets, negative=not targets), "", place, form)


def refuse_unknown(qrels: Qrels, asked: Iterable[str], where: str) -> None:
    """Refuse judgements of unknown queries."""
    known = set(asked)
    for query, judged in qrels.items():
        if query not in known:
            raise judged.place.error(
                f"judges query {query[:80]!r}, which is not in {where}; remove it or add the query"
            )


def read_documents(path: Path, *, ids: Sequence[str], texts: Sequence[str]) -> Documents:
    """Return the documents in a file; `ids` and `texts` are the possible names of these fields.

    The path of a document is its id. Its text is the title, a space, then the text.
    """
    return documents_of(_records(path, ids, texts), path)


def documents_of(found: Iterable[tuple[Place, str, str]], path: Path) -> Documents:
    """Return documents from their ids and texts; duplicate ids are refused."""
    documents = Documents.of(list(_distinct(found)))
    if not len(documents):
        raise FixtureError(f"{path}: holds no documents; add some or choose another folder")
    return documents


def graded_documents(
    queries: Sequence[Query], documents: Documents, judgements: Judgements
) -> Iterator[GradedRow]:
    """Yield (query, document, grade) for every relevant document.

    A negative query has one row with grade 0, for an arbitrary document.
    """
    if not len(documents):
        raise FixtureError("there are no documents to write; give the tree that was judged")
    at_files = judgements.level == LEVELS.index("file")
    of_query: dict[int, list[tuple[int, int]]] = {}
    for query, document, grade in zip(
        judgements.query[at_files].tolist(),
        judgements.document[at_files].tolist(),
        judgements.grade[at_files].tolist(),
        strict=True,
    ):
        of_query.setdefault(query, []).append((document, grade))
    for number, query in enumerate(queries):
        for document, grade in of_query.get(number, [(0, 0)] if query.negative else []):
            yield query.id, documents.paths[document], grade


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


def _distinct(found: Iterable[tuple[Place, str, str]]) -> Iterator[tuple[str, str]]:
    seen: dict[str, Place] = {}
    for place, identifier, text in found:
        first = seen.setdefault(identifier, place)
        if first is not place:
            raise place.error(
                f"document id {identifier[:80]!r} is taken by {first}; give each its own"
            )
        yield identifier, text


def _records(
    path: Path, ids: Sequence[str], texts: Sequence[str]
) -> Iterator[tuple[Place, str, str]]:
    for record in json_records(path):
        fields = Fields.of(record, "a document", None)
        identifier = fields.identifier(_present(fields, ids))
        title, text = fields.text_or_blank("title"), _text(record, fields, texts)
        yield record.place, identifier, f"{title} {text}" if title else text


def _text(record: Located, fields: Fields, names: Sequence[str]) -> str:
    name = _present(fields, names)
    if not fields.has(name):
        raise record.error(f"a document lacks the field {name!r}; add it")
    return text_of(fields.values[name], f"field {name!r}")


def _present(fields: Fields, names: Sequence[str]) -> str:
    return next((name for name in names if fields.has(name)), names[0])
