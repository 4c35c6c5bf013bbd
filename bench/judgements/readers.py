"""The door for files of queries: which format a file has is seen from its content."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from bench.errors import FixtureError
from bench.files import read_text
from bench.judgements import golden, span_lines, tiered
from bench.judgements.building import Entry, Fault, Faults, gather
from bench.judgements.chunk_map import ChunkMap, map_beside, read_chunk_map
from bench.judgements.foreign.characters import character_entries
from bench.judgements.foreign.folders import corpus_entries, corpus_format
from bench.judgements.foreign.issues import is_issue, read_issue
from bench.judgements.foreign.qrels import are_qrels
from bench.judgements.foreign.tables import TABLE, is_row, read_row, table_records
from bench.judgements.foreign.trec import topic_entries
from bench.judgements.json_lines import lines_of, read_record
from bench.judgements.located import Located, Place
from bench.judgements.query import Query
from bench.judgements.query_set import read_query_set
from bench.judgements.yaml_text import load_yaml

_LINES = (".jsonl", ".ndjson")
_NAMES = (".yaml", ".yml", *_LINES, TABLE)


def read_queries(
    path: Path | str, *, repository: str = "", chunks: Path | None = None
) -> tuple[Query, ...]:
    """Return the queries in a file, or in all files of a folder, drafts among them.

    With `repository`, queries and targets that name another repository are left out. `chunks` is
    the chunk map of golden questions that expect numbers, if it does not lie beside them.
    """
    kept = read_asked(Path(path), repository=repository, chunks=chunks)
    refuse_several_commits(kept)
    return tuple(one.query for one in kept)


def read_asked(
    path: Path, *, repository: str = "", chunks: Path | None = None
) -> tuple[Entry, ...]:
    """Return the same queries with where they stand; of several commits, if the files say so."""
    entries = read_entries(path, chunks=chunks)
    refuse_duplicates(entries)
    kept = asked_of(entries, repository) if repository else entries
    if not kept:
        about = f" about repository {repository!r}" if repository else ""
        raise FixtureError(f"{path}: holds no queries{about}; add some or choose another file")
    return kept


def read_topics(topics: Path, qrels: Path) -> tuple[Entry, ...]:
    """Return the queries in a file of topics that a file of TREC's qrels judges."""
    entries = topic_entries(topics, qrels)
    refuse_duplicates(entries)
    if not entries:
        raise FixtureError(f"{qrels}: judges none of {topics}; give the qrels of these topics")
    return entries


def reviewed(entries: Sequence[Entry], path: Path) -> tuple[Entry, ...]:
    """Return the queries that are no drafts; refuse if there are none in the files at `path`."""
    kept = tuple(one for one in entries if not one.draft)
    if not kept:
        raise FixtureError(
            f"{path}: all of its {len(entries)} queries are drafts; review them and remove "
            "'draft: true', or add include_drafts=true"
        )
    return kept


def read_entries(
    path: Path, *, chunks: Path | None = None, faults: Faults | None = None
) -> tuple[Entry, ...]:
    """Return the queries with the places they stand at, in the order of the files.

    With `faults`, records that are wrong go there and the others are returned.
    """
    if corpus_format(path):
        return _tolerant(lambda: corpus_entries(path, faults=faults), path, faults)
    found: list[Entry] = []
    for file in fixture_files(path):
        found.extend(_of_file(file, chunks, faults))
    return tuple(found)


def asked_of(entries: Iterable[Entry], repository: str) -> tuple[Entry, ...]:
    """Return the queries that concern a repository, with their targets there.

    A query whose targets all lie elsewhere is left out; one that nothing answers stays.
    """
    found = []
    for one in entries:
        targets = one.query.targets
        here = tuple(target for target in targets if target.repository in ("", repository))
        if one.repository in ("", repository) and (here or not targets):
            found.append(replace(one, query=replace(one.query, targets=here)))
    return tuple(found)


