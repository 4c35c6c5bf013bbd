"""Access to the fields of a record, with checks of their types."""

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bench.near_names import close_names
from bench.queries.located import Located, Place

COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
"""A full commit hash."""

_ASKED = ("query", "question", "text", "prompt")
"""Names of the field with the question; each format has one of the first two."""


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of a record."""

    values: Mapping[str, Located]
    place: Place
    what: str
    within: str = ""

    @classmethod
    def of(cls, record: Located, what: str, known: Sequence[str] | None) -> "Fields":
        """Return the fields of `record`. If `known` is given, others are refused."""
        if not isinstance(record.value, dict):
            raise record.error(f"{what} must be a mapping of fields, not {record.shown}")
        for name, value in record.value.items():
            if known is not None and name not in known:
                raise value.error(
                    f"{what} has an unknown field {name[:80]!r}; "
                    f"{_remedy(name, known, record.within)}"
                )
        return cls(record.value, record.place, what, record.within)

    def has(self, name: str) -> bool:
        """Return whether a field is present and not null."""
        return name in self.values and self.values[name].value is not None

    def text(self, name: str) -> str:
        """Return a required text that is not blank."""
        if not self.has(name):
            raise self.place.error(f"{self.what} lacks the field {name!r}; add it")
        found = text_of(self.values[name], f"field {name!r}")
        if not found.strip():
            raise self.values[name].error(f"field {name!r} is blank; fill it in")
        return found

    def text_or_blank(self, name: str) -> str:
        """Return a text, or "" if absent."""
        return text_of(self.values[name], f"field {name!r}") if self.has(name) else ""

    def identifier(self, name: str) -> str:
        """Return an id: a text, or a whole number as text."""
        if self.has(name) and type(self.values[name].value) is int:
            return str(self.values[name].value)
        return self.text(name)

    def whole(self, name: str, default: int | None = None) -> int:
        """Return a whole number, or `default` if absent."""
        if not self.has(name):
            if default is None:
                raise self.place.error(f"{self.what} lacks the field {name!r}; add it")
            return default
        found = self.values[name]
        if type(found.value) is not int:
            raise found.error(f"field {name!r} must be a whole number, not {found.shown}")
        return found.value

    def flag(self, name: str) -> bool | None:
        """Return a boolean, or None if absent."""
        if not self.has(name):
            return None
        found = self.values[name]
        if not isinstance(found.value, bool):
            raise found.error(f"field {name!r} must be true or false, not {found.shown}")
        return found.value

    def items(self, name: str) -> Sequence[Located]:
        """Return the items of a list, or none if absent."""
        if not self.has(name):
            return ()
        found = self.values[name]
        if not isinstance(found.value, list):
            raise found.error(f"field {name!r} must be a list, not {found.shown}")
        within = f"{self.within}.{name}" if self.within else name
        return [replace(one, within=within) for one in found.value]

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of texts, or none if absent."""
        return tuple(text_of(item, f"an item of {name!r}") for item in self.items(name))


def commit_of(fields: Fields) -> str:
    """Return the commit of a record, or "" if absent."""
    found = fields.text_or_blank("commit").lower()
    if found and not COMMIT.fullmatch(found):
        raise fields.values["commit"].error(
            f"commit {found[:80]!r} is not a whole commit hash; `git rev-parse` prints it"
        )
    return found


def text_of(found: Located, what: str) -> str:
    """Return a value that must be text."""
    if not isinstance(found.value, str):
        raise found.error(f"{what} must be text, not {found.shown}; put it in quotes")
    try:
        found.value.encode("utf-8")
    except UnicodeEncodeError as error:
        message = f"{what} holds half of a surrogate pair, {found.shown}; remove it"
        raise found.error(message) from error
    return found.value


def _remedy(name: str, known: Sequence[str], within: str) -> str:
    asked = [one for one in _ASKED if one in known and name.lower() in _ASKED]
    near = asked or close_names(name[:80], known)
    remedy = f"known are {', '.join(known)}."
    if near:
        remedy = f"did you mean {' or '.join(map(repr, near))}?"
    flag = shlex.quote(f"{within}.{name[:80]}" if within else name[:80])
    ours = near[0] if near else "OURS"
    return f"{remedy} Import the file with --map {flag}={ours}, or {flag}=- to leave it out"
