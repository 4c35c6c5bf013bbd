"""Size limit of a store: the least recently used files are removed.

Files that were used since the first of the running studies began are kept. A study marks its
stored results as used when it begins, so this covers its plan. If a needed result is removed
nevertheless, it is computed again: only time is lost.
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
"""Share of the limit that is kept, so that not every study has to remove files."""
_CLOCKS_APART = 60.0
"""Largest difference in seconds between the clocks of machines that share a store."""
_DRAFT_SECONDS = 3600.0
_EVERY_SECONDS = 60.0
_MOST_SECONDS = 20.0
"""Time limit of one clean-up. Stages wait for it, and some disks take milliseconds per file."""


@dataclass(frozen=True)
class Trimmed:
    """Files and bytes that were removed from a store, and the bytes that are left."""

    files: int
    removed: int
    left: int
    in_use: bool = False
    """Whether the clean-up stopped at files that running studies use."""


def keep_within_limit(store: ArtifactStore) -> Trimmed | None:
    """Remove files from a store above its limit; None if nothing had to be removed.

    A remote store is skipped: it does not record times of use, and has its own rules.
    """
    if store.root is None or store.most_bytes is None:
        return None
    noted = noted_bytes(store.root)
    if noted is not None and noted <= store.most_bytes:
        return None
    return trimmed(store.root, store.most_bytes, seconds=_MOST_SECONDS)


def trimmed(root: Path, most: int, *, seconds: float = inf) -> Trimmed | None:
    """Count the files of a store and remove the excess; None if it is within `most` bytes.

    It stops after the given seconds; the next call removes the rest.
    """
    files = sorted(_files(root))
    total = left = sum(size for _, size, _ in files)
    count, in_use = 0, False
    limit, end = _limit(root), time.monotonic() + seconds
    for used, size, path in files if total > most else ():
        if left <= most * _ROOM or time.monotonic() > end:
            break
        in_use = used >= limit
        if in_use:
            break
        with suppress(OSError):
            path.unlink(missing_ok=True)
            count, left = count + 1, left - size
    set_bytes(root, left)
    return Trimmed(count, total - left, left, in_use) if total > most else None


class Housekeeper(Observer):
    """Observer that forwards every event to another one, and regularly calls `tidy`."""

    def __init__(self, inner: Observer, tidy: Callable[[], None]) -> None:
        self._inner, self._tidy = inner, tidy
        self._last = time.monotonic()

    def stage_started(self, stage: Stage[Any], worker: str) -> None:
        """Forward the event."""
        self._inner.stage_started(stage, worker)

    def stage_finished(self, stage: Stage[Any], outcome: Outcome) -> None:
        """Forward the event, and tidy if the last time is long ago."""
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
