"""Suites that include others: `include: [python, own.yaml]` adds the repositories of both."""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.commands import command
from bench.errors import SettingError, nearest
from bench.files import data_folder, read_yaml
from bench.near_names import close_names
from bench.settings.trust import refuse_interpolations, shown

_SHAPE = {"name", "repositories", "include", "include_drafts"}
_SHIPPED = {"kind"}
"""Additional keys of shipped suites and their copies."""
_LISTS = {"repositories", "include"}
_MUST_HAVE = "must have name, and repositories or include or both"


@dataclass(frozen=True)
class Listed:
    """An entry in a suite's list of repositories, with the folder of its relative paths."""

    entry: object
    where: str
    folder: Path


def listed(
    suite: Mapping[str, Any], folder: Path, within: tuple[Path, ...] = ()
) -> Iterator[Listed]:
    """Yield the repositories of a suite, then those of the suites that it includes."""
    where = f"{within[-1].name}: " if within else "suite."
    for number, entry in enumerate(_items(suite, "repositories", where)):
        yield Listed(entry, f"{where}repositories[{number}]", folder)
    for name in _items(suite, "include", where):
        file = _file(str(name), folder, where)
        if file in within:
            circle = " includes ".join(one.name for one in (*within[within.index(file) :], file))
            raise SettingError(f"{where}include: is circular: {circle}; remove one of them")
        content, its_folder = _content(file, where)
        yield from listed(content, its_folder, (*within, file))


def read_suite(place: object) -> tuple[Mapping[str, Any], Path]:
    """Return the content of a suite file, and the folder that its paths are relative to."""
    if not place:
        raise SettingError("suite=file: needs a suite file; add suite.path=FILE")
    file = Path(str(place)).expanduser()
    if file.is_dir():
        raise SettingError(f"suite.path={place}: is a folder; give the suite's file in it")
    if not file.is_file():
        message = f"suite.path={place}: no such file; {command('init PATH')} writes one to edit"
        raise SettingError(message)
    found = _mapping(file, f"suite.path={place}")
    _refuse_settings(found, _SHAPE, f"suite.path={place}")
    if not {"name"} < set(found):
        raise SettingError(f"suite.path={place}: {_MUST_HAVE}")
    return found, file.resolve().parent


def _items(suite: Mapping[str, Any], name: str, where: str) -> Sequence[object]:
    found = suite.get(name)
    if found is not None and not isinstance(found, list):
        raise SettingError(f"{where}{name}: must be a list; write a line with - for each item")
    return found or []


def _file(name: str, folder: Path, where: str) -> Path:
    """Return the file of an included suite: a shipped one by name, or any by path."""
    if name.endswith((".yaml", ".yml")):
        file = folder / Path(name).expanduser()
        if not file.is_file():
            raise SettingError(f"{where}include: {name}: no such file; correct the path")
        return file.resolve()
    shipped = {one.stem: one for one in (data_folder("conf") / "suite").glob("*.yaml")}
    if name not in shipped:
        remedy = f"{nearest(name, shipped)}; or name a file that ends with .yaml"
        raise SettingError(f"{where}include: {name}: no such suite; {remedy}")
    return shipped[name].resolve()


def _content(file: Path, where: str) -> tuple[Mapping[str, Any], Path]:
    """Return an included suite, and the folder that its paths are relative to."""
    found = _mapping(file, f"{where}include: {file.name}")
    if not _LISTS & set(found):
        message = f"{where}include: {file.stem}: lists no repositories; include suites that do"
        raise SettingError(message)
    _refuse_settings(found, _SHAPE | _SHIPPED, f"{where}include: {file.name}")
    is_shipped = found.get("kind") == "repositories"
    return found, Path() if is_shipped else file.parent


def _mapping(file: Path, where: str) -> Mapping[str, Any]:
    found = read_yaml(file, SettingError)
    if not isinstance(found, Mapping):
        raise SettingError(f"{where}: must be a mapping with name and repositories")
    refuse_interpolations(found, where)
    return found


def _refuse_settings(found: Mapping[str, Any], known: AbstractSet[str], where: str) -> None:
    """Refuse keys that are not part of a suite, since a suite must not change settings."""
    for name in found:
        if name not in known:
            message = f"{where}: {shown(str(name))} is not part of a suite, which {_MUST_HAVE}"
            remedy = "Remove it; type settings on the command line."
            near = close_names(str(name), known)
            raise SettingError(f"{message}. {f'Did you mean {near[0]}?' if near else remedy}")
