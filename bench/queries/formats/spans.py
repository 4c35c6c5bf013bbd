"""Spans in JSON Lines: questions with the lines that answer them."""

import json
from collections.abc import Iterable

from bench.queries.building import Entry, entry
from bench.queries.chunk_map import ChunkMap
from bench.queries.fields import Fields
from bench.queries.located import Located
from bench.queries.query import Query
from bench.queries.targets import span_target, targets_of
from bench.queries.written import (
    filled,
    of_level,
    query_of,
    refuse_level,
    standing_without_commit,
)

_FIELDS = (
    "id",
    "query",
    "question",
    "expected_spans",
    "difficulty",
    "category",
    "tags",
    "notes",
    "negative",
    "draft",
    "repo",
)


def read_span_line(record: Located, _chunks: ChunkMap | None = None) -> Entry:
    """Return the query of a line."""
    fields = Fields.of(record, "a query", _FIELDS)
    if fields.has("query") and fields.has("question"):
        raise record.error("a query has both 'query' and 'question'; keep one")
    return entry(
        fields,
        "spans",
        identifier=fields.identifier("id"),
        text=fields.text("question" if fields.has("question") else "query"),
        targets=targets_of((fields.items("expected_spans"), span_target)),
    )


def write_span_lines(queries: Iterable[Query | Entry]) -> str:
    """Return the queries as lines with spans; files and symbols are refused."""
    return "".join(json.dumps(_written(query)) + "\n" for query in queries)


def _written(one: Query | Entry) -> dict[str, object]:
    query = query_of(one)
    refuse_level(query, "symbol", "a set of spans")
    refuse_level(query, "file", "a set of spans")
    fields = {
        "expected_spans": of_level(query, "span"),
        "negative": query.negative,
        "difficulty": query.difficulty,
        "category": query.category,
        "tags": list(query.tags),
        "notes": query.notes,
        **standing_without_commit(one, "a set of spans"),
    }
    return {"id": query.id, "query": query.text, **filled(fields)}
