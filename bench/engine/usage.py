"""Size of a store, noted with every write, so that its files are rarely counted.

`bytes` in the state folder has a number per line: the size of the store at the last count, and the
size of each file written since. A file that is written twice is noted twice, and a line may be
lost during a count. Nothing is removed without counting first.
"""

import os
from contextlib import suppress
from pathlib import Path

from bench.engine.leases import STATE
from bench.files import create_ignored, write_whole

_FILE = Path(STATE, "bytes")


def note_bytes(root: Path, size: int) -> None:
    """Note that a file of this size was written to the store."""
    line = f"{size}\n".encode()
    with suppress(OSError):  # not counted yet, and a count will find this file
        number = os.open(root / _FILE, os.O_WRONLY | os.O_APPEND)
        try:
            os.write(number, line)  # one call, so that lines of two processes do not mix
        finally:
            os.close(number)


def noted_bytes(root: Path) -> int | None:
    """Return the approximate size of the store in bytes; None if it was never counted."""
    try:
        return sum(map(int, (root / _FILE).read_bytes().split()))
    except (OSError, ValueError):
        return None


def set_bytes(root: Path, size: int) -> None:
    """Replace the notes by the result of a count."""
    create_ignored(root / STATE)
    write_whole(root / _FILE, f"{size}\n", sync=False)
