"""Short names of trials for tables, split into the differing and the shared settings."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_PART = re.compile(r"(?:^| )(?=[A-Za-z_][\w.]*=)")
"""The beginning of a setting; spaces inside a value do not match."""
_ELLIPSIS = "…"


@dataclass(frozen=True)
class ShortNames:
    """The short name of each trial by its full name, and the settings that all trials share."""

    shared: str
    of: Mapping[str, str]
    heading: str = "trial"
    """Settings in the order of their values, if the names consist of values alone."""


def short_names(names: Sequence[str], room: int | None = None) -> ShortNames:
    """Return the differing parts of names, each name in at most `room` characters."""
    parts = {name: _PART.split(name)[1:] or [name] for name in names}
    shared = _shared(list(parts.values()))
    left = {name: [part for part in of if part not in shared] for name, of in parts.items()}
    if room is not None and any(len(" ".join(of)) > room for of in left.values()):
        left = _without_groups(left)
    found = {name: " ".join(of) for name, of in left.items()}
    return ShortNames(" ".join(shared), _cut(found, room))


def headed_names(names: Sequence[str], room: int) -> ShortNames:
    """Return short names for a table, as values under a heading of settings if room is short.

    `256 lexical` under `chunk retriever` is readable, `chunk=256 retr…lexical` is not.
    """
    whole = short_names(names)
    if all(len(name) <= room for name in whole.of.values()):
        return whole
    parts = [_PART.split(whole.of[name])[1:] for name in names]
    settings = [[part.partition("=")[0] for part in of] for of in parts]
    values = [" ".join(part.partition("=")[2] for part in of) for of in parts]
    alike = all(of == settings[0] for of in settings)
    if not alike or max(map(len, values)) > room:
        return short_names(names, room)
    ends = [setting.rpartition(".")[2] for setting in settings[0]]
    return ShortNames(whole.shared, dict(zip(names, values, strict=True)), " ".join(ends))


def _shared(names: Sequence[Sequence[str]]) -> list[str]:
    """Return the parts that all names share, unless a name consists of nothing else."""
    common = [part for part in names[0] if all(part in other for other in names)] if names else []
    is_whole = any(len(common) == len(name) for name in names)
    return [] if is_whole or len(names) == 1 else common


def _without_groups(names: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Shorten `retriever.walk.alpha=1` to `alpha=1` if no other setting ends in `alpha`."""
    settings = {part.partition("=")[0] for of in names.values() for part in of}
    ends = [setting.rpartition(".")[2] for setting in settings]
    short = {
        setting: end for setting in settings if ends.count(end := setting.rpartition(".")[2]) == 1
    }
    return {name: [_renamed(part, short) for part in of] for name, of in names.items()}


def _renamed(part: str, short: Mapping[str, str]) -> str:
    setting, sign, value = part.partition("=")
    return f"{short.get(setting, setting)}{sign}{value}"


def _cut(names: Mapping[str, str], room: int | None) -> dict[str, str]:
    """Cut the middle out of long names, and number names that become equal."""
    found: dict[str, str] = {}
    for name, text in names.items():
        short, count = _within(text, room), 1
        while short in found.values():
            count += 1
            number = f" ({count})"
            short = _within(text, room and room - len(number)) + number
        found[name] = short
    return found


def _within(text: str, room: int | None) -> str:
    if room is None or len(text) <= room:
        return text
    end = max(1, (room - 1) // 2)
    return text[: max(1, room - 1 - end)] + _ELLIPSIS + text[-end:]
