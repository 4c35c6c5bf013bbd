"""Documents in JSON Lines: an id and a text each, and no path."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.errors import FixtureError
from bench.judgements.fields import Fields, text_of
from bench.judgements.json_lines import json_records
from bench.judgements.located import Located, Place
from retrievers.interface import Documents


def read_documents(path: Path, *, ids: Sequence[str], texts: Sequence[str]) -> Documents:
    """Return the documents in a file; the fields `ids` and `texts` may be named so.

    A document's path is its id; its text is the title, a space, then the text.
    """
    documents = Documents.of(list(_pairs(path, ids, texts)))
    if not len(documents):
        raise FixtureError(f"{path}: holds no documents; add some or choose another folder")
    return documents


def _pairs(path: Path, ids: Sequence[str], texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    seen: dict[str, Place] = {}
    for record in json_records(path):
        fields = Fields.of(record, "a document", None)
        identifier = fields.identifier(_present(fields, ids))
        first = seen.setdefault(identifier, record.place)
        if first is not record.place:
            raise record.error(
                f"document id {identifier[:80]!r} is taken by {first}; give each its own"
            )
        title, text = fields.text_or_blank("title"), _text(record, fields, texts)
        yield identifier, f"{title} {text}" if title else text


def _text(record: Located, fields: Fields, names: Sequence[str]) -> str:
    name = _present(fields, names)
    if not fields.has(name):
        raise record.error(f"a document lacks the field {name!r}; add it")
    return text_of(fields.values[name], f"field {name!r}")


def _present(fields: Fields, names: Sequence[str]) -> str:
    return next((name for name in names if fields.has(name)), names[0])
