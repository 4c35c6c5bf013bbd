"""Query sets in YAML, our own format: `queries` with their expectations."""

from collections.abc import Iterable
from dataclasses import replace

from bench.queries.building import Entry, Faults, entry, gather
from bench.queries.fields import Fields, commit_of
from bench.queries.judged import read_judged, written_judged
from bench.queries.located import Located
from bench.queries.query import Query, Target
from bench.queries.targets import file_target, span_target, symbol_target, targets_of
from bench.queries.written import filled, of_level, query_of, standing, written_target
from bench.queries.yaml_text import dump_yaml

_TOP = ("queries", "repo", "commit", "description")
_FIELDS = (
    "id",
    "query",
    "category",
    "difficulty",
    "tags",
    "notes",
    "negative",
    "draft",
    "generated",
    "hidden",
    "repo",
    "commit",
    "expected_files",
    "expected_symbols",
    "expected_spans",
    "expected_answer",
    "must_contain",
    "forbidden",
    "judged",
)


def is_query_set(document: Located) -> bool:
    """Return whether a document is a query set."""
    return isinstance(document.value, dict) and "queries" in document.value


def read_query_set(document: Located, faults: Faults | None = None) -> tuple[Entry, ...]:
    """Return the queries of a query set, with targets in the order files, symbols, spans."""
    top = Fields.of(document, "a query set", _TOP)
    top.text_or_blank("description")
    repository, commit = top.text_or_blank("repo"), commit_of(top)

    def read(record: Located) -> Entry:
        found = _entry(record)
        return replace(
            found, repository=found.repository or repository, commit=found.commit or commit
        )

    return gather(read, top.items("queries"), faults)


def _entry(record: Located) -> Entry:
    fields = Fields.of(record, "a query", _FIELDS)
    found = entry(
        fields,
        "queries",
        identifier=fields.identifier("id"),
        text=fields.text("query"),
        targets=targets_of(
            (fields.items("expected_files"), file_target),
            (fields.items("expected_symbols"), symbol_target),
            (fields.items("expected_spans"), span_target),
        ),
    )
    return replace(
        found,
        commit=commit_of(fields),
        generated=bool(fields.flag("generated")),
        hidden=tuple(_hidden(one) for one in fields.items("hidden")),
        judged=tuple(read_judged(one) for one in fields.items("judged")),
    )


def _hidden(found: Located) -> Target:
    """Return lines or a whole file hidden from all trials."""
    has_lines = isinstance(found.value, dict) and len(found.value) > 1
    return span_target(found) if has_lines else file_target(found)


def write_queries(queries: Iterable[Query | Entry]) -> str:
    """Return the queries as a query set in YAML."""
    return dump_yaml({"queries": [_written(query) for query in queries]})


def _written(one: Query | Entry) -> dict[str, object]:
    query = query_of(one)
    every: dict[str, object] = {
        "id": query.id,
        "query": query.text,
        **standing(one),
        "category": query.category,
        "difficulty": query.difficulty,
        "tags": list(query.tags),
        "notes": query.notes,
        "negative": query.negative,
        "expected_files": of_level(query, "file"),
        "expected_symbols": of_level(query, "symbol"),
        "expected_spans": of_level(query, "span"),
        "expected_answer": query.expected_answer,
        "must_contain": list(query.must_contain),
        "forbidden": list(query.forbidden),
        **_of_entry(one),
    }
    return filled(every)


def _of_entry(one: Query | Entry) -> dict[str, object]:
    """Return the fields on the origin and the judgements of a query."""
    if isinstance(one, Query):
        return {}
    hidden = [written_target(target) for target in one.hidden]
    judged = [written_judged(place) for place in one.judged]
    return {"generated": one.generated, "hidden": hidden, "judged": judged}
