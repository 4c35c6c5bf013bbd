"""Cache of clones for the lifetime of a process: another commit needs only a small fetch.

From a repository on this machine nothing is fetched: its objects are read in place.

A killed process leaves its clones behind. The next process that makes a clone removes them.
"""

import fcntl
import shutil
import tempfile
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Self

from bench.corpora.repository import Repository, repository_in

_MOST = 4
_PREFIX = "rankgrid-clone-"
_LOCK = "rankgrid.lock"


@dataclass(frozen=True)
class _Clone:
    """A folder that other processes do not remove while this process holds its lock."""

    folder: TemporaryDirectory[str]
    lock: IO[str]

    @classmethod
    def new(cls) -> Self:
        _remove_left_behind()
        folder = TemporaryDirectory(prefix=_PREFIX)
        draft = Path(folder.name, f"{_LOCK}.draft")
        lock = draft.open("w", encoding="ascii")
        fcntl.flock(lock, fcntl.LOCK_EX)
        draft.rename(draft.with_name(_LOCK))  # so that a visible lock is always held
        return cls(folder, lock)

    def remove(self) -> None:
        self.folder.cleanup()
        self.lock.close()


_CLONES: OrderedDict[str, _Clone] = OrderedDict()


@contextmanager
def kept_clone(url: str, name: str, *, seconds: float) -> Iterator[Repository]:
    """Yield a repository that can fetch from `url`, with the earlier fetches of this process.

    After an error the clone is removed, because an interrupted fetch may be incomplete.
    """
    clone, is_new = _CLONES.pop(url, None), False
    if clone is None or not Path(clone.folder.name).is_dir():
        clone, is_new = _Clone.new(), True
    try:
        repository = repository_in(clone.folder.name, url, name, seconds=seconds)
        if is_new:
            repository.make()
            repository.borrow()
        yield repository
    except BaseException:
        clone.remove()
        raise
    _CLONES[url] = clone
    while len(_CLONES) > _MOST:
        _CLONES.popitem(last=False)[1].remove()


def remove_clones() -> None:
    """Remove the clones that this process keeps."""
    while _CLONES:
        _CLONES.popitem()[1].remove()


def _remove_left_behind() -> None:
    """Remove the clones of processes that have ended."""
    for place in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*/{_LOCK}"):
        try:
            with place.open("a", encoding="ascii") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(place.parent, ignore_errors=True)
        except OSError:
            continue  # in use, or another user's