def fixture_files(path: Path) -> Sequence[Path]:
    """Return the files of queries at a path: itself, or those in the folder."""
    if not path.is_dir():
        return [path]
    found = sorted(one for one in path.rglob("*") if one.suffix in _NAMES and one.is_file())
    if not found:
        raise FixtureError(f"{path}: the folder holds no files of queries ({', '.join(_NAMES)})")
    return found


def _of_file(file: Path, chunks: Path | None, faults: Faults | None) -> tuple[Entry, ...]:
    return _tolerant(lambda: _entries(file, chunks, faults), file, faults)


def _tolerant(
    read: Callable[[], tuple[Entry, ...]], path: Path, faults: Faults | None
) -> tuple[Entry, ...]:
    try:
        return read()
    except FixtureError as error:
        if faults is None:
            raise
        faults.append(Fault(Place(str(path), 1), "", error))
        return ()


def _entries(file: Path, chunks: Path | None, faults: Faults | None) -> tuple[Entry, ...]:
    if file.suffix == ".csv":
        return character_entries(file, faults=faults)
    if file.suffix == TABLE:
        return _gathered(table_records(file), file, chunks, faults)
    text = read_text(file, FixtureError)
    if _is_json_lines(file, text):
        return _gathered(_records(file, text, faults), file, chunks, faults)
    if are_qrels(text):
        place = Place(str(file), 1)
        raise place.error("holds qrels, which say nothing of what is asked; add --topics FILE")
    document = load_yaml(text, str(file))
    if not isinstance(document.value, dict):
        raise document.error(f"must hold 'queries' or a 'task', not {document.shown}")
    if "queries" in document.value:
        return read_query_set(document, faults=faults)
    if any(name in document.value for name in tiered.FIELDS):
        return tiered.read_tiered(document)
    names = ", ".join(list(document.value)[:5])
    raise document.error(
        f"holds neither 'queries' nor a 'task' but {names[:200]}; see the formats"
    )


def _is_json_lines(file: Path, text: str) -> bool:
    if file.suffix in _LINES:
        return True
    first = next((line for line in text.split("\n") if line.strip()), "")
    if not first.lstrip().startswith("{"):
        return False
    try:
        record = json.loads(first)
    except (ValueError, RecursionError):
        return False
    return "queries" not in record and not any(name in record for name in ("task", "ground_truth"))


def _gathered(
    records: Iterable[Located], file: Path, chunks: Path | None, faults: Faults | None
) -> tuple[Entry, ...]:
    place = chunks or map_beside(file)
    known = read_chunk_map(place) if place else None
    return gather(lambda record: _of_record(record, known), records, faults)


def _records(file: Path, text: str, faults: Faults | None) -> Iterator[Located]:
    for line, place in lines_of(text, str(file)):
        try:
            yield read_record(line, place)
        except FixtureError as error:
            if faults is None:
                raise
            faults.append(Fault(place, "", error))


def _of_record(record: Located, chunks: ChunkMap | None) -> Entry:
    if is_issue(record):
        return read_issue(record)
    if record.place.file.endswith(TABLE) and is_row(record):
        return read_row(record)
    if _is_golden(record):
        return golden.read_golden(record, chunks)
    return span_lines.read_span_line(record)


def _is_golden(record: Located) -> bool:
    names = record.value if isinstance(record.value, dict) else {}
    if "expected_spans" in names or "query" in names:
        return False
    return any(name in names for name in ("expected_chunks", "expected_doc_ids", "question"))


def refuse_duplicates(entries: Iterable[Entry]) -> None:
    """Refuse queries of one id."""
    seen: dict[str, Entry] = {}
    for one in entries:
        first = seen.setdefault(one.query.id, one)
        if first is not one:
            raise one.place.error(
                f"query id {one.query.id!r} is taken by {first.place}; give each its own"
            )


def refuse_several_commits(entries: Sequence[Entry]) -> None:
    """Refuse queries that are asked of several commits where one is wanted."""
    first = entries[0]
    for one in entries:
        if (one.commit, one.repository) != (first.commit, first.repository) and one.commit:
            raise one.place.error(
                f"query {one.query.id!r} is asked of another commit or repository than "
                f"{first.query.id!r}, which cannot be here; part the file by commit"
            )
