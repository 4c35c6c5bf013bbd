"""Checks what was typed before Hydra composes it, to say what is wrong in one line."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import yaml
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override
from hydra.errors import HydraException

from bench.errors import SettingError, UsageError, nearest
from bench.settings.study import OF_THE_STUDY

_OF_OWN = ("repository", "queries")
"""What makes up the suite `own`, and belongs to no other."""


def check_overrides(arguments: Sequence[str], conf: Path, *, multirun: bool) -> None:
    """Refuse unknown names, unknown choices, sweeps where there can be none, and other suites."""
    known = _Known(conf)
    typed: dict[str, Override] = {}
    for text in arguments:
        override = _parsed(text)
        name = str(override.key_or_group)
        if name.startswith("hydra"):
            continue
        known.check_name(name, text)
        if override.is_add() or override.is_delete() or override.is_force_add():
            message = f"{text}: settings are neither added nor removed; write {text.lstrip('+~')}"
            raise SettingError(message)
        _check_sweep(override, name, text, multirun=multirun)
        known.check_choice(name, override, text)
        typed[name] = override
    _check_suite(typed, known)


def without_idle(overrides: Sequence[str], conf: Path) -> tuple[list[str], list[str]]:
    """Part overrides from those whose field the chosen member of their group does not have."""
    known = _Known(conf)
    pairs = [text.partition("=") for text in overrides]
    chosen = known.defaults | {name: choice for name, _, choice in pairs if name in known.groups}

    def is_idle(name: str) -> bool:
        group, _, field = name.partition(".")
        return bool(field) and group in chosen and field not in known.has(group, chosen[group])

    idle = [text for text in overrides if is_idle(text.partition("=")[0])]
    return [text for text in overrides if text not in idle], idle


def is_sweep(text: str) -> bool:
    """Tell whether an override has several values, which make a grid."""
    return _parsed(text).is_sweep_override()


def _parsed(text: str) -> Override:
    try:
        return OverridesParser.create().parse_override(text)
    except HydraException as error:
        message = f"{text}: cannot be read; write NAME=VALUE (quote values with special signs)"
        raise UsageError(message) from error


def _check_sweep(override: Override, name: str, text: str, *, multirun: bool) -> None:
    if not override.is_sweep_override():
        return
    if not multirun:
        message = f"{text}: several values make a grid; add -m"
        raise UsageError(message)
    if name.partition(".")[0] in OF_THE_STUDY:
        message = f"{text}: belongs to the study as a whole and takes one value"
        raise UsageError(message)


def _check_suite(typed: Mapping[str, Override], known: "_Known") -> None:
    """Refuse what the chosen suite does not read: something else would be measured than was asked.

    Elsewhere an idle setting is only told, for it leaves open what the results are of.
    """
    chosen = str(typed["suite"].value()) if "suite" in typed else known.defaults["suite"]
    fields = known.has("suite", chosen) - {"kind"}
    if chosen == "file":
        fields -= {"name"}  # the file has a name of its own
    read = {f"suite.{field}" for field in fields} | ({*_OF_OWN} if chosen == "own" else set())
    for name, override in typed.items():
        is_of_suite = name.startswith("suite.") or name in _OF_OWN
        if is_of_suite and name not in read and override.value() is not None:
            remedy = f"{'use' if 'suite' in typed else 'add'} suite=own"
            if name not in _OF_OWN:
                remedy = _remedy(override, chosen)
            message = f"{override.input_line}: suite={chosen} does not read it; remove it, or "
            raise SettingError(message + remedy)


def _remedy(override: Override, chosen: str) -> str:
    if chosen == "file":
        return "write it in the file of suite.path"
    is_path = override.key_or_group == "suite.path"
    return f"use suite=file {override.input_line if is_path else 'suite.path=FILE'}"


class _Known:
    """The names and choices that the configuration folder offers."""

    def __init__(self, conf: Path) -> None:
        top = yaml.safe_load((conf / "config.yaml").read_text(encoding="utf-8"))
        self.groups = {
            folder.name: sorted(file.stem for file in folder.glob("*.yaml"))
            for folder in conf.iterdir()
            if folder.is_dir() and folder.name != "hydra"
        }
        self.scalars = sorted(set(top) - {"defaults", "hydra"})
        self.defaults: dict[str, str] = {
            name: str(choice)
            for entry in top["defaults"]
            if isinstance(entry, dict)
            for name, choice in entry.items()
            if name in self.groups
        }
        self._conf = conf
        self.fields = {
            group: sorted({field for choice in choices for field in self.has(group, choice)})
            for group, choices in self.groups.items()
        }
        parted = {name: top[name] for name in self.scalars if isinstance(top[name], Mapping)}
        self.fields |= {name: sorted(_names(parts)) for name, parts in parted.items()}

    def has(self, group: str, choice: str) -> set[str]:
        """Return the fields of one member of a group, with those of members within it."""
        text = (self._conf / group / f"{choice}.yaml").read_text(encoding="utf-8")
        found = yaml.safe_load(text)
        within = [str(entry).partition("@") for entry in found.pop("defaults", [])]
        nested = {
            f"{place}.{field}" if place else field
            for member, _, place in within
            if member != "_self_"
            for field in self.has(group, member)
        }
        return nested.union(_names(found))

    def check_name(self, name: str, text: str) -> None:
        """Refuse a setting that does not exist."""
        top, _, field = name.partition(".")
        if top not in self.groups and top not in self.scalars:
            _refuse(text, "no such setting", top, [*self.groups, *self.scalars])
        fields = self.fields.get(top, [])
        if field and field not in fields:
            _refuse(text, "no such setting", name, [f"{top}.{item}" for item in fields])

    def check_choice(self, name: str, override: Override, text: str) -> None:
        """Refuse a choice that a group does not have."""
        if name not in self.groups:
            return
        for value in _values(override):
            if isinstance(value, (list, dict)):
                message = f"{text}: is one value; write {name}={','.join(map(str, value))} with -m"
                raise SettingError(message)
            if str(value) not in self.groups[name]:
                _refuse(text, f"no such {name}", str(value), self.groups[name])


def _names(node: Mapping[object, object]) -> Iterator[str]:
    """Yield the dotted names of what stands in a node, and in the nodes within it."""
    for name, value in node.items():
        yield str(name)
        if isinstance(value, Mapping):
            yield from (f"{name}.{inner}" for inner in _names(value))


def _values(override: Override) -> list[object]:
    if override.is_sweep_override():
        return [str(value) for value in override.sweep_string_iterator()]
    return [override.value()]


def _refuse(text: str, wrong: str, name: str, known: Iterable[str]) -> None:
    message = f"{text}: {wrong}; {nearest(name, known)}"
    raise SettingError(message)
