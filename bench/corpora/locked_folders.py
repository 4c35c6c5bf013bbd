"""Temporary folders that a later process removes if their own process was killed.

A process holds the lock of its folder until it ends. A folder whose lock is free was left behind.
"""

import fcntl
import shutil
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Self

_LOCK = "rankgrid.lock"
_UNLOCKED_SECONDS = 86_400.0
"""Age of a folder without a lock. Its process was killed before it took the lock."""


@dataclass(frozen=True)
class LockedFolder:
    """A temporary folder that other processes do not remove while this process holds its lock."""

    folder: tempfile.TemporaryDirectory[str]
    lock: IO[str]

    @classmethod
    def new(cls, prefix: str) -> Self:
        """Make a folder, and remove the folders of this prefix that were left behind."""
        _remove_left_behind(prefix)
        folder = tempfile.TemporaryDirectory(prefix=prefix)
        draft = Path(folder.name, f"{_LOCK}.draft")
        lock = draft.open("w", encoding="ascii")
        fcntl.flock(lock, fcntl.LOCK_EX)
        draft.rename(draft.with_name(_LOCK))  # so that a visible lock is always held
        return cls(folder, lock)

    @property
    def name(self) -> str:
        """Path of the folder."""
        return self.folder.name

    def remove(self) -> None:
        """Remove the folder with its content."""
        self.folder.cleanup()
        self.lock.close()


def _remove_left_behind(prefix: str) -> None:
    for folder in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
        with suppress(OSError):  # in use, another user's, or removed by another process
            _remove_if_left(folder)


def _remove_if_left(folder: Path) -> None:
    try:
        lock = (folder / _LOCK).open("r+", encoding="ascii")
    except FileNotFoundError:
        if time.time() - folder.lstat().st_mtime > _UNLOCKED_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)
        return
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(folder, ignore_errors=True)
