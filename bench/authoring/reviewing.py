"""A file of queries under review: every decision is written at once, and other text is kept."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import yaml

from bench.authoring.query_text import QuerySetText
from bench.commands import command
from bench.errors import FixtureError, UsageError
from bench.files import read_text, write_whole
from bench.queries import Entry, write_queries
from bench.queries.formats.queries import read_query_set
from bench.queries.located import Place
from bench.queries.yaml_text import load_yaml

_HEAD = """\
# Edit the query, save and close the editor. Without 'draft: true' it counts as accepted.
queries:
"""


class ReviewedFile:
    """A query set whose drafts are accepted, edited or removed.

    The file is read again before each change, to keep edits made to it in the meantime.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def holding(cls, entry: Entry) -> "ReviewedFile":
        """Return the file of a query; other formats than query sets are refused."""
        if entry.form != "queries":
            made = command("fixtures import")
            raise UsageError(f"{entry.place.file}: is not a query set; {made} makes one of it")
        return cls(Path(entry.place.file))

    def accept(self, identifier: str) -> None:
        """Remove the `draft` mark of a query."""
        text, entries, number = self.found(identifier)
        wanted = [*entries]
        wanted[number] = replace(entries[number], draft=False)
        self.write(self._set(text).without_field(number, "draft"), wanted, entries[number])

    def reject(self, identifier: str) -> None:
        """Remove a query."""
        text, entries, number = self.found(identifier)
        wanted = entries[:number] + entries[number + 1 :]
        self.write(self._set(text).without(number), wanted, entries[number])

    def to_edit(self, identifier: str) -> str:
        """Return the text of a query as a query set of its own, for an editor."""
        text, _, number = self.found(identifier)
        found = self._set(text)
        own = found.query(number)
        return _HEAD + (f"- {own}\n" if found.is_flow else own)

    def edit(self, identifier: str, edited: str) -> Entry:
        """Replace a query by the edited text of `to_edit`, and return it."""
        text, entries, number = self.found(identifier)
        changed = self._read(edited, "the edited query")
        if len(changed) != 1:
            message = f"{len(changed)} queries are in the edited text; leave exactly one"
            raise FixtureError(message)
        others = entries[:number] + entries[number + 1 :]
        if changed[0].query.id in {one.query.id for one in others}:
            message = f"the id {changed[0].query.id!r} is taken by another query; choose another"
            raise FixtureError(message)
        found = self._set(text)
        whole = found.with_query(number, _fitted(found, number, edited, changed[0]))
        again = self._read(whole)
        # The set may name one repository and commit for all its queries.
        wanted = [*entries[:number], again[number], *entries[number + 1 :]]
        if again[number].query != changed[0].query:
            raise _unchangeable(entries[number])
        self.write(whole, wanted, entries[number])
        return again[number]

    def found(self, identifier: str) -> tuple[str, list[Entry], int]:
        """Return the text of the file, its queries, and the index of one."""
        text = self._text()
        entries = self._read(text)
        for number, one in enumerate(entries):
            if one.query.id == identifier:
                return text, entries, number
        message = f"{self.path}: query {identifier!r} is no longer in the file; review it again"
        raise FixtureError(message)

    def _text(self) -> str:
        return read_text(self.path, FixtureError)

    def _set(self, text: str) -> QuerySetText:
        return QuerySetText(text, str(self.path))

    def _read(self, text: str, file: str = "") -> list[Entry]:
        return list(read_query_set(load_yaml(text, file or str(self.path))))

    def write(self, text: str, wanted: Sequence[Entry], changed: Entry) -> None:
        """Write a changed text after checking that it contains exactly the wanted queries."""
        try:
            says_so = list(map(_plain, self._read(text))) == list(map(_plain, wanted))
        except FixtureError:
            says_so = False
        if not says_so:
            raise _unchangeable(changed)
        write_whole(self.path, text)


def _fitted(found: QuerySetText, number: int, edited: str, entry: Entry) -> str:
    """Return an edited query in the form of the file: as typed, if that fits."""
    if found.is_flow:
        (plain,) = yaml.safe_load(write_queries([entry]))["queries"]
        return json.dumps(plain, ensure_ascii=False)
    own = QuerySetText(edited, "")
    if not own.is_flow and own.indent(0) == found.indent(number):
        # Keep the comments below the query.
        return f"{edited[edited.index(own.query(0)) :].rstrip()}\n"
    lines = write_queries([entry]).split("\n")[1:]
    blanks = " " * found.indent(number)
    return "\n".join(f"{blanks}{line}" if line else line for line in lines)


def _plain(entry: Entry) -> Entry:
    return replace(entry, place=Place("", 1))


def _unchangeable(entry: Entry) -> FixtureError:
    return FixtureError(
        f"{entry.place}: query {entry.query.id!r} is written in a form that cannot be changed "
        "without changing others (an alias, perhaps); edit the file itself"
    )
