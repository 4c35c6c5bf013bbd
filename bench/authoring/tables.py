"""Queries as a Parquet table, for pandas, DuckDB and their like."""

import typing
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from bench.judgements import Entry, Query


def write_table(entries: Iterable[Entry], path: Path) -> None:
    """Write a row per query, its targets as a list of records."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    standing = [("repository", pa.string()), ("commit", pa.string()), ("draft", pa.bool_())]
    schema = pa.schema([*_columns(Query), *standing])
    pq.write_table(pa.Table.from_pylist([_row(one) for one in entries], schema), path)


def _row(one: Entry) -> dict[str, object]:
    standing = {"repository": one.repository, "commit": one.commit, "draft": one.draft}
    return {**_plain(one.query), **standing}


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
