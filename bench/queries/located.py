"""Values from a file with their places, for precise error messages."""

import reprlib
from dataclasses import dataclass

from bench.errors import FixtureError

Plain = None | bool | int | float | str

_BRIEF = reprlib.Repr()
_BRIEF.maxstring = 80
_BRIEF.maxother = 80


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a file."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"

    def error(self, message: str) -> FixtureError:
        """Return an error about this place."""
        return FixtureError(f"{self}: {message}")


@dataclass(frozen=True, slots=True)
class Located:
    """A plain value, a list of located values, or a mapping of names to them."""

    value: "Plain | list[Located] | dict[str, Located]"
    place: Place
    within: str = ""
    """Names of the enclosing fields, joined by dots; "" for a whole record."""

    @property
    def shown(self) -> str:
        """The value in a few words, for messages."""
        if isinstance(self.value, dict):
            return f"a mapping of {len(self.value)} fields"
        if isinstance(self.value, list):
            return f"a list of {len(self.value)}"
        return _BRIEF.repr(self.value)

    def error(self, message: str) -> FixtureError:
        """Return an error about this value."""
        return self.place.error(message)
