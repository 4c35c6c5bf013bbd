"""Study files: `study=harness` reads the settings in conf/study/harness.yaml, often a grid.

`study=outputs/latest/chosen.yaml` names a file of the user, such as the configuration that a study
advises. The author of a file outside conf/study may be a stranger, so only harmless settings are
accepted without `--trust`.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from hydra.core.override_parser.types import Glob, Override
from hydra.errors import HydraException
from omegaconf.errors import OmegaConfBaseException

from bench.errors import SettingError, UsageError, nearest
from bench.files import read_text, yaml_errors
from bench.launcher.catalogue import Catalogue
from bench.launcher.overrides import parse_override, parsed, read_overrides
from bench.settings.trust import is_trusted, reason_for_trust, refuse_interpolations, shown

_OF_SUITE = ("repository", "queries", "include", "exclude", "languages")
"""Settings of the suite in a study file, which are dropped if the user types another suite."""
_NAME = re.compile(r"(?!hydra\b)[a-z]\w*(\.\w+)*", re.ASCII)


@dataclass(frozen=True)
class _Study:
    """A study file: the override that names it, its path, and the values of each axis."""

    text: str
    file: Path
    is_ours: bool
    axes: Mapping[str, str]


def with_study_file(
    overrides: Sequence[str], conf: Path, trusted: Collection[Path] = ()
) -> tuple[list[str], bool]:
    """Replace `study=` by the settings of its file; typed settings take precedence.

    The second value tells whether the file has several values for a setting, which make a grid.
    """
    named = [text for text in overrides if text.startswith("study=")]
    if not named:
        return list(overrides), False
    if len(named) > 1:
        raise UsageError(f"{' '.join(named)}: only one study= may be given")
    rest = [text for text in overrides if text not in named]
    typed = {text.partition("=")[0] for text in rest}
    study = _read(named[0], conf)
    axes = [
        f"{name}={values}" for name, values in study.axes.items() if not _is_typed(name, typed)
    ]
    if not study.is_ours:
        _check_axes(axes, study, conf, is_trusted=is_trusted(study.file, trusted))
    return [*rest, *axes], any(parse_override(axis).is_sweep_override() for axis in axes)


def needs_trust(settings: Mapping[str, object]) -> bool:
    """Return whether a study file with these settings would need `--trust`."""
    return any(reason_for_axis(f"{name}={as_typed(value)}") for name, value in settings.items())


def _is_typed(name: str, typed: AbstractSet[str]) -> bool:
    of_suite = name in _OF_SUITE or name.startswith("suite.")
    return name in typed or (of_suite and "suite" in typed)


def _read(text: str, conf: Path) -> _Study:
    name = text.partition("=")[2]
    known = Catalogue(conf).studies
    if name not in known and not name.endswith(".yaml"):
        raise SettingError(f"{text}: no such study; {nearest(name, known)}; or a .yaml file")
    place = known.get(name) or Path(name).expanduser()
    content = read_text(place, SettingError)
    with yaml_errors(content, str(place), SettingError):
        found = yaml.safe_load(content)
    if not isinstance(found, dict) or not found:
        raise SettingError(f"{text}: not a study file. Write lines of SETTING: VALUES.")
    if name not in known:
        refuse_unusual(found, content, text)
    axes = {str(axis): as_typed(value) for axis, value in found.items()}
    return _Study(text, place, name in known, axes)


def as_typed(value: object) -> str:
    """Return a value in the form of the command line: `{steps: 20}` of YAML is `{steps:20}`."""
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{name}:{as_typed(one)}" for name, one in value.items()) + "}"
    return "null" if value is None else str(value)


def refuse_unusual(found: Mapping[Any, object], content: str, text: str) -> None:
    """Refuse content that honest studies do not have, trusted or not."""
    # Nested aliases grow exponentially when they are written out as text.
    if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(content)):
        raise SettingError(f"{text}: has YAML aliases. Write the values out.")
    refuse_interpolations(found, text)
    for name in found:
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            message = f"{text}: {shown(str(name))} is not the name of a setting. Remove it."
            raise SettingError(message)


def _check_axes(axes: Sequence[str], study: _Study, conf: Path, *, is_trusted: bool) -> None:
    """Refuse interpolations in a file, and harmful settings unless it is trusted."""
    for axis in axes:
        try:
            reason = reason_for_axis(axis)
            refuse_interpolations(list(_values(axis)), study.text)
        except (HydraException, OmegaConfBaseException) as error:
            message = (
                f"{study.text}: {shown(axis)} cannot be read. Quote values with special signs."
            )
            raise SettingError(message) from error
        if reason and not is_trusted:
            _refuse_misspelt(axis, study, conf)
            remedy = f"Read the file, then add --trust {study.file} to allow it."
            raise SettingError(f"{study.text}: {shown(axis)} {reason}. {remedy}")


def _refuse_misspelt(axis: str, study: _Study, conf: Path) -> None:
    """Refuse an unknown name with its own message, because trust would not help."""
    if not _can_be_listed(parsed(axis)):
        return
    try:
        read_overrides([axis], conf, multirun=True)
    except UsageError as error:
        raise SettingError(f"{study.text}: {shown(error.message)}") from error


def reason_for_axis(axis: str) -> str:
    """Return the reason why an axis needs trust, or ""."""
    return reason_for_trust(axis.partition("=")[0], list(_values(axis)))


def _values(axis: str) -> Iterator[object]:
    """Yield every value that Hydra could make of an axis.

    Hydra writes each value of a grid as text and parses it again, so both values are checked.
    """
    override, name = parsed(axis), axis.partition("=")[0]
    if not override.is_sweep_override():
        yield override.value()
        texts: Iterable[str] = [override.get_value_element_as_str()]
    elif _can_be_listed(override):
        texts = override.sweep_string_iterator()
    else:
        yield override.value()  # a function, which is not plain data
        texts = []
    yield from (parsed(f"{name}={text}").value() for text in texts)


def _can_be_listed(override: Override) -> bool:
    """Return whether the values are listed; patterns are not, and ranges may be endless."""
    is_choice = override.is_choice_sweep() and not isinstance(override.value(), Glob)
    return is_choice or not override.is_sweep_override()
