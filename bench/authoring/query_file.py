"""A query set that grows query by query; existing text in the file is not reformatted."""

import re
from dataclasses import replace
from pathlib import Path

from bench.commands import command
from bench.errors import FixtureError, UsageError
from bench.files import read_text, write_whole
from bench.queries import Entry, read_entries, write_queries
from bench.queries.formats.queries import read_query_set
from bench.queries.located import Place
from bench.queries.yaml_text import load_yaml

_WORD = re.compile(r"[a-z0-9]+")
_SMALL = frozenset(
    _WORD.findall("a an and are be by do does for from how i in is it of on or the to what")
)
_MOST_WORDS = 5
_ITEM = re.compile(r"^( *)- ", re.MULTILINE)


class GrowingSet:
    """The query set in a file, which may not exist yet."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._before = read_text(path, FixtureError) if path.exists() else ""
        self.entries = read_entries(path) if path.exists() else ()
        if any(one.form != "queries" for one in self.entries):
            message = f"{path}: is not a query set; {command('fixtures import')} makes one of it"
            raise UsageError(message)

    def free_id(self, text: str, wanted: str = "") -> str:
        """Return a new id for a question: the wanted one, or one made of its words."""
        taken = {one.query.id for one in self.entries}
        if wanted:
            if wanted in taken:
                message = f"{self.path}: already has a query {wanted!r}; give another --id"
                raise UsageError(message)
            return wanted
        words = [word for word in _WORD.findall(text.casefold()) if word not in _SMALL]
        name = "-".join(words[:_MOST_WORDS]) or "query"
        numbered = (f"{name}-{number}" for number in range(2, len(taken) + 3))
        return next(one for one in (name, *numbered) if one not in taken)

    def save(self, entry: Entry) -> None:
        """Write the file atomically with a new query, or with the new version of that query."""
        others = tuple(one for one in self.entries if one.query.id != entry.query.id)
        entries = (*others, entry)
        text = self._appended(entry)
        if text is None or _said(text, self.path) != [_plain(one) for one in entries]:
            text = write_queries(entries)
        write_whole(self.path, text)
        self.entries = entries

    def keep(self) -> None:
        """Use the current content of the file as the base for the next query."""
        self._before = read_text(self.path, FixtureError)

    def _appended(self, entry: Entry) -> str | None:
        """Return the text of the file with an appended query, in the indentation of the others."""
        if not self._before:
            return write_queries([entry])
        item = _ITEM.search(self._before)
        if item is None:
            return None
        lines = write_queries([entry]).split("\n")[1:]
        added = "\n".join(f"{item[1]}{line}" if line else line for line in lines)
        return f"{self._before.rstrip()}\n{added}"


def _said(text: str, path: Path) -> list[Entry] | None:
    """Return the queries in a text without their places, or None if it is invalid."""
    try:
        found = read_query_set(load_yaml(text, str(path)))
    except FixtureError:
        return None
    return [_plain(one) for one in found]


def _plain(entry: Entry) -> Entry:
    return replace(entry, place=Place("", 1), form="queries")
