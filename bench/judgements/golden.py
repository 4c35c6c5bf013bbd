"""Golden sets in JSON Lines: questions with the spans or documents that answer them.

What an answer must say (`expected_answer`, `must_contain`, `forbidden`) is accepted and not
kept: retrieval is judged by where the answer stands.
"""

from bench.judgements.building import Entry, entry
from bench.judgements.fields import Fields
from bench.judgements.located import Located
from bench.judgements.query import Target
from bench.judgements.targets import file_target, span_target

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
    "repo",
)
_EXPECTED = ("expected_chunks", "expected_doc_ids")


def read_golden(record: Located) -> Entry:
    """Return the query of one line; an empty list of expectations says that nothing is right."""
    fields = Fields.of(record, "a golden question", _FIELDS)
    return entry(
        fields,
        identifier=fields.identifier("id"),
        text=fields.text("question"),
        targets=(
            *map(file_target, fields.items("expected_doc_ids")),
            *map(_chunk, fields.items("expected_chunks")),
        ),
        explicitly_none=any(fields.has(name) for name in _EXPECTED),
    )


def _chunk(found: Located) -> Target:
    if isinstance(found.value, int | str):
        raise found.error(
            f"chunk {found.shown} is a number of somebody's index and says nothing about the "
            'source; give {"path": …, "start": …, "end": …} instead'
        )
    return span_target(found)
