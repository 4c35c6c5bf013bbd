"""Golden sets in JSON Lines: questions with the spans or documents that answer them.

The expected content of answers (`expected_answer`, `must_contain`, `forbidden`) is kept with the
query. Retrieval is judged by the position of the answer.
"""

import json
from collections.abc import Iterable

from bench.queries.building import Entry, entry
from bench.queries.chunk_map import ChunkMap
from bench.queries.fields import Fields
from bench.queries.located import Located
from bench.queries.query import Query, Target
from bench.queries.targets import file_target, span_target, targets_of
from bench.queries.written import (
    filled,
    of_level,
    query_of,
    refuse_level,
    standing_without_commit,
)

_FIELDS = (
    "id",
    "question",
    "expected_chunks",
    "expected_doc_ids",
    "expected_answer",
    "must_contain",
    "forbidden",
    "difficulty",
    "category",
    "tags",
    "notes",
    "negative",
    "draft",
    "repo",
)
_EXPECTED = ("expected_chunks", "expected_doc_ids")


def is_golden(record: Located) -> bool:
    """Return whether a record is a golden question instead of a query with spans."""
    names = record.value if isinstance(record.value, dict) else {}
    if "expected_spans" in names:
        return False
    # In a record with the expectations of a golden set, `query` is a misnamed `question`.
    return any(name in names for name in _EXPECTED) or {"question", "query"} & {*names} == {
        "question"
    }


def read_golden(record: Located, chunks: ChunkMap | None = None) -> Entry:
    """Return the query of a line. An empty list of expectations makes it negative."""
    fields = Fields.of(record, "a golden question", _FIELDS)
    return entry(
        fields,
        "golden",
        identifier=fields.identifier("id"),
        text=fields.text("question"),
        targets=targets_of(
            (fields.items("expected_doc_ids"), file_target),
            (fields.items("expected_chunks"), lambda item: _chunk(item, chunks)),
        ),
        explicitly_none=any(fields.has(name) for name in _EXPECTED),
    )


def write_golden(queries: Iterable[Query | Entry]) -> str:
    """Return the queries as a golden set; symbols are refused."""
    return "".join(json.dumps(_written(query)) + "\n" for query in queries)


def _written(one: Query | Entry) -> dict[str, object]:
    query = query_of(one)
    refuse_level(query, "symbol", "a golden set")
    fields = filled(
        {
            "expected_doc_ids": of_level(query, "file"),
            "expected_chunks": of_level(query, "span"),
            "expected_answer": query.expected_answer,
            "must_contain": list(query.must_contain),
            "forbidden": list(query.forbidden),
            "difficulty": query.difficulty,
            "category": query.category,
            "tags": list(query.tags),
            "notes": query.notes,
            **standing_without_commit(one, "a golden set"),
        }
    )
    nothing: dict[str, object] = {"expected_chunks": []} if query.negative else {}
    return {"id": query.id, "question": query.text, **nothing, **fields}


def _chunk(found: Located, chunks: ChunkMap | None) -> Target:
    if not isinstance(found.value, int | str):
        return span_target(found)
    if chunks is None:
        raise found.error(
            f"chunk {found.shown} is a number of somebody's index and says nothing about the "
            'source; give {"path": …, "start": …, "end": …} instead, or a chunk map beside '
            "this file"
        )
    return chunks.target(found)
