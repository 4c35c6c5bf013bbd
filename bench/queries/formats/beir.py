"""BEIR folders: corpus.jsonl, queries.jsonl and qrels/test.tsv, read and written."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from bench.errors import FixtureError
from bench.queries.building import Entry, Faults, gather
from bench.queries.collection import (
    Qrels,
    graded_documents,
    judged_entry,
    read_beir_qrels,
    read_documents,
    refuse_unknown,
)
from bench.queries.fields import Fields
from bench.queries.formats.format import QuerySet, judged
from bench.queries.json_lines import json_records
from bench.queries.located import Located
from bench.queries.query import Query
from bench.queries.resolved import Judgements
from retrievers.interface import Documents

CORPUS, QUERIES = "corpus.jsonl", "queries.jsonl"


def is_beir(path: Path) -> bool:
    """Return whether a path is a BEIR folder."""
    return (path / CORPUS).is_file() and (path / QUERIES).is_file()


def beir_documents(folder: Path) -> Documents:
    """Return the documents of a BEIR folder."""
    return read_documents(folder / CORPUS, ids=("_id",), texts=("text",))


def read_beir(folder: Path, faults: Faults | None = None) -> tuple[Entry, ...]:
    """Return the judged queries of a BEIR folder."""
    qrels = read_beir_qrels(_qrels_file(folder))
    asked: list[str] = []

    def read(record: Located) -> Entry:
        fields = Fields.of(record, "a query", None)
        identifier, text = fields.identifier("_id"), fields.text("text")
        asked.append(identifier)
        return judged_entry(record.place, text, identifier, qrels[identifier], "beir")

    records = _judged(json_records(folder / QUERIES), qrels)
    found = gather(read, records, faults)
    if faults is None:
        refuse_unknown(qrels, asked, str(folder / QUERIES))
    return found


def export_beir(queries: QuerySet, folder: Path) -> None:
    """Write a set as a BEIR folder."""
    asked, judgements = judged(queries)
    write_beir(folder, asked, queries.documents, judgements)


def write_beir(
    folder: Path, queries: Sequence[Query], documents: Documents, judgements: Judgements
) -> None:
    """Write a BEIR folder. Targets are widened to whole documents."""
    (folder / "qrels").mkdir(parents=True, exist_ok=True)
    corpus = (
        {"_id": path, "title": "", "text": documents.text(number)}
        for number, path in enumerate(documents.paths)
    )
    _write_lines(folder / CORPUS, corpus)
    _write_lines(folder / QUERIES, ({"_id": one.id, "text": one.text} for one in queries))
    rows = graded_documents(queries, documents, judgements)
    lines = ["query-id\tcorpus-id\tscore", *("\t".join(map(str, row)) for row in rows), ""]
    (folder / "qrels" / "test.tsv").write_text("\n".join(lines), encoding="utf-8")


def _judged(records: Iterable[Located], qrels: Qrels) -> Iterable[Located]:
    """Yield the queries of this split. Records without an id are kept, to be refused later."""
    for record in records:
        identifier = record.value.get("_id") if isinstance(record.value, dict) else None
        if identifier is None or str(identifier.value) in qrels:
            yield record


def _qrels_file(folder: Path) -> Path:
    test = folder / "qrels" / "test.tsv"
    found = sorted((folder / "qrels").glob("*.tsv"))
    if test in found:
        return test
    if len(found) == 1:
        return found[0]
    names = ", ".join(one.name for one in found) or "nothing"
    raise FixtureError(
        f"{folder}/qrels: has no test.tsv but {names}; rename one of them to test.tsv"
    )


def _write_lines(path: Path, records: Iterable[object]) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(record) + "\n" for record in records)
