"""JSON codec for frozen dataclasses, driven by the types of their fields.

Users keep, mail and edit these files. Reading checks every value against the type of its field
before any work starts. An error names the path of the wrong value in one line. Unknown keys are
ignored.
"""

import math
import types
import typing
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import StrEnum
from functools import cache, cached_property
from typing import Annotated, Any, Literal, TypeVar

from bench.errors import RankgridError

T = TypeVar("T")
Reader = Callable[[object], Any]
_KEY = "stored"
_DECIMALS = 4
_MOST = 1e300
_LONGEST = 60


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


class MisfitError(ValueError):
    """A value that does not fit its field.

    Each enclosing object adds its part of the path.
    """

    def __init__(self, said: str, *place: str | int) -> None:
        super().__init__(said)
        self.said, self.place = said, place

    def under(self, *parts: str | int) -> "MisfitError":
        """Return the same error with `parts` in front of its path."""
        return MisfitError(self.said, *parts, *self.place)

    def __str__(self) -> str:
        place = ""
        for part in self.place:
            if isinstance(part, int):
                place += f"[{part}]"
            else:
                shown = part if part.isprintable() else ascii(part)
                place += f".{shown[:_LONGEST]}" if place else shown[:_LONGEST]
        return f"{place or 'it'} {self.said}"


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
    for part in _parts_of(kind):
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


def decode(kind: type[T], found: object) -> T:
    """Return a `kind` from plain JSON; raise MisfitError for the first value that does not fit."""
    hint: Any = kind
    value: T = _reader(hint)(found)
    return value


@dataclass(frozen=True)
class _Part:
    """A field of a dataclass and its position in the file."""

    field: str
    key: Key
    needed: bool

    @cached_property
    def name(self) -> str:
        return self.key.name or self.field

    @cached_property
    def is_plain(self) -> bool:
        """True for a field that is a direct item of its object."""
        return not (self.key.under or self.key.rest or self.key.blank)


@cache
def _parts_of(kind: Any) -> tuple[_Part, ...]:
    """Return the stored fields, followed by the computed properties."""
    parts = []
    for field in fields(kind):
        stored = field.metadata.get(_KEY, Key())
        needed = field.default is MISSING and field.default_factory is MISSING
        if stored is not None:
            parts.append(_Part(field.name, stored, needed))
    computed: Mapping[str, str] = getattr(kind, "COMPUTED", {})
    parts += [_Part(name, Key(under=at, computed=True), False) for name, at in computed.items()]
    return tuple(parts)


@cache
def _reader(hint: Any) -> Reader:
    """Return the reader of a type, cached because a file holds very many values."""
    origin, choices = typing.get_origin(hint), typing.get_args(hint)
    if hint in _PLAIN:
        read = _PLAIN[hint]
    elif origin is Annotated:
        read = _whole_from(choices[1].least) if hint == Rank else _anything
    elif origin in (types.UnionType, typing.Union):
        read = _or_null(_reader(next(one for one in choices if one is not type(None))))
    elif origin is Literal:
        read = _one_of(choices)
    elif origin is tuple:
        read = _list_of(_reader(choices[0])) if choices[1] is Ellipsis else _fixed(choices)
    elif origin is Mapping:
        read = _named(_reader(choices[1]))
    elif issubclass(hint, StrEnum):
        read = _one_of(tuple(hint))
    else:
        read = _object(hint)
    return read


def _text(value: object) -> str:
    # JSON can hold a lone UTF-16 surrogate, which cannot be encoded or printed.
    if not isinstance(value, str) or value.encode(errors="replace").decode() != value:
        raise MisfitError("must be text")
    return value


def _truth(value: object) -> bool:
    if not isinstance(value, bool):
        raise MisfitError("must be true or false")
    return value


def _number(value: object) -> float:
    if (type(value) is int or type(value) is float) and -_MOST < value < _MOST:
        return value
    raise MisfitError("must be a number")


def _anything(value: object) -> object:
    return value


def _anything_plain(value: object) -> object:
    if isinstance(value, dict):
        raise MisfitError("must be a plain value")
    return value


def _whole_from(least: int) -> Reader:
    def read(value: object) -> int:
        if type(value) is not int or not least <= value < _MOST:
            raise MisfitError(f"must be a whole number from {least} up")
        return value

    return read


_PLAIN: Mapping[Any, Reader] = {
    str: _text,
    bool: _truth,
    float: _number,
    int: _whole_from(0),
    object: _anything_plain,
}


