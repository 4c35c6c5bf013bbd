"""Writes answers into the file of queries: judged places, and relevant ones as targets."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import yaml

from bench.authoring.query_text import QuerySetText
from bench.authoring.reviewing import ReviewedFile
from bench.errors import FixtureError
from bench.files import read_text, write_whole
from bench.queries import Entry, JudgedPlace, Target
from bench.queries.judged import written_judged
from bench.queries.written import written_target

_FIELDS = {"file": "expected_files", "symbol": "expected_symbols", "span": "expected_spans"}


class JudgedFile:
    """A query set that receives answers one by one; its other text is not changed."""

    def __init__(self, entry: Entry) -> None:
        self._file = ReviewedFile.holding(entry)
        self.path: Path = self._file.path
        self._undo: list[tuple[str, str]] = []

    def record(self, entry: Entry, place: JudgedPlace, targets: Sequence[Target]) -> Entry:
        """Write an answer and new targets of the query; return the updated query."""
        before, entries, number = self._file.found(entry.query.id)
        old = entries[number]
        new = [one for one in targets if one not in old.query.targets]
        query = replace(old.query, targets=_in_order((*old.query.targets, *new)))
        changed = replace(old, query=query, judged=(*old.judged, place))
        text = before
        for target in new:
            text = _with_item(text, number, _FIELDS[target.level], written_target(target))
        text = _with_item(text, number, "judged", written_judged(place))
        wanted = [*entries[:number], changed, *entries[number + 1 :]]
        self._file.write(text, wanted, old)
        self._undo.append((before, text))
        return changed

    def take_back(self) -> None:
        """Undo the last answer, if the file has not changed since."""
        before, after = self._undo[-1]
        if read_text(self.path, FixtureError) != after:
            message = f"{self.path}: has changed since the answer; remove the answer from the file"
            raise FixtureError(message)
        write_whole(self.path, before)
        self._undo.pop()


def _with_item(text: str, number: int, field: str, item: object) -> str:
    return QuerySetText(text, "").with_item(number, field, _one_line(item))


def _one_line(item: object) -> str:
    """Return a value as YAML on one line, valid in brackets and below a dash."""
    written: str = yaml.safe_dump(
        [item], default_flow_style=True, sort_keys=False, allow_unicode=True, width=1_000_000
    )
    return written.strip()[1:-1]


def _in_order(targets: Sequence[Target]) -> tuple[Target, ...]:
    """Return targets in the order of the file: files, then symbols, then spans."""
    return tuple(one for level in _FIELDS for one in targets if one.level == level)
