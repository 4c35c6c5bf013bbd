"""Reads the settings of a command line with Hydra's grammar; an error is one line."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override
from hydra.errors import HydraException

from bench.errors import SettingError, UsageError, nearest
from bench.launcher.catalogue import Catalogue

_OF_FILES = ("include", "exclude", "languages")
_OF_OWN = ("repository", "queries", *_OF_FILES)
"""What makes up the suite `own`, and belongs to no other."""


def read_overrides(texts: Iterable[str], conf: Path, *, multirun: bool) -> Mapping[str, Override]:
    """Return overrides by the names that they set, of two with one name the later.

    Refused are unknown names and choices, several values where there can be one only, and
    settings that the chosen suite does not read.
    """
    known = Catalogue(conf)
    overrides: dict[str, Override] = {}
    for text in texts:
        override = parse_override(text)
        name = str(override.key_or_group)
        _check_name(name, text, known)
        if override.is_add() or override.is_delete() or override.is_force_add():
            message = f"{text}: settings are neither added nor removed; write {text.lstrip('+~')}"
            raise SettingError(message)
        if override.package is not None:
            raise SettingError(f"{text}: has a package (@…); write {name}=VALUE")
        _refuse_unlisted(override, text, known)
        _check_sweep(override, name, text, multirun=multirun)
        _check_choice(name, override, text, known)
        overrides[name] = override
    _check_suite(overrides, known)
    return overrides


def parse_override(text: str) -> Override:
    """Return one override, its values unchecked."""
    try:
        return override_parser().parse_override(text)
    except HydraException as error:
        is_grid = text.startswith("weights=") and "grid(" in text
        form = '"weights={steps: 20}"' if is_grid else "NAME=VALUE"
        message = f"{text}: cannot be read; write {form} (quote values with special signs)"
        raise UsageError(message) from error


@cache
def override_parser() -> OverridesParser:
    """Return the parser of Hydra's grammar, which takes a while to be made."""
    return OverridesParser.create()


def values_of(override: Override) -> Iterator[tuple[str, object]]:
    """Yield each value of an override as text and as data: one, or those of an axis."""
    if not override.is_sweep_override():
        yield str(override.input_line).partition("=")[2], override.value()
        return
    name = override.key_or_group
    for text in _texts(override):
        # An element of an axis may itself be a quoted list or number: it is read once more.
        yield text, parse_override(f"{name}={text}").value()


def _texts(override: Override) -> list[str]:
    try:
        return [str(text) for text in override.sweep_string_iterator()]
    except HydraException as error:
        message = f"{override.input_line}: cannot be an axis; list the values: 1,2,3"
        raise UsageError(message) from error


def _check_name(name: str, text: str, known: Catalogue) -> None:
    top, _, field = name.partition(".")
    if top not in known.groups and top not in known.scalars:
        _refuse(text, "no such setting", top, [*known.groups, *known.scalars])
    if not field:
        return
    fields = known.fields(top)
    if field not in fields:
        _refuse(text, "no such setting", name, [f"{top}.{item}" for item in fields])


def _check_sweep(override: Override, name: str, text: str, *, multirun: bool) -> None:
    if not override.is_sweep_override():
        return
    if not multirun:
        message = f"{text}: several values make a grid; add -m"
        raise UsageError(message)
    if name == "name":
        message = f"{text}: a name is not an axis. Use settings in it: name='${{chunk}}-fast'."
        raise UsageError(message)
    from bench.settings.study import OF_THE_STUDY

    if name.partition(".")[0] in OF_THE_STUDY:
        message = f"{text}: belongs to the study as a whole and takes one value"
        raise UsageError(message)


def _refuse_unlisted(override: Override, text: str, known: Catalogue) -> None:
    """Refuse `only.tags=a,b`, which is an axis, where a list was meant."""
    name, _, values = text.partition("=")
    if override.is_choice_sweep() and known.is_list(name):
        raise SettingError(f"{text}: must be a list. Write {name}=[{values}]")


def _check_choice(name: str, override: Override, text: str, known: Catalogue) -> None:
    """Refuse a choice that a group does not have."""
    if name not in known.groups:
        return
    for _, value in values_of(override):
        if isinstance(value, (list, dict)):
            message = f"{text}: is one value; write {name}={','.join(map(str, value))} with -m"
            raise SettingError(message)
        if str(value) not in known.groups[name]:
            _refuse(text, f"no such {name}", str(value), known.groups[name])


def _check_suite(overrides: Mapping[str, Override], known: Catalogue) -> None:
    """Refuse what the chosen suite does not read: something else would be measured than was asked.

    Elsewhere an idle setting is only told, for it leaves open what the results are of.
    """
    suite = overrides.get("suite")
    chosen = str(suite.value()) if suite else known.defaults["suite"]
    fields = known.fields_of("suite", chosen) - {"kind"}
    if chosen == "file":
        fields -= {"name"}  # the file has a name of its own
    read = {f"suite.{field}" for field in fields} | ({*_OF_OWN} if chosen == "own" else set())
    for name, override in overrides.items():
        is_of_suite = name.startswith("suite.") or name in _OF_OWN
        if is_of_suite and name not in read and override.value() not in (None, []):
            remedy = f"{'use' if suite else 'add'} suite=own"
            if name not in _OF_OWN or (name in _OF_FILES and chosen == "file"):
                remedy = _remedy(override, chosen)
            message = f"{override.input_line}: suite={chosen} does not read it; remove it, or "
            raise SettingError(message + remedy)


def _remedy(override: Override, chosen: str) -> str:
    if chosen == "file":
        return "write it in the file of suite.path"
    is_path = override.key_or_group == "suite.path"
    return f"use suite=file {override.input_line if is_path else 'suite.path=FILE'}"


def _refuse(text: str, wrong: str, name: str, known: Sequence[str]) -> None:
    message = f"{text}: {wrong}; {nearest(name, known)}"
    raise SettingError(message)