def _or_null(inner: Reader) -> Reader:
    def read(value: object) -> Any:
        try:
            return None if value is None else inner(value)
        except MisfitError as error:
            raise error if error.place else MisfitError(f"{error.said} or null") from error

    return read


def _one_of(choices: Sequence[object]) -> Reader:
    known = {choice: choice for choice in choices}

    def read(value: object) -> Any:
        if not isinstance(value, str) or value not in known:
            raise MisfitError(f"must be {' or '.join(map(str, known))}")
        return known[value]

    return read


def _list_of(inner: Reader) -> Reader:
    def read(value: object) -> tuple[Any, ...]:
        found = []
        for number, item in enumerate(_as_list(value)):
            try:
                found.append(inner(item))
            except MisfitError as error:
                raise error.under(number) from error
        return tuple(found)

    return read


def _fixed(choices: Sequence[Any]) -> Reader:
    readers = [_reader(choice) for choice in choices]

    def read(value: object) -> tuple[Any, ...]:
        if len(_as_list(value)) != len(readers):
            raise MisfitError(f"must be a list of {len(readers)}")
        found = []
        for number, (inner, item) in enumerate(zip(readers, _as_list(value), strict=True)):
            try:
                found.append(inner(item))
            except MisfitError as error:
                raise error.under(number) from error
        return tuple(found)

    return read


def _as_list(value: object) -> Sequence[object]:
    if not isinstance(value, (list, tuple)):
        raise MisfitError("must be a list")
    return value


def _named(inner: Reader) -> Reader:
    def read(value: object) -> dict[str, Any]:
        return _items(_as_object(value), inner)

    return read


def _items(found: Mapping[str, object], inner: Reader) -> dict[str, Any]:
    read = {}
    for name, item in found.items():
        try:
            read[name] = inner(item)
        except MisfitError as error:
            raise error.under(name) from error
    return read


def _as_object(value: object) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise MisfitError("must be an object")
    return value


def _object(kind: Any) -> Reader:
    """Return a reader of a dataclass that reads fields in the order of their declaration."""
    hints = typing.get_type_hints(kind, include_extras=True)
    parts = [part for part in _parts_of(kind) if not part.key.computed]
    plain = [(one.name, one, _reader(hints[one.field])) for one in parts if one.is_plain]
    others = [(one, _reader(hints[one.field])) for one in parts if not one.is_plain]
    # Names of the fields in each nested object. A `rest` mapping in the same object skips them.
    taken: dict[str, set[str]] = {"": {part.key.under for part in _parts_of(kind)}}
    for part in _parts_of(kind):
        taken.setdefault(part.key.under, set()).add(part.name)

    def read(value: object) -> Any:
        found = _as_object(value)
        values, name = {}, ""
        # A file holds hundreds of thousands of hits, and most fields take this fast path.
        try:
            for name, part, inner in plain:
                if name in found:
                    values[part.field] = inner(found[name])
                elif part.needed:
                    raise MisfitError("is missing")  # noqa: TRY301 - placed like all others
        except MisfitError as error:
            raise error.under(name) from error
        for part, inner in others:
            values |= _under(found, part, inner, taken[part.key.under])
        return _made(kind, values)

    return read


def _under(
    found: Mapping[str, object], part: _Part, inner: Reader, taken: Collection[str]
) -> dict[str, object]:
    """Return a nested or merged field, or nothing if the file does not have it."""
    under = [part.key.under] if part.key.under else []
    try:
        holder = _as_object(found.get(part.key.under, {})) if under else found
        if part.key.rest:
            rest = {name: item for name, item in holder.items() if name not in taken}
            return {part.field: inner(rest)}
    except MisfitError as error:
        raise error.under(*under) from error
    if part.name not in holder:
        if part.needed:
            raise MisfitError("is missing", *under, part.name)
        return {}
    item = holder[part.name]
    try:
        return {part.field: None if part.key.blank and item == {} else inner(item)}
    except MisfitError as error:
        raise error.under(*under, part.name) from error


def _made(kind: Any, values: Mapping[str, object]) -> Any:
    """Return the dataclass; its own checks of several fields may still fail."""
    try:
        return kind(**values)
    except RankgridError as error:
        raise MisfitError(
            f"is not as a study writes it ({' '.join(error.message.split())})"
        ) from error
