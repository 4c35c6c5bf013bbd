"""Fields of foreign records under our names, as `fixtures import --map` gives them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bench.errors import UsageError
from bench.queries.located import Located

_LEFT_OUT = "-"


@dataclass(frozen=True)
class FieldNames:
    """Our names by theirs; `expected_spans.file` is a field of what `expected_spans` lists.

    The part before the dot is our name, so that what lists things may be renamed as well.
    """

    ours: Mapping[str, str] = field(default_factory=dict)
    _used: set[str] = field(default_factory=set)

    @classmethod
    def parse(cls, texts: Sequence[str]) -> "FieldNames":
        """Return the names in texts `THEIRS=OURS`; `-` leaves a field out."""
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
        """Return a record under our names."""
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
        """Refuse names that no record had."""
        for theirs, ours in self.ours.items():
            if theirs not in self._used:
                message = f"--map {theirs}={ours}: no record has this field; remove it"
                raise UsageError(message)

    def _name(self, path: str, theirs: str) -> str:
        if path not in self.ours:
            return theirs
        self._used.add(path)
        return self.ours[path]
