"""The settings `only.…`: which of a suite's queries are asked."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from bench.errors import SettingError, nearest
from bench.queries import Only
from bench.settings.fields import build

_LISTS = ("repositories", "tags", "categories", "ids")
_MOST_NAMES = 20


def parse_only(values: Mapping[str, object]) -> Only:
    """Return the choice of queries that the group `only` makes."""
    plain = {name: _listed(value, name) for name, value in values.items() if value is not None}
    only = build(Only, plain, where="only")
    if only.per_repository is not None and only.per_repository < 1:
        message = f"only.per_repository={only.per_repository}: must be 1 or more"
        raise SettingError(message)
    return replace(only, **{name: tuple(dict.fromkeys(getattr(only, name))) for name in _LISTS})


def refuse_unknown(part: str, asked: Sequence[str], known: Iterable[str], *, what: str) -> None:
    """Refuse a name in a part of `only` that no query or repository of the suite has."""
    names = frozenset(known)
    for name in asked:
        if name not in names:
            message = f"only.{part}=[{name}]: no such {what} in the suite; {_remedy(name, names)}"
            raise SettingError(message)


def _remedy(name: str, known: frozenset[str]) -> str:
    """Return the nearest names, or all: a suite has few tags, but may have thousands of ids."""
    if not known:
        return "it has none at all. Remove the setting"
    said = nearest(name, known)
    if said.startswith("did you") or len(known) <= _MOST_NAMES:
        return said
    return (
        f"there are {', '.join(sorted(known)[:_MOST_NAMES])} and {len(known) - _MOST_NAMES} more"
    )


def _listed(value: object, name: str) -> object:
    """Return a value with its numbers as text: Hydra reads an id of digits as a number."""
    if name not in _LISTS:
        return value
    if not isinstance(value, (list, tuple)):
        message = f"only.{name}={value}: must be a list. Write only.{name}=[{value}]"
        raise SettingError(message)
    return [str(one) if type(one) is int else one for one in value]
