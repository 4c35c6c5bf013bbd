"""Points of a grid. Defaults and choices are composed once instead of once per point."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

from hydra.core.override_parser.types import Override
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from bench.errors import SettingError, nearest
from bench.launcher.catalogue import Catalogue
from bench.launcher.overrides import read_overrides, values_of
from bench.launcher.point_lists import NAME as POINTS
from bench.launcher.point_lists import ListedPoint, read_point_list

Tree = Mapping[str, Any]


@dataclass(frozen=True)
class Point:
    """A combination of values in a grid."""

    typed: Mapping[str, str]
    """Settings of the command line with their values, as typed."""
    choices: Mapping[str, str]
    """Chosen name of each group."""
    config: Tree
    """All settings, without typed fields that the chosen member of their group lacks."""
    listed: str = ""
    """Position in a file of points; "" for a combination of typed values."""

    def has(self, name: str) -> bool:
        """Return whether a dotted name is a setting here (`reranker.depth` if reranker=on)."""
        return _has(self.config, name.split("."))

    def value(self, name: str) -> Any:
        """Return the value at a dotted name."""
        value: Any = self.config
        for part in name.split("."):
            value = value[part]
        return value

    def with_value(self, name: str, value: str) -> "Point":
        """Return the point with another value at an existing dotted name."""
        typed = {one: value if one == name else text for one, text in self.typed.items()}
        return replace(self, typed=typed, config=_with(self.config, name.split("."), value))


def read_points(
    texts: Sequence[str], conf: Path, *, multirun: bool, trusted: Collection[Path] = ()
) -> list[Point]:
    """Return the point of the overrides, or all combinations with `multirun`.

    With `points=FILE`, each combination is made for each point of the file.
    """
    overrides = dict(read_overrides(texts, conf, multirun=multirun))
    file = overrides.pop(POINTS, None)
    axes = [[_Value(name, *value) for value in values_of(overrides[name])] for name in overrides]
    if file is None or file.value() is None:
        defaults = _Defaults(conf, [overrides])
        return [defaults.with_values(values) for values in product(*axes)]
    place = Path(str(file.value())).expanduser()
    rows = read_point_list(place, Catalogue(conf), overrides, trusted)
    defaults = _Defaults(conf, [overrides, *rows])
    return [
        replace(
            defaults.with_values((*values, *_values(row))), listed=f"{POINTS}={place}: point {n}"
        )
        for values in product(*axes)
        for n, row in enumerate(rows, 1)
    ]


def has_points(texts: Sequence[str]) -> bool:
    """Return whether overrides include a list of points, which is a grid."""
    return any(text.startswith(f"{POINTS}=") for text in texts)


def _values(row: ListedPoint) -> "list[_Value]":
    return [_Value(name, *next(values_of(one))) for name, one in row.items()]


def as_yaml(point: Point) -> str:
    """Return the configuration of a point as YAML."""
    return OmegaConf.to_yaml(OmegaConf.create(dict(point.config))).rstrip("\n")


@dataclass(frozen=True)
class _Value:
    """A value of a setting as text and as data."""

    name: str
    text: str
    value: object


class _Defaults:
    """The configuration in conf/ without overrides, and each typed choice."""

    def __init__(self, conf: Path, overrides: Sequence[Mapping[str, Override]]) -> None:
        known = Catalogue(conf)
        self.choices: Mapping[str, str] = known.defaults
        self._config = known.composed()
        self._members = {
            (group, choice): known.composed_choice(group, choice)
            for group in self.choices
            for choice in {
                str(value)
                for one in overrides
                if group in one
                for _, value in values_of(one[group])
            }
        }

    def with_values(self, values: Sequence[_Value]) -> Point:
        chosen = {one.name: str(one.value) for one in values if one.name in self.choices}
        config: Tree = self._config | {name: self._members[name, chosen[name]] for name in chosen}
        for one in values:
            parts = one.name.split(".")
            if one.name not in chosen and _has(config, parts):
                config = _with(config, parts, one.value)
        # Files of conf/ have no interpolations, but the command line may.
        filled = " ".join(f"{one.name}={one.text}" for one in values if "${" in one.text)
        if filled:
            config = _resolved(config, filled)
        return Point({one.name: one.text for one in values}, {**self.choices, **chosen}, config)


def _resolved(config: Tree, typed: str) -> Tree:
    """Return a configuration with resolved interpolations; `typed` are the settings with them."""
    try:
        return _plain(OmegaConf.create(dict(config)), resolve=True)
    except OmegaConfBaseException as error:
        reason = str(error).splitlines()[0]
        message = f"{typed}: {reason}; name a setting or ${{oc.env:VARIABLE}}, or write the value"
        raise SettingError(message) from error


def _plain(config: DictConfig, *, resolve: bool = False) -> dict[str, Any]:
    values = OmegaConf.to_container(config, resolve=resolve, throw_on_missing=False)
    if not isinstance(values, dict):
        message = "a configuration must be a mapping"
        raise TypeError(message)
    return {str(name): value for name, value in values.items()}


def _has(tree: object, parts: Sequence[str]) -> bool:
    for part in parts:
        if not isinstance(tree, Mapping) or part not in tree:
            return False
        tree = tree[part]
    return True


def _with(tree: Tree, parts: Sequence[str], value: object) -> Tree:
    """Return a tree with another value at a path. Unchanged parts are shared, not copied."""
    first, *rest = parts
    if rest:
        value = _with(tree[first], rest, value)
    elif isinstance(value, Mapping) and isinstance(tree[first], Mapping):
        value = _merged(tree[first], value)
    return {**tree, first: value}


def _merged(tree: Tree, values: Tree) -> Tree:
    """Replace some values of a mapping: `targets={easy: 0.7}` keeps the other tiers."""
    for name, value in values.items():
        if name not in tree:
            raise SettingError(f"{name}={value}: no such setting; {nearest(str(name), tree)}")
        tree = _with(tree, [name], value)
    return tree
