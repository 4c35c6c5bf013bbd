"""Queries as a Parquet table with a row per query, for pandas, DuckDB and similar tools.

Our own tables have a column `targets`. Other tables may have the fields of any JSON Lines format:
issues with patches, golden questions, spans. Line numbers in messages are row numbers.
"""

import io
import typing
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

from bench.errors import FixtureError
from bench.files import read_bytes
from bench.queries.building import Entry, entry
from bench.queries.chunk_map import ChunkMap
from bench.queries.fields import Fields, commit_of
from bench.queries.formats.format import QuerySet
from bench.queries.json_lines import located
from bench.queries.located import Located, Place
from bench.queries.query import JudgedPlace, Query, Target
from bench.queries.targets import file_target, span_target, symbol_target

TABLE = ".parquet"
_ROWS = 64
_MOST_UNPACKED = 1_000_000_000
_OF_ENTRY = ("repository", "commit", "draft", "generated", "hidden", "judged")
_READERS = {"file": file_target, "symbol": symbol_target, "span": span_target}
_LINES, _CHARACTERS = ("start", "end"), ("start_character", "end_character")
_PLACE = {"file": ("path",), "symbol": ("symbol",), "span": ("path", *_LINES, *_CHARACTERS)}


def is_row(record: Located) -> bool:
    """Return whether a record is a row of one of our own tables."""
    if not isinstance(record.value, dict) or not record.place.file.endswith(TABLE):
        return False
    return bool({"text", "targets"} & record.value.keys())


def table_records(path: Path) -> Iterator[Located]:
    """Yield the rows of a table without their null fields."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    content = read_bytes(path, FixtureError)
    try:
        table = pq.ParquetFile(io.BytesIO(content))
        _refuse_bombs(table.metadata, path)
        number = 0
        for batch in table.iter_batches(batch_size=_ROWS):
            for offset in range(batch.num_rows):
                number += 1
                yield _record(batch.slice(offset, 1), Place(str(path), number))
    except (pa.ArrowException, OSError) as error:
        reason = " ".join(str(error).split())[:200]
        message = f"{path}: is not a table that can be read ({reason}); write it again as Parquet"
        raise FixtureError(message) from error


def read_row(record: Located, _chunks: ChunkMap | None = None) -> Entry:
    """Return the query of a row of one of our own tables."""
    known = (*(part.name for part in fields(Query)), *_OF_ENTRY)
    row = Fields.of(record, "a row", known)
    found = entry(
        row,
        "parquet",
        identifier=row.identifier("id"),
        text=row.text("text"),
        targets=[_target(one) for one in row.items("targets")],
    )
    _refuse_uneven(found)
    return replace(
        found,
        repository=row.text_or_blank("repository"),
        commit=commit_of(row),
        generated=bool(row.flag("generated")),
        hidden=tuple(_target(one) for one in row.items("hidden")),
        judged=tuple(_judged(one) for one in row.items("judged")),
    )


def write_table(entries: Iterable[Entry], path: Path) -> None:
    """Write a row per query, with the targets as a list of records."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    of_entry = [column for column in _columns(Entry) if column[0] in _OF_ENTRY]
    schema = pa.schema([*_columns(Query), *of_entry])
    pq.write_table(pa.Table.from_pylist([_row(one) for one in entries], schema), path)


def write_rows(queries: QuerySet, path: Path) -> None:
    """Write a set as a table."""
    write_table(queries.entries, path)


def _record(row: Any, place: Place) -> Located:
    try:
        (found,) = row.to_pylist()
    except UnicodeDecodeError as error:
        raise place.error("holds text that is not UTF-8; write the table again") from error
    return located(_without_nulls(found), place)


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        kept = {name: item for name, item in value.items() if item is not None}
        return {name: _without_nulls(item) for name, item in kept.items()}
    return [_without_nulls(item) for item in value] if isinstance(value, list) else value


def _refuse_bombs(about: Any, path: Path) -> None:
    groups = (about.row_group(number) for number in range(about.num_row_groups))
    if sum(group.total_byte_size for group in groups) > _MOST_UNPACKED:
        limit = _MOST_UNPACKED // 1_000_000_000
        message = f"{path}: unpacks to more than {limit} GB; split it into several files"
        raise FixtureError(message)


def _target(found: Located) -> Target:
    known = tuple(part.name for part in fields(Target))
    target = Fields.of(found, "a target", known)
    level = target.text("level")
    if level not in _READERS:
        message = f"level {level[:40]!r} is none of {', '.join(_READERS)}; correct it"
        raise found.error(message)
    unset = _unset(target)
    names = [name for name in _PLACE[level] if target.has(name) and name not in unset]
    written = {name: target.values[name] for name in names}
    for name, ours in (("grade", "grade"), ("repository", "repo")):
        if target.has(name):
            written[ours] = target.values[name]
    read = _READERS[level](Located(written, found.place))
    return replace(read, alternative=target.whole("alternative", 0))


def _judged(found: Located) -> JudgedPlace:
    place = Fields.of(found, "a judged place", tuple(part.name for part in fields(JudgedPlace)))
    if not place.has("target"):
        raise found.error("a judged place lacks the field 'target'; add it")
    return JudgedPlace(
        target=_target(place.values["target"]),
        relevant=bool(place.flag("relevant")),
        by=place.text_or_blank("by"),
        date=place.text_or_blank("date"),
        text=place.text_or_blank("text"),
    )


def _unset(target: Fields) -> tuple[str, ...]:
    """Return the offsets that are 0 only because all rows have the same columns."""
    characters, lines = (
        any(target.whole(name, 0) for name in pair) for pair in (_CHARACTERS, _LINES)
    )
    if not characters:
        return _CHARACTERS
    return () if lines else _LINES


def _refuse_uneven(found: Entry) -> None:
    """Refuse alternatives with different grades or repositories."""
    together: dict[int, Target] = {}
    for target in found.query.targets:
        first = together.setdefault(target.alternative, target) if target.alternative else target
        if (first.grade, first.repository) != (target.grade, target.repository):
            raise found.place.error(
                f"alternatives {target.alternative} of query {found.query.id!r} differ in grade "
                "or repository; they are one target: give them the same"
            )


def _row(one: Entry) -> dict[str, object]:
    return {**_plain(one.query), **{name: _plain(getattr(one, name)) for name in _OF_ENTRY}}


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return {part.name: _plain(getattr(value, part.name)) for part in fields(value)}
    return [_plain(one) for one in value] if isinstance(value, tuple) else value


def _columns(record: Any) -> list[tuple[str, Any]]:
    hints = typing.get_type_hints(record)
    return [(part.name, _type(hints[part.name])) for part in fields(record)]


def _type(hint: Any) -> Any:
    import pyarrow as pa

    if typing.get_origin(hint) is tuple:
        return pa.list_(_type(typing.get_args(hint)[0]))
    if is_dataclass(hint):
        return pa.struct(_columns(hint))
    return {int: pa.int64(), bool: pa.bool_()}.get(hint, pa.string())
