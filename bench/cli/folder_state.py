"""The state of a folder when it was indexed, so that an unchanged folder is not read again.

A file is unchanged if its type, size, inode and both of its times are equal to those before it was
read. Like git's index, this trusts only times that are older than the start of the reading by more
than the precision of times. A later change within the same tick would not be visible. The state is
stored under a key that includes the code of the indexing.
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
"""Kind and fingerprint of an artifact."""
Addresses = Mapping[Input[Any], tuple[Address, ...]]
"""Artifacts of each input; vectors may have several parts."""

PRECISION_NANOSECONDS = 2_000_000_000
"""Precision of the coarsest times of any file system, FAT."""

_STATE = "contents/folder-state"
_PACKAGES = ("bench", "retrievers", "rankgrid")
_GONE = (-1, -1, -1, -1, -1)


@dataclass(frozen=True)
class FolderState:
    """The visited files and folders with their file status, and the resulting artifacts."""

    paths: tuple[str, ...]
    facts: Integers
    """A row per path: mode, size, inode, and the times of content and inode."""
    addresses: tuple[str, ...]
    """Artifacts of each input as KIND/FINGERPRINT, separated by spaces."""


def facts_of(found: os.stat_result) -> tuple[int, ...]:
    """Return the parts of a file's status that change with the file."""
    mode = stat.S_IFMT(found.st_mode)
    size = 0 if stat.S_ISDIR(found.st_mode) else found.st_size
    return mode, size, found.st_ino, found.st_mtime_ns, found.st_ctime_ns


def remembered(
    store: ArtifactStore, folder: str, wanted: Sequence[Input[Any]]
) -> Addresses | None:
    """Return the artifacts of the inputs, or None if the folder may have changed."""
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
    """Store the artifacts of the inputs, valid while the status of all `seen` files is
    unchanged."""
    named = {path: facts_of(found) for path, found in seen}
    facts = np.array(list(named.values()), np.int64)
    places = tuple(" ".join(map("/".join, parts)) for parts in addresses.values())
    state = FolderState(tuple(named), facts, places)
    store.write_checked(_place(folder, tuple(addresses)), Record(FolderState).encode(state))


def is_settled(seen: Iterable[tuple[str, os.stat_result]], began: int) -> bool:
    """Return True if any change after `began` (in nanoseconds) would alter a file's times."""
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
    # Settings only name a model, and its files may change under the same name.
    models = [one.model.identity for one in wanted if hasattr(one, "model")]
    named = repr((os.path.realpath(Path(folder).expanduser()), wanted, models, _code()))
    return f"{_STATE}/{hashlib.sha256(named.encode('utf-8', 'surrogatepass')).hexdigest()}"


@cache
def _code() -> str:
    """Return a digest of our code, Python and the installed packages, which can change an
    index."""
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
