"""JSON form of frozen dataclasses: names and positions of their fields, and writing.

`decoding` reads it.
"""

import math
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache, cached_property
from typing import Annotated, Any

_KEY = "stored"
_DECIMALS = 4


@dataclass(frozen=True)
class Key:
    """Name and position of a field in the file."""

    name: str = ""
    """Name in the file; empty for the name of the field."""
    under: str = ""
    """Nested object that holds the field; empty for the object itself."""
    rest: bool = False
    """True to store the items of this mapping beside the other fields, under their own names."""
    absent: bool = False
    """True to omit the field when it is None."""
    blank: bool = False
    """True to write None as an empty object."""
    exact: bool = False
    """True to keep all decimals: rounding a setting to 0 may make it invalid."""
    computed: bool = False
    """True for a property that is written for readers of the file and ignored when it is
    loaded."""


def key(name: str = "", **how: Any) -> Mapping[str, Key]:
    """Return metadata for a field that needs more than its own name in the file."""
    return {_KEY: Key(name, **how)}


NOT_STORED: Mapping[str, Key | None] = {_KEY: None}


@dataclass(frozen=True)
class AtLeast:
    """The smallest whole number that a field may hold."""

    least: int


Rank = Annotated[int, AtLeast(1)]
Json = Annotated[object, "any JSON"]
"""Part of the file that rankgrid stores and never reads."""


@dataclass(frozen=True)
class Part:
    """A field of a dataclass and its position in the file."""

    field: str
    key: Key
    needed: bool

    @cached_property
    def name(self) -> str:
        """Name in the file."""
        return self.key.name or self.field

    @cached_property
    def is_plain(self) -> bool:
        """True for a field that is a direct item of its object."""
        return not (self.key.under or self.key.rest or self.key.blank)


@cache
def parts_of(kind: Any) -> tuple[Part, ...]:
    """Return the stored fields, followed by the computed properties."""
    parts = []
    for field in fields(kind):
        stored = field.metadata.get(_KEY, Key())
        needed = field.default is MISSING and field.default_factory is MISSING
        if stored is not None:
            parts.append(Part(field.name, stored, needed))
    computed: Mapping[str, str] = getattr(kind, "COMPUTED", {})
    parts += [Part(name, Key(under=at, computed=True), False) for name, at in computed.items()]
    return tuple(parts)


_UNCHANGED = frozenset((str, int, bool, type(None)))


def encode(value: object, decimals: int | None = _DECIMALS) -> Any:
    """Return plain JSON of any value, with null for numbers that are not finite.

    Numbers have all their digits if `decimals` is None.
    """
    # Most values of a file are of these types, so the check comes first.
    if type(value) in _UNCHANGED or isinstance(value, (str, int)):
        return value
    if isinstance(value, float):
        number = value if decimals is None else round(value, decimals)
        return number if math.isfinite(value) else None
    if isinstance(value, (list, tuple)):
        return [item if type(item) in _UNCHANGED else encode(item, decimals) for item in value]
    if isinstance(value, Mapping):
        return {str(name): encode(item, decimals) for name, item in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return _object_of(value, decimals)
    return value


def _object_of(value: object, decimals: int | None) -> dict[str, object]:
    whole: dict[str, Any] = {}
    kind: Any = type(value)
    for part in parts_of(kind):
        item = getattr(value, part.field)
        kept = None if part.key.exact else decimals
        if part.is_plain and item is not None:
            whole[part.name] = item if type(item) in _UNCHANGED else encode(item, kept)
            continue
        into = whole.setdefault(part.key.under, {}) if part.key.under else whole
        if part.key.rest:
            into.update(encode(item, kept))
        elif item is not None or not part.key.absent:
            into[part.name] = {} if item is None and part.key.blank else encode(item, kept)
    return whole
