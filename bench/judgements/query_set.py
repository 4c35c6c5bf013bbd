"""Query sets in YAML: `queries`, each with what it expects; our own format, read and written."""

from collections.abc import Iterable

import yaml

from bench.judgements.building import Entry, entry
from bench.judgements.fields import Fields
from bench.judgements.located import Located
from bench.judgements.query import Query, Target
from bench.judgements.targets import file_target, span_target, symbol_target

_TOP = ("queries", "repo", "description")
_FIELDS = (
    "id",
    "query",
    "category",
    "difficulty",
    "tags",
    "notes",
    "negative",
    "repo",
    "expected_files",
    "expected_symbols",
    "expected_spans",
)


def read_query_set(document: Located) -> tuple[Entry, ...]:
    """Return the queries of a query set; targets come as files, then symbols, then spans."""
    top = Fields.of(document, "a query set", _TOP)
    top.text_or_blank("description")
    repository = top.text_or_blank("repo")
    return tuple(_entry(record, repository) for record in top.items("queries"))


def _entry(record: Located, repository: str) -> Entry:
    fields = Fields.of(record, "a query", _FIELDS)
    found = entry(
        fields,
        identifier=fields.identifier("id"),
        text=fields.text("query"),
        targets=(
            *map(file_target, fields.items("expected_files")),
            *map(symbol_target, fields.items("expected_symbols")),
            *map(span_target, fields.items("expected_spans")),
        ),
    )
    return Entry(found.query, found.repository or repository, found.place)


def write_queries(queries: Iterable[Query]) -> str:
    """Return the queries as a query set in YAML."""
    document = {"queries": [_written(query) for query in queries]}
    text: str = yaml.dump(document, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=99)
    return text


class _Dumper(yaml.SafeDumper):
    """Writes every text so that the same text is read again."""


def _quoted(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    # In other styles some line breaks (U+0085) are written as they are and read as spaces.
    style = None if text.isprintable() else '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _quoted)


def _written(query: Query) -> dict[str, object]:
    every: dict[str, object] = {
        "id": query.id,
        "query": query.text,
        "category": query.category,
        "difficulty": query.difficulty,
        "tags": list(query.tags),
        "notes": query.notes,
        "negative": query.negative,
        "expected_files": _of_level(query, "file"),
        "expected_symbols": _of_level(query, "symbol"),
        "expected_spans": _of_level(query, "span"),
    }
    return {name: value for name, value in every.items() if value}


def _of_level(query: Query, level: str) -> list[object]:
    return [_target(target) for target in query.targets if target.level == level]


def _target(target: Target) -> object:
    grade = {"grade": target.grade} if target.grade != 1 else {}
    if target.level == "span":
        return {"path": target.path, "start": target.start, "end": target.end, **grade}
    field, name = ("path", target.path) if target.level == "file" else ("symbol", target.symbol)
    return {field: name, **grade} if grade else name
