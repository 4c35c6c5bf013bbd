"""The door for files of queries: which format a file has is seen from its content."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from bench.errors import FixtureError
from bench.judgements import golden, span_lines, tiered
from bench.judgements.building import Entry
from bench.judgements.json_lines import load_json_lines
from bench.judgements.located import Located
from bench.judgements.query import Query
from bench.judgements.query_set import read_query_set
from bench.judgements.text_files import read_text
from bench.judgements.yaml_text import load_yaml

_LINES = (".jsonl", ".ndjson")
_NAMES = (".yaml", ".yml", *_LINES)


def read_queries(path: Path, *, repository: str = "") -> tuple[Query, ...]:
    """Return the queries in a file, or in all files of a folder.

    With `repository`, those that name another repository are left out.
    """
    files = _files(path)
    entries = [one for file in files for one in _entries(file)]
    _refuse_duplicates(entries)
    kept = [one.query for one in entries if not repository or one.repository in ("", repository)]
    if not kept:
        about = f" about repository {repository!r}" if repository else ""
        raise FixtureError(f"{path}: holds no queries{about}; add some or choose another file")
    return tuple(kept)


def _files(path: Path) -> Sequence[Path]:
    if not path.is_dir():
        return [path]
    found = sorted(one for one in path.rglob("*") if one.suffix in _NAMES and one.is_file())
    if not found:
        raise FixtureError(f"{path}: the folder holds no files of queries ({', '.join(_NAMES)})")
    return found


def _entries(file: Path) -> tuple[Entry, ...]:
    text = read_text(file)
    if _is_json_lines(file, text):
        return _from_lines(load_json_lines(text, str(file)))
    document = load_yaml(text, str(file))
    if not isinstance(document.value, dict):
        raise document.error(f"must hold 'queries' or a 'task', not {document.shown}")
    if "queries" in document.value:
        return read_query_set(document)
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


def _from_lines(records: Iterable[Located]) -> tuple[Entry, ...]:
    return tuple(
        golden.read_golden(record) if _is_golden(record) else span_lines.read_span_line(record)
        for record in records
    )


def _is_golden(record: Located) -> bool:
    names = record.value if isinstance(record.value, dict) else {}
    if "expected_spans" in names or "query" in names:
        return False
    return any(name in names for name in ("expected_chunks", "expected_doc_ids", "question"))


def _refuse_duplicates(entries: Iterable[Entry]) -> None:
    seen: dict[str, Entry] = {}
    for one in entries:
        first = seen.setdefault(one.query.id, one)
        if first is not one:
            raise one.place.error(
                f"query id {one.query.id!r} is taken by {first.place}; give each its own"
            )
