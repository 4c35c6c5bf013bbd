"""TREC collections: topics, qrels and documents are read and written, runs only written.

A folder holds `docs.jsonl` or documents in TREC's markup (any files, or those in `doc*/`), one
`topics.*` (in markup, or id and text separated by a tab) and one `qrels*` file. White space
separates the columns of runs and qrels, so it is written as `%20` within ids.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.errors import FixtureError
from bench.files import opened, read_text
from bench.queries.building import Entry, Faults
from bench.queries.collection import (
    documents_of,
    graded_documents,
    is_qrels_row,
    judged_entry,
    read_documents,
    read_trec_qrels,
    refuse_unknown,
)
from bench.queries.formats.format import QuerySet, judged
from bench.queries.located import Place
from bench.queries.query import Query
from bench.queries.resolved import Judgements
from bench.queries.trec_markup import (
    are_topics,
    has_documents,
    marked_up_documents,
    marked_up_topics,
)
from bench.queries.written import query_of
from retrievers.interface import Documents

DOCUMENTS = "docs.jsonl"
_HEAD_BYTES = 10_000
_IDS = ("docno", "_id", "id", "docid", "doc_id")
_TEXTS = ("text", "contents", "body")


@dataclass(frozen=True, slots=True)
class RunRow:
    """A hit of a run. The hits of a query are in order, best first."""

    query: str
    document: str
    score: float


def is_trec(path: Path) -> bool:
    """Return whether a path is a TREC folder."""
    return topics_file(path) is not None and bool(document_files(path))


def document_files(folder: Path) -> list[Path]:
    """Return docs.jsonl, or else all files with documents in markup."""
    if (folder / DOCUMENTS).is_file():
        return [folder / DOCUMENTS]
    named = [*folder.glob("*"), *folder.glob("doc*/*")]
    return sorted(one for one in named if one.is_file() and has_documents(one))


def topics_file(folder: Path) -> Path | None:
    """Return the file of topics in a folder, or None."""
    return next(iter(sorted(folder.glob("topics*"))), None)


def trec_documents(folder: Path) -> Documents:
    """Return the documents of a TREC folder."""
    files = document_files(folder)
    if files == [folder / DOCUMENTS]:
        return read_documents(files[0], ids=_IDS, texts=_TEXTS)
    return documents_of((one for file in files for one in marked_up_documents(file)), folder)


def read_trec(folder: Path, faults: Faults | None = None) -> tuple[Entry, ...]:
    """Return the judged topics of a TREC folder."""
    found = sorted(folder.glob("qrels*"))
    if len(found) != 1:
        names = ", ".join(one.name for one in found) or "nothing"
        raise FixtureError(f"{folder}: must have one file qrels*, not {names}; keep one")
    return topic_entries(topics_file(folder) or folder / "topics.tsv", found[0], faults=faults)


def topic_entries(file: Path, judged: Path, *, faults: Faults | None = None) -> tuple[Entry, ...]:
    """Return the topics of a file that have judgements in a file of qrels."""
    qrels, topics = read_trec_qrels(judged), list(_topics(file))
    if faults is None:
        refuse_unknown(qrels, (identifier for _, identifier, _ in topics), str(file))
    return tuple(
        judged_entry(place, text, identifier, qrels[identifier], "trec")
        for place, identifier, text in topics
        if identifier in qrels
    )


def are_qrels(path: Path) -> bool:
    """Return whether the first line of a file looks like the four columns of TREC."""
    if not path.is_file():
        return False
    with opened(path, FixtureError) as file:
        head = file.read(_HEAD_BYTES).decode("utf-8-sig", "replace")
    return is_qrels_row(next((line for line in head.split("\n") if line.strip()), ""))


def refuse_qrels(path: Path, _faults: Faults | None = None) -> tuple[Entry, ...]:
    """Refuse qrels without topics."""
    place = Place(str(path), 1)
    raise place.error("holds qrels, which say nothing of what is asked; add --topics FILE")


def export_trec(queries: QuerySet, folder: Path) -> None:
    """Write a set as a TREC folder."""
    asked, judgements = judged(queries)
    write_trec(folder, asked, queries.documents, judgements)


def export_qrels(queries: QuerySet, path: Path) -> None:
    """Write the judgements of a set as the four columns of TREC."""
    asked, judgements = judged(queries)
    write_qrels(path, asked, queries.documents, judgements)


def write_trec(
    folder: Path, queries: Sequence[Query], documents: Documents, judgements: Judgements
) -> None:
    """Write a TREC folder. Targets are widened to whole documents."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "topics.tsv").write_text(write_topics(queries), encoding="utf-8")
    with (folder / DOCUMENTS).open("w", encoding="utf-8") as file:
        for number, path in enumerate(documents.paths):
            record = {"docno": _column(path), "text": documents.text(number)}
            file.write(json.dumps(record) + "\n")
    write_qrels(folder / "qrels.txt", queries, documents, judgements)


def write_topics(queries: Iterable[Query | Entry]) -> str:
    """Return the questions as lines of an id, a tab and a text."""
    asked = map(query_of, queries)
    return "".join(f"{_column(one.id)}\t{' '.join(one.text.split())}\n" for one in asked)


def write_qrels(
    path: Path, queries: Sequence[Query], documents: Documents, judgements: Judgements
) -> None:
    """Write the judgements of whole documents as the four columns of TREC."""
    rows = graded_documents(queries, documents, judgements)
    lines = (
        f"{_column(query)} 0 {_column(document)} {grade}\n" for query, document, grade in rows
    )
    path.write_text("".join(lines), encoding="utf-8")


def write_run(rows: Iterable[RunRow], path: Path, *, tag: str = "rankgrid") -> None:
    """Write hits as a TREC run. Ranks count from 1 in the order of the rows."""
    ranks: dict[str, int] = {}
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            rank = ranks[row.query] = ranks.get(row.query, 0) + 1
            names = f"{_column(row.query)} Q0 {_column(row.document)}"
            file.write(f"{names} {rank} {float(row.score)!r} {_column(tag)}\n")


def _topics(path: Path) -> Iterator[tuple[Place, str, str]]:
    text = read_text(path, FixtureError)
    return marked_up_topics(text, path) if are_topics(text) else _tabbed(text, path)


def _tabbed(text: str, path: Path) -> Iterator[tuple[Place, str, str]]:
    for number, line in enumerate(text.split("\n"), 1):
        identifier, tab, title = line.rstrip("\r").partition("\t")
        if not line.strip():
            continue
        if not tab or not identifier.strip() or not title.strip():
            place = Place(str(path), number)
            raise place.error("a topic must be an id, a tab and a text; correct this line")
        yield Place(str(path), number), identifier.strip(), title.strip()


def _column(name: str) -> str:
    return re.sub(r"\s", "%20", name)
