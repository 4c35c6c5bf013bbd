"""`points=FILE`: a grid as a list of points, for grids that are not full products.

The file is YAML or JSON with a list of mappings, or CSV with the names of settings in its first
line. An empty cell leaves its setting unset. The author may be a stranger, like the author of a
study file, so only harmless settings are accepted without `--trust`.
"""

import csv
import io
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

import yaml
from hydra.core.override_parser.types import Override

from bench.errors import SettingError, UsageError
from bench.files import read_text, yaml_errors
from bench.launcher.catalogue import Catalogue
from bench.launcher.overrides import read_override
from bench.launcher.study_files import as_typed, reason_for_axis, refuse_unusual
from bench.settings.study import OF_THE_STUDY
from bench.settings.trust import is_trusted, refuse_interpolations, shown

NAME = "points"
ListedPoint = Mapping[str, Override]
_SUFFIXES = (".yaml", ".yml", ".json", ".csv")


def read_point_list(
    file: Path, known: Catalogue, typed: Collection[str], trusted: Collection[Path]
) -> list[ListedPoint]:
    """Return the settings of each point of a file; `typed` are those on the command line."""
    text = f"{NAME}={file}"
    if file.suffix not in _SUFFIXES:
        raise SettingError(f"{text}: must be a file of {', '.join(_SUFFIXES)}; give one of these")
    if not file.is_file():
        raise SettingError(f"{text}: there is no such file. Check the path.")
    rows = _rows_of_csv(file) if file.suffix == ".csv" else _rows_of_yaml(file)
    if not rows:
        raise SettingError(f"{text}: has no points. Write a mapping of settings for each.")
    may_all = is_trusted(file, trusted)
    return [
        _point(row, f"{text}: point {number}", known, typed, None if may_all else file)
        for number, row in enumerate(rows, 1)
    ]


def _rows_of_yaml(file: Path) -> list[Mapping[str, str]]:
    content = read_text(file, SettingError)
    with yaml_errors(content, str(file), SettingError):
        found = yaml.safe_load(content)
    text = f"{NAME}={file}"
    if not isinstance(found, list) or not all(isinstance(one, Mapping) and one for one in found):
        message = f"{text}: must be a list of mappings. Write lines of - {{SETTING: VALUE}}."
        raise SettingError(message)
    for one in found:
        refuse_unusual(one, content, text)
    return [{name: as_typed(value) for name, value in one.items()} for one in found]


def _rows_of_csv(file: Path) -> list[Mapping[str, str]]:
    content, where = read_text(file, SettingError), f"{NAME}={file}"
    rows = list(_read_csv(content, where))
    names = [name.strip() for name in rows[0]] if rows else []
    found: list[Mapping[str, str]] = []
    for number, row in enumerate(rows[1:], 1):
        if len(row) != len(names):
            message = f"{where}: point {number} has {len(row)} cells, and the first line"
            raise SettingError(f"{message} {len(names)}. Quote values that have commas.")
        cells = zip(names, (cell.strip() for cell in row), strict=True)
        found.append({name: cell for name, cell in cells if cell})
    if len(set(names)) < len(names):
        raise SettingError(f"{where}: a setting is named twice in the first line. Name each once.")
    for one in found:
        refuse_unusual(one, "", where)
    return found


def _read_csv(content: str, where: str) -> Iterator[Sequence[str]]:
    try:
        yield from (row for row in csv.reader(io.StringIO(content), strict=True) if row)
    except csv.Error as error:
        raise SettingError(f"{where}: is not valid CSV: {error}. Correct the file.") from error


def _point(
    row: Mapping[str, str],
    where: str,
    known: Catalogue,
    typed: Collection[str],
    untrusted: Path | None,
) -> ListedPoint:
    found = {}
    for name, value in row.items():
        text = f"{name}={value}"
        if name in typed:
            raise UsageError(f"{where}: {name} is also typed. Remove one of them.")
        if name.partition(".")[0] in OF_THE_STUDY:
            message = f"{where}: {name} belongs to the study as a whole. Type it once, next to"
            raise SettingError(f"{message} {NAME}=.")
        found[name] = _override(text, where, known)
        reason = reason_for_axis(text) if untrusted else ""
        if reason:
            remedy = f"Read the file, then add --trust {untrusted} to allow it."
            raise SettingError(f"{where}: {shown(text)} {reason}. {remedy}")
    return found


def _override(text: str, where: str, known: Catalogue) -> Override:
    try:
        found = read_override(text, known, multirun=True)
    except UsageError as error:
        raise SettingError(f"{where}: {shown(error.message)}") from error
    if found.is_sweep_override():
        message = f"{where}: {shown(text)} has several values. Write a point for each."
        raise SettingError(message)
    refuse_interpolations(found.value(), where)
    return found
