"""What a folder looked like when it was indexed, so that an unchanged folder is not read again.

A file counts as unchanged while its type, size, inode and both of its times are what they were
before it was read. As in git's index, that is believed only of files whose times were older than
the reading by more than the times' precision: a later change within the same tick would not
show. What was indexed is remembered under the code that did it.
"""

import hashlib
import os
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from bench.engine import ArtifactStore, Record
from bench.errors import ArtifactError
from retrievers.interface import Input, Integers

Address = tuple[str, str]
"""The kind and the fingerprint of an artifact."""
Addresses = Mapping[Input[Any], tuple[Address, ...]]
"""Where each input is stored: in one artifact, or vectors in several parts."""

PRECISION_NANOSECONDS = 2_000_000_000
"""Of the coarsest times that a file system keeps (FAT)."""

_STATE = "contents/folder-state"
_PACKAGES = ("bench", "retrievers", "rankgrid")
_GONE = (-1, -1, -1, -1, -1)


@dataclass(frozen=True)
class FolderState:
    """The files and folders that were looked at, what was known of each, and what was made."""

    paths: tuple[str, ...]
    facts: Integers
    """A row for each path: mode, size, inode, and the times of content and of the inode."""
    addresses: tuple[str, ...]
    """KIND/FINGERPRINT of the artifacts of each of the inputs, with blanks between them."""


def facts_of(found: os.stat_result) -> tuple[int, ...]:
    """Return what shows that a file has changed."""
    mode = stat.S_IFMT(found.st_mode)
    size = 0 if stat.S_ISDIR(found.st_mode) else found.st_size
    return mode, size, found.st_ino, found.st_mtime_ns, found.st_ctime_ns


def remembered(
    store: ArtifactStore, folder: str, wanted: Sequence[Input[Any]]
) -> Addresses | None:
    """Return where the inputs are stored, or None if the folder may have changed since."""
    content = store.read_checked(_place(folder, wanted))
    try:
        state = Record(FolderState).decode(content) if content is not None else None
    except (ArtifactError, TypeError):
        return None
    if state is None or not np.array_equal(_facts_now(folder, state.paths), state.facts):
        return None
    return dict(zip(wanted, map(_addresses, state.addresses), strict=True))


def remember(
    store: ArtifactStore,
    folder: str,
    addresses: Addresses,
    seen: Iterable[tuple[str, os.stat_result]],
) -> None:
    """Keep where the inputs are stored for as long as what was seen stays as it was."""
    named = {path: facts_of(found) for path, found in seen}
    facts = np.array(list(named.values()), np.int64)
    places = tuple(" ".join(map("/".join, parts)) for parts in addresses.values())
    state = FolderState(tuple(named), facts, places)
    store.write_checked(_place(folder, tuple(addresses)), Record(FolderState).encode(state))


def is_settled(seen: Iterable[tuple[str, os.stat_result]], began: int) -> bool:
    """Whether a change after the nanosecond in which reading began would show in some time."""
    latest = (max(found.st_mtime_ns, found.st_ctime_ns) for _, found in seen)
    return max(latest, default=0) < began - PRECISION_NANOSECONDS


def _addresses(text: str) -> tuple[Address, ...]:
    pairs = (address.partition("/") for address in text.split())
    return tuple((kind, fingerprint) for kind, _, fingerprint in pairs)


def _facts_now(folder: str, paths: Iterable[str]) -> Integers:
    root = os.path.realpath(Path(folder).expanduser())
    return np.array([*map(_facts_at, (f"{root}/{path}" for path in paths))], np.int64)


def _facts_at(place: str) -> tuple[int, ...]:
    try:
        return facts_of(os.lstat(place))
    except OSError:
        return _GONE


def _place(folder: str, wanted: Sequence[Input[Any]]) -> str:
    # A model is named by its settings; its files may have changed under the same name.
    models = [one.model.identity for one in wanted if hasattr(one, "model")]
    named = repr((os.path.realpath(Path(folder).expanduser()), wanted, models, _code()))
    return f"{_STATE}/{hashlib.sha256(named.encode('utf-8', 'surrogatepass')).hexdigest()}"


@cache
def _code() -> str:
    """Return a digest of what could change an index: our own files, Python and its packages."""
    root = Path(__file__).resolve().parents[2]
    own = (facts for name in _PACKAGES for facts in _files_below(str(root / name)))
    installed = sorted(
        name
        for folder in sys.path
        if Path(folder).is_dir()
        for name in os.listdir(folder)  # noqa: PTH208 - names alone
        if name.endswith((".dist-info", ".egg-info"))
    )
    return hashlib.sha256(repr((sys.version, installed, sorted(own))).encode()).hexdigest()


def _files_below(folder: str) -> Iterator[tuple[str, int, int]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                if entry.name != "__pycache__":
                    yield from _files_below(entry.path)
            else:
                found = entry.stat()
                yield entry.path, found.st_size, found.st_mtime_ns
