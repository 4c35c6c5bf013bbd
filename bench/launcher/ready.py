"""Ready studies: `study=harness` stands for the grid that conf/study/harness.yaml writes out.

`study=outputs/latest/chosen.yaml` is one too: what a study advises, which is a grid of one. A file
that is not in conf/study may come from anybody: it sets what is harmless, and more with `--trust`.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path

import yaml
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Glob, Override
from hydra.errors import HydraException
from omegaconf.errors import OmegaConfBaseException

from bench.errors import SettingError, UsageError, nearest
from bench.files import read_text, yaml_errors
from bench.launcher.overrides import check_overrides, is_sweep
from bench.launcher.quoting import quoted
from bench.settings.trust import is_trusted, reason_for_trust, refuse_interpolations, shown

_MULTIRUN = ("-m", "--multirun")
_OF_SUITE = ("repository", "queries")
"""What a suite is made of; another suite that is typed has its own."""
_NAME = re.compile(r"(?!hydra\b)[a-z]\w*(\.\w+)*", re.ASCII)


@dataclass(frozen=True)
class _Study:
    """A ready study: as it was typed, its file, and the values of each axis."""

    text: str
    file: Path
    is_ours: bool
    axes: Mapping[str, str]


def written_out(arguments: Sequence[str], conf: Path, trusted: Collection[Path] = ()) -> list[str]:
    """Return the command line with a ready study as its axes; an axis that was typed stays."""
    asked = [text for text in arguments if text.startswith("study=")]
    if not asked:
        return list(arguments)
    if len(asked) > 1:
        raise UsageError(f"{' '.join(asked)}: a grid is one ready study, or none")
    rest = [text for text in arguments if text not in asked]
    typed = {text.partition("=")[0] for text in rest}
    study = _read(asked[0], conf)
    axes = [
        quoted(f"{name}={values}")
        for name, values in study.axes.items()
        if not _is_typed(name, typed)
    ]
    if not study.is_ours:
        _check_axes(axes, study, conf, is_trusted=is_trusted(study.file, trusted))
    needs_grid = any(map(is_sweep, axes)) and not typed & set(_MULTIRUN)
    return [*(["-m"] if needs_grid else []), *rest, *axes]


def needs_trust(axes: Mapping[str, object]) -> bool:
    """Tell whether a file with these axes would need `--trust` to be a study."""
    return any(_reason(quoted(f"{name}={values}")) for name, values in axes.items())


def _is_typed(name: str, typed: AbstractSet[str]) -> bool:
    of_suite = name in _OF_SUITE or name.startswith("suite.")
    return name in typed or (of_suite and "suite" in typed)


def _read(text: str, conf: Path) -> _Study:
    name = text.partition("=")[2]
    known = {file.stem: file for file in (conf / "study").glob("*.yaml")}
    if name not in known and not name.endswith(".yaml"):
        raise SettingError(f"{text}: no such ready study; {nearest(name, known)}; or a .yaml file")
    place = known.get(name) or Path(name).expanduser()
    content = read_text(place, SettingError)
    with yaml_errors(content, str(place), SettingError):
        found = yaml.safe_load(content)
    if not isinstance(found, dict) or not found:
        raise SettingError(f"{text}: not a ready study; it must be a list of AXIS: VALUES")
    if name not in known:
        _refuse_unusual(found, content, text)
    axes = {str(axis): "null" if of is None else str(of) for axis, of in found.items()}
    return _Study(text, place, name in known, axes)


def _refuse_unusual(found: Mapping[object, object], content: str, text: str) -> None:
    """Refuse what no honest study has, whether the file is trusted or not."""
    # Aliases of aliases grow without bounds once they are written out as text.
    if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(content)):
        raise SettingError(f"{text}: has YAML aliases. Write the values out.")
    refuse_interpolations(found, text)
    for name in found:
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            message = f"{text}: {shown(str(name))} is not the name of a setting. Remove it."
            raise SettingError(message)


def _check_axes(axes: Sequence[str], study: _Study, conf: Path, *, is_trusted: bool) -> None:
    """Refuse what a file cannot set: interpolations always, the rest unless it is trusted."""
    for axis in axes:
        try:
            reason = _reason(axis)
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
    """Refuse a name that does not exist as what it is: trust would not help."""
    if not _can_be_listed(_parsed(axis)):
        return
    try:
        check_overrides([axis], conf, multirun=True)
    except UsageError as error:
        raise SettingError(f"{study.text}: {shown(error.message)}") from error


def _reason(axis: str) -> str:
    """Return why an axis needs trust, or nothing."""
    return reason_for_trust(axis.partition("=")[0], list(_values(axis)))


def _values(axis: str) -> Iterator[object]:
    """Yield every value that Hydra could make of an axis.

    Hydra writes each value of a grid as text and reads it again, so both readings count.
    """
    override, name = _parsed(axis), axis.partition("=")[0]
    if not override.is_sweep_override():
        yield override.value()
        texts: Iterable[str] = [override.get_value_element_as_str()]
    elif _can_be_listed(override):
        texts = override.sweep_string_iterator()
    else:
        yield override.value()  # a function, which is not plain data
        texts = []
    yield from (_parsed(f"{name}={text}").value() for text in texts)


def _can_be_listed(override: Override) -> bool:
    """Tell whether the values are written out: a pattern is not, and a range may be endless."""
    is_choice = override.is_choice_sweep() and not isinstance(override.value(), Glob)
    return is_choice or not override.is_sweep_override()


def _parsed(text: str) -> Override:
    return OverridesParser.create().parse_override(text)
