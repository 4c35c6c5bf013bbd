"""Reading of the JSON form of frozen dataclasses, driven by the types of their fields.

Users keep, mail and edit these files. Reading checks every value against the type of its field
before any work starts. An error names the path of the wrong value in one line. Unknown keys are
ignored.
"""

import types
import typing
from collections.abc import Callable, Collection, Mapping, Sequence
from enum import StrEnum
from functools import cache
from typing import Annotated, Any, Literal, TypeVar

from bench.errors import RankgridError
from bench.results.codec import Part, Rank, parts_of

T = TypeVar("T")
Reader = Callable[[object], Any]
_MOST = 1e300
_LONGEST = 60


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


def decode(kind: type[T], found: object) -> T:
    """Return a `kind` from plain JSON; raise MisfitError for the first value that does not fit."""
    hint: Any = kind
    value: T = _reader(hint)(found)
    return value


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
    parts = [part for part in parts_of(kind) if not part.key.computed]
    plain = [(one.name, one, _reader(hints[one.field])) for one in parts if one.is_plain]
    others = [(one, _reader(hints[one.field])) for one in parts if not one.is_plain]
    # Names of the fields in each nested object. A `rest` mapping in the same object skips them.
    taken: dict[str, set[str]] = {"": {part.key.under for part in parts_of(kind)}}
    for part in parts_of(kind):
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
    found: Mapping[str, object], part: Part, inner: Reader, taken: Collection[str]
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
