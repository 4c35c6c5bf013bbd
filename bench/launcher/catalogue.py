"""Settings in conf/: groups, their choices, and the fields of each choice.

Files are only read on demand, because the shell completion runs on every TAB. Hydra's defaults
lists are supported as far as conf/ uses them. A test compares every choice with Hydra's own
composition, which takes ten times as long.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

_NOT_SETTINGS = ("study",)
"""Folders of conf/ that are not groups of settings."""


class Catalogue:
    """Names of settings and choices."""

    def __init__(self, conf: Path) -> None:
        top = _read(conf / "config.yaml")
        self.conf = conf
        self.groups: dict[str, list[str]] = {
            folder.name: sorted(file.stem for file in folder.glob("*.yaml"))
            for folder in sorted(conf.iterdir())
            if folder.is_dir() and folder.name not in _NOT_SETTINGS
        }
        self.defaults: dict[str, str] = {
            name: str(choice)
            for entry in top["defaults"]
            if isinstance(entry, dict)
            for name, choice in entry.items()
        }
        self._scalars = {name: value for name, value in top.items() if name != "defaults"}
        self._members: dict[tuple[str, str], frozenset[str]] = {}

    @property
    def scalars(self) -> list[str]:
        """The settings without a group."""
        return sorted(self._scalars)

    def composed(self) -> dict[str, Any]:
        """Return the whole configuration with all defaults."""
        members = {
            group: self.composed_choice(group, choice) for group, choice in self.defaults.items()
        }
        return {**members, **self._scalars}

    def composed_choice(self, group: str, choice: str) -> dict[str, Any]:
        """Return the values of a choice, merged over the choices in its defaults list."""
        content = dict(_read(self.conf / group / f"{choice}.yaml"))
        values: dict[str, Any] = {}
        for member, place in _entries(content.pop("defaults", [])):
            below = self.composed_choice(group, member)
            values = _over(values, {place: below} if place else below)
        return _over(values, content)

    @property
    def studies(self) -> dict[str, Path]:
        """Shipped study files by name."""
        return {file.stem: file for file in sorted((self.conf / "study").glob("*.yaml"))}

    def is_list(self, name: str) -> bool:
        """Return whether a setting without a group has a list as its value."""
        value: object = self._scalars
        for part in name.split("."):
            value = value.get(part) if isinstance(value, Mapping) else None
        return isinstance(value, list)

    def fields(self, name: str) -> list[str]:
        """Return the fields of all choices of a group, or of a setting with parts."""
        if name in self.groups:
            members = (self.fields_of(name, choice) for choice in self.groups[name])
            return sorted(frozenset().union(*members))
        value = self._scalars.get(name)
        return sorted(_names(value)) if isinstance(value, Mapping) else []

    def fields_of(self, group: str, choice: str) -> frozenset[str]:
        """Return the fields of a choice, including those of the choices in its defaults list."""
        if (group, choice) not in self._members:
            content = _read(self.conf / group / f"{choice}.yaml")
            nested = (
                f"{place}.{field}" if place else field
                for member, place in _entries(content.pop("defaults", []))
                for field in self.fields_of(group, member)
            )
            self._members[group, choice] = frozenset([*nested, *_names(content)])
        return self._members[group, choice]


def _read(file: Path) -> dict[str, Any]:
    # The loader in C is ten times faster, but not in every build of PyYAML.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    content: dict[str, Any] = yaml.load(file.read_text(encoding="utf-8"), Loader=loader)  # noqa: S506
    return content


def _entries(defaults: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the choices in a defaults list, with the field that each fills, or "" for the top."""
    for entry in defaults:
        member, _, place = entry.partition("@")
        if member != "_self_":
            yield member, place


def _over(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Merge two trees; values of `above` take precedence."""
    merged = dict(below)
    for name, value in above.items():
        lower = merged.get(name)
        if isinstance(value, Mapping) and isinstance(lower, Mapping):
            merged[name] = _over(lower, value)
        else:
            merged[name] = value
    return merged


def _names(node: Mapping[Any, object]) -> Iterator[str]:
    """Yield the dotted names of all nested values."""
    for name, value in node.items():
        yield str(name)
        if isinstance(value, Mapping):
            yield from (f"{name}.{inner}" for inner in _names(value))
