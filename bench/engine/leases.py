"""Leases: files that show other processes that a study is running.

The process that holds a lease keeps its file locked, and the kernel drops the lock when that
process ends, however it ends. The lease of a killed study is therefore never mistaken for a
running study. The number of the process in the file is for people.
"""

import fcntl
import json
import os
import socket
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from bench.files import create_ignored

STATE = ".state"
"""Folder of such files in a store or a folder of results; git ignores it."""
_RUNNING = Path(STATE, "running")


@dataclass(frozen=True)
class Lease:
    """A study that is running: its name, its process and when it began."""

    name: str
    host: str = ""
    pid: int = 0
    started: float = 0.0
    """Seconds since 1970; 0 where the file does not say."""


@contextmanager
def hold(place: Path, name: str) -> Iterator[None]:
    """Hold a lease in the folder `place` until the block ends."""
    create_ignored(place)
    create_ignored(place / STATE)
    folder = place / _RUNNING
    folder.mkdir(exist_ok=True)
    lease = Lease(name, socket.gethostname(), os.getpid(), time.time())
    draft = folder / f".{name}.{uuid.uuid4().hex}"
    with draft.open("x", encoding="utf-8") as file:
        # Locked before it has its name: a process that sees the name sees the lock.
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write(json.dumps(asdict(lease)))
        file.flush()
        draft.replace(folder / name)
        try:
            yield
        finally:
            (folder / name).unlink(missing_ok=True)


def held(place: Path) -> list[Lease]:
    """Return the leases that running processes hold, and remove all others."""
    folder = place / _RUNNING
    if not folder.is_dir():
        return []
    files = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    return [_read(file) for file in files if _is_held(file)]


def _is_held(file: Path) -> bool:
    try:
        with file.open("rb") as opened:
            fcntl.flock(opened, fcntl.LOCK_SH | fcntl.LOCK_NB)
            file.unlink(missing_ok=True)
            return False
    except FileNotFoundError:
        return False
    except OSError:  # locked, or unknown: nothing may be removed then
        return True


def _read(file: Path) -> Lease:
    with suppress(OSError, ValueError, TypeError):
        return Lease(**json.loads(file.read_text(encoding="utf-8")))
    return Lease(file.name)
