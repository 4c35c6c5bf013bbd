"""Construction of typed settings from plain mappings, with remedies in the error messages."""

import math
import types
import typing
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from bench.errors import SettingError, nearest

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

D = TypeVar("D", bound="DataclassInstance")

_TO_BE_GIVEN = "???"
"""The placeholder in conf/ for a value that only the user knows."""


def build(kind: type[D], values: Mapping[str, object], *, where: str) -> D:
    """Return a `kind` with these values; `where` is the prefix that users type before the dot."""
    known = {field.name: field for field in fields(kind) if field.init}
    for name in values:
        if name not in known:
            message = f"{where}.{name}: no such setting; {nearest(name, known)}"
            raise SettingError(message)
    hints = typing.get_type_hints(kind)
    found = {
        name: _fitted(values[name], hints[name], f"{where}.{name}" if where else name)
        for name in known
        if name in values and values[name] != _TO_BE_GIVEN
    }
    unsaid = [field for name, field in known.items() if name not in found]
    _refuse_missing(unsaid, values, where)
    try:
        return kind(**found)
    except ValueError as error:  # not a SettingError, which already names its setting
        # The message may begin with the name of a field; users know it by its full name.
        joint = "." if where and str(error).partition("=")[0] in known else ": "
        raise SettingError(f"{where}{joint}{error}") from error


def _refuse_missing(
    unsaid: Iterable[Field[Any]], values: Mapping[str, object], where: str
) -> None:
    for field in unsaid:
        needed = field.default is MISSING and field.default_factory is MISSING
        if needed or field.name in values:
            message = f"{where}.{field.name}: must be given; add {where}.{field.name}=VALUE"
            raise SettingError(message)


def _fitted(value: object, hint: Any, name: str) -> object:
    """Return `value` as the type `hint`, or raise an error with the remedy."""
    origin, choices = typing.get_origin(hint), typing.get_args(hint)
    value = _unwrapped(value, is_list=origin is tuple)
    if origin in (types.UnionType, typing.Union):
        if value is None and type(None) in choices:
            return None
        return _fitted(value, next(c for c in choices if c is not type(None)), name)
    if origin is Literal:
        return _chosen(value, choices, name)
    if is_dataclass(hint) and isinstance(hint, type) and isinstance(value, Mapping):
        return build(hint, value, where=name)
    if origin is tuple and isinstance(value, (list, tuple)):
        return tuple(_fitted(item, choices[0], name) for item in value)
    return _plain(value, hint, name)


def _unwrapped(value: object, *, is_list: bool) -> object:
    """Convert between a value and a list of one, where only the other makes sense."""
    if is_list:
        return [value] if isinstance(value, str) and value and not set(value) & {*" ,"} else value
    if isinstance(value, list) and len(value) == 1 and not isinstance(value[0], list):
        return value[0]
    return value


def typed(value: object) -> str:
    """Return a value in the form of the command line: `null` for None, `[a, b]` for a list."""
    if value is None or isinstance(value, bool):
        return "null" if value is None else str(value).lower()
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{name}: {typed(one)}' for name, one in value.items())}}}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(typed, value))}]"
    return str(value)


def _chosen(value: object, choices: tuple[object, ...], name: str) -> object:
    if value in choices:
        return value
    remedy = nearest(str(value), (str(choice) for choice in choices))
    message = f"{name}={typed(value)}: not one of its values; {remedy}"
    raise SettingError(message)


_WANTED: Mapping[object, tuple[str, str]] = {
    int: ("a whole number", "3"),
    float: ("a number", "0.5"),
    str: ("text", "\"'text'\""),
    bool: ("true or false", "true"),
}
"""Description and example of each type."""


def _plain(value: object, hint: Any, name: str) -> object:
    if hint is float and type(value) is int:
        value = float(value)
    if type(value) is hint and not (isinstance(value, float) and not math.isfinite(value)):
        return value
    is_list = typing.get_origin(hint) is tuple
    wanted, example = _WANTED.get(hint, ("a list" if is_list else "a mapping", ""))
    example = example or ("[a,b]" if is_list else "{name: value}")
    message = f"{name}={typed(value)}: must be {wanted}; write {name}={example} for example"
    raise SettingError(message)


def in_range(value: float, low: float, high: float, *, name: str) -> None:
    """Refuse a value outside `low` to `high`, inclusive."""
    if not low <= value <= high:
        message = (
            f"{name}={typed(value)}: must be from {low} to {high}; use a number in that range"
        )
        raise SettingError(message)
