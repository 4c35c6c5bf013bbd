"""Selection of a suite's queries (`only.…`), and of a source's files."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bench.corpora import FileChoice
from bench.errors import SettingError, nearest
from bench.queries import Only
from bench.settings.fields import build

OF_FILES = ("include", "exclude", "languages")
_LISTS = ("repositories", "tags", "categories", "ids")
_MOST_NAMES = 20


def parse_only(values: Mapping[str, object]) -> Only:
    """Return the selection of queries in the group `only`."""
    plain = {
        name: _listed(value, f"only.{name}") if name in _LISTS else value
        for name, value in values.items()
        if value is not None
    }
    only = build(Only, plain, where="only")
    if only.per_repository is not None and only.per_repository < 1:
        message = f"only.per_repository={only.per_repository}: must be 1 or more"
        raise SettingError(message)
    return only


@dataclass(frozen=True)
class _Files:
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()


def parse_files(values: Mapping[str, object], where: str = "") -> FileChoice:
    """Return the selection of files in a mapping; `where` is the prefix of the settings."""
    before = f"{where}." if where else ""
    lists = {
        name: _listed(values[name], before + name)
        for name in OF_FILES
        if values.get(name) is not None
    }
    plain = build(_Files, lists, where=where)
    for name in plain.languages:
        _refuse_language(name, before)
    try:
        return FileChoice(
            include=tuple(map(_from_root, plain.include)),
            exclude=tuple(map(_from_root, plain.exclude)),
            languages=tuple(sorted(set(plain.languages))),
        )
    except SettingError as error:
        raise SettingError(before + error.message) from error


def _from_root(pattern: str) -> str:
    """Return a pattern in the form of gitignore, where `./docs` would match nothing."""
    return pattern.removeprefix(".") if pattern.startswith("./") else pattern


def _refuse_language(name: str, before: str) -> None:
    # Parsers are only imported if languages are given.
    from retrievers.source import language_names

    if name not in language_names():
        message = (
            f"{before}languages=[{name}]: no such language; {nearest(name, language_names())}"
        )
        raise SettingError(message)


def refuse_unknown(part: str, asked: Sequence[str], known: Iterable[str], *, what: str) -> None:
    """Refuse a name in a part of `only` that does not occur in the suite."""
    names = frozenset(known)
    for name in asked:
        if name not in names:
            message = f"only.{part}=[{name}]: no such {what} in the suite; {_remedy(name, names)}"
            raise SettingError(message)


def _remedy(name: str, known: frozenset[str]) -> str:
    """Return the nearest names, or up to 20 names: a suite may have thousands of ids."""
    if not known:
        return "it has none at all. Remove the setting"
    said = nearest(name, known)
    if said.startswith("did you") or len(known) <= _MOST_NAMES:
        return said
    return (
        f"there are {', '.join(sorted(known)[:_MOST_NAMES])} and {len(known) - _MOST_NAMES} more"
    )


def _listed(value: object, name: str) -> object:
    """Return a list with numbers as text, because Hydra reads an id of digits as a number."""
    if not isinstance(value, (list, tuple)):
        message = f"{name}={value}: must be a list; write {name}=[{value}]"
        raise SettingError(message)
    return [str(one) if type(one) is int else one for one in value]
