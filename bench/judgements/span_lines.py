"""Spans in JSON Lines: questions with the lines that answer them."""

from bench.judgements.building import Entry, entry
from bench.judgements.fields import Fields
from bench.judgements.located import Located
from bench.judgements.targets import span_target

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
    "repo",
)


def read_span_line(record: Located) -> Entry:
    """Return the query of one line."""
    fields = Fields.of(record, "a query", _FIELDS)
    if fields.has("query") and fields.has("question"):
        raise record.error("a query has both 'query' and 'question'; keep one")
    return entry(
        fields,
        identifier=fields.identifier("id"),
        text=fields.text("question" if fields.has("question") else "query"),
        targets=map(span_target, fields.items("expected_spans")),
    )
