"""Renaming of fields in foreign records, for `fixtures import --map`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bench.errors import UsageError
from bench.queries.located import Located

_LEFT_OUT = "-"


@dataclass(frozen=True)
class FieldNames:
    """Our names of fields by foreign names; nested fields are `expected_spans.file`.

    The part before the dot is our name, so that a list and its fields can both be renamed.
    """

    ours: Mapping[str, str] = field(default_factory=dict)
    _used: set[str] = field(default_factory=set)

    @classmethod
    def parse(cls, texts: Sequence[str]) -> "FieldNames":
        """Parse texts THEIRS=OURS; `-` excludes a field."""
        found: dict[str, str] = {}
        for text in texts:
            theirs, equals, ours = text.rpartition("=")
            if not equals or not theirs or not ours:
                message = f"--map {text}: must be FIELD=OURS, or FIELD=- to leave the field out"
                raise UsageError(message)
            if found.setdefault(theirs, ours) != ours:
                message = f"--map {text}: {theirs} is mapped to {found[theirs]} already; keep one"
                raise UsageError(message)
        return cls(found)

    def apply(self, record: Located, within: str = "") -> Located:
        """Return a record with our field names."""
        if not self.ours:
            return record
        if isinstance(record.value, list):
            return Located([self.apply(one, within) for one in record.value], record.place)
        if not isinstance(record.value, dict):
            return record
        found: dict[str, Located] = {}
        for theirs, value in record.value.items():
            name = self._name(within + theirs, theirs)
            if name in found:
                message = f"has two fields that mean {name!r}; map one of them to -"
                raise value.error(message)
            if name != _LEFT_OUT:
                found[name] = self.apply(value, f"{within}{name}.")
        return Located(found, record.place)

    def refuse_unused(self) -> None:
        """Refuse names that did not occur in any record."""
        for theirs, ours in self.ours.items():
            if theirs not in self._used:
                message = f"--map {theirs}={ours}: no record has this field; remove it"
                raise UsageError(message)

    def _name(self, path: str, theirs: str) -> str:
        if path not in self.ours:
            return theirs
        self._used.add(path)
        return self.ours[path]
