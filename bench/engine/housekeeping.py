"""Keeps a store within its limit: the files that were used least recently are removed.

Everything that was used since the first of the running studies began is kept. A study looks at
each of its results when it begins, so this covers its plan. A result that is removed all the same
is made again by whoever needs it: only time is lost.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any

from bench.engine.leases import held
from bench.engine.observer import Observer
from bench.engine.stage import Stage
from bench.engine.store import FOLDERS, ArtifactStore
from bench.engine.task import Outcome
from bench.engine.usage import noted_bytes, set_bytes

_ROOM = 0.9
"""The share of the limit that is kept, so that not every study has to remove something."""
_CLOCKS_APART = 60.0
"""Seconds by which the clocks of machines that share a store may differ."""
_DRAFT_SECONDS = 3600.0
_EVERY_SECONDS = 60.0
_MOST_SECONDS = 20.0
"""Removing a file takes milliseconds on some disks, and the stages of a study wait meanwhile."""


@dataclass(frozen=True)
class Trimmed:
    """The files and bytes that were removed from a store, and the bytes that are left."""

    files: int
    removed: int
    left: int
    in_use: bool = False
    """Whether more would have been removed, but running studies use it."""


def keep_within_limit(store: ArtifactStore) -> Trimmed | None:
    """Remove files from a store that is larger than its limit; None if it is not.

    A remote store is left alone: it records no times of use, and has its own rules.
    """
    if store.root is None or store.most_bytes is None:
        return None
    noted = noted_bytes(store.root)
    if noted is not None and noted <= store.most_bytes:
        return None
    return trimmed(store.root, store.most_bytes, seconds=_MOST_SECONDS)


def trimmed(root: Path, most: int, *, seconds: float = inf) -> Trimmed | None:
    """Count the files of a store and remove those that are too many; None if there are none.

    After some seconds it stops; the rest is left to the next call.
    """
    files = sorted(_files(root))
    total = left = sum(size for _, size, _ in files)
    count, in_use = 0, False
    limit, end = _limit(root), time.monotonic() + seconds
    for used, size, path in files if total > most else ():
        in_use = used >= limit
        if in_use or left <= most * _ROOM or time.monotonic() > end:
            break
        with suppress(OSError):
            path.unlink(missing_ok=True)
            count, left = count + 1, left - size
    set_bytes(root, left)
    return Trimmed(count, total - left, left, in_use) if total > most else None


class Housekeeper(Observer):
    """Tells another observer of every stage, and calls for order once in a while."""

    def __init__(self, inner: Observer, tidy: Callable[[], None]) -> None:
        self._inner, self._tidy = inner, tidy
        self._last = time.monotonic()

    def stage_started(self, stage: Stage[Any], worker: str) -> None:
        """Pass it on."""
        self._inner.stage_started(stage, worker)

    def stage_finished(self, stage: Stage[Any], outcome: Outcome) -> None:
        """Pass it on, and tidy if it is time."""
        self._inner.stage_finished(stage, outcome)
        if time.monotonic() - self._last > _EVERY_SECONDS:
            self._tidy()
            self._last = time.monotonic()


def _limit(root: Path) -> float:
    """Return the time of last use from which a file is kept."""
    now, began = time.time(), [lease.started for lease in held(root)]
    return min([now, *began]) - _CLOCKS_APART if began else now + _CLOCKS_APART


def _files(root: Path) -> Iterator[tuple[float, int, Path]]:
    """Yield each file that may be removed, with the time of its last use and its size."""
    fresh = time.time() - _DRAFT_SECONDS
    for top in FOLDERS:
        for folder, _, names in os.walk(root / top):
            for name in names:
                path = Path(folder, name)
                with suppress(OSError):  # another process removed it
                    found = path.lstat()
                    is_draft = name.endswith(".draft") and found.st_mtime > fresh
                    if not is_draft:
                        yield found.st_atime, found.st_size, path
