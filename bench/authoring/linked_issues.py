"""Texts of issues that commit messages refer to by number."""

from collections.abc import Mapping
from pathlib import Path

from bench.queries.fields import Fields
from bench.queries.json_lines import json_records


def read_linked(path: Path) -> Mapping[str, str]:
    """Read the texts in a file of JSON Lines, by the issue's number."""
    found: dict[str, str] = {}
    for record in json_records(path):
        fields = Fields.of(record, "an issue", None)
        identifier = fields.identifier("id").removeprefix("#")
        if identifier in found:
            raise record.error(f"issue {identifier!r} appears twice; keep one")
        found[identifier] = fields.text("text").strip()
    return found
