"""A terminal in which tests use a program as somebody who sits before it."""

import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from tests.processes import kill_session

FIXTURES = (sys.executable, "-c", "from bench.cli import main; main()", "fixtures")
"""The command `rankgrid fixtures`."""
PATIENCE = 120.0


class Terminal:
    """`rankgrid fixtures …`, or another command, in a terminal."""

    def __init__(self, folder: Path, *arguments: str, command: Sequence[str] = FIXTURES) -> None:
        self._end, there = pty.openpty()
        self._process = subprocess.Popen(
            [*command, *arguments],
            cwd=folder,
            stdin=there,
            stdout=there,
            stderr=there,
            env={**os.environ, "TERM": "dumb"},
            text=True,
            start_new_session=True,
        )
        os.close(there)
        self.seen = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        kill_session(self._process)
        os.close(self._end)

    def expect(self, words: str) -> str:
        """Wait until the program has said some words; return what it said until then."""
        end = time.monotonic() + PATIENCE
        while words not in self.seen:
            ready, _, _ = select.select([self._end], [], [], max(0.0, end - time.monotonic()))
            if not ready or not self._read():
                raise AssertionError(f"{words!r} was not said, but {self.seen!r}")
        said, _, self.seen = self.seen.partition(words)
        return said

    def type(self, line: str) -> None:
        """Type a line."""
        os.write(self._end, f"{line}\n".encode())

    def talk(self, *turns: tuple[str, str]) -> None:
        """Type each line, and wait for what is to be said to it."""
        for line, words in turns:
            self.type(line)
            self.expect(words)

    def interrupt(self) -> None:
        """Press Ctrl-C at a prompt: the signal that a terminal sends for it.

        A prompt is printed before its line is read. A signal between the two stays pending until a
        line is typed, so the key is pressed when the program has begun to wait.
        """
        end = time.monotonic() + PATIENCE
        while not self._waits():
            if time.monotonic() > end:
                raise AssertionError(f"the program does not wait for input; it said {self.seen!r}")
            time.sleep(0.01)
        self._process.send_signal(signal.SIGINT)

    def _waits(self) -> bool:
        """Return whether the main thread of the program sleeps."""
        status = Path(f"/proc/{self._process.pid}/stat").read_text("ascii", "replace")
        return status.rpartition(")")[2].split()[0] == "S"

    def end(self) -> int:
        """Read to the end and return the exit code."""
        while self._read():
            pass
        return self._process.wait(PATIENCE)

    def _read(self) -> bool:
        try:
            piece = os.read(self._end, 4096)
        except OSError:  # how Linux says that the other end is closed
            return False
        self.seen += piece.decode("utf-8", "replace").replace("\r\n", "\n")
        return bool(piece)
