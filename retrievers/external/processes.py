"""External programs: started without a shell, limited in time and output, ended as a group."""

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import IO

from retrievers.errors import ExternalError
from retrievers.import_path import users_environment

MOST_BYTES = 64_000_000
"""Maximum size of the output of a run. Exceeding it ends the run."""
_KEPT_BYTES = 4096
"""Size of the kept end of standard error."""
_PIECE = 65_536
_PATIENCE_SECONDS = 5.0
_SHOWN = 200


@dataclass(frozen=True)
class Finished:
    """A program that has ended, or that we ended."""

    name: str
    status: int
    output: str
    said: str
    """The last line of its standard error."""
    ended: str = ""
    """The reason why we ended it; blank if it ended by itself."""

    @property
    def failure(self) -> str:
        """The reason why the run failed; blank if it succeeded."""
        if self.ended or self.status == 0:
            return f"{self.name}: {self.ended}" if self.ended else ""
        how = f"signal {-self.status}" if self.status < 0 else f"status {self.status}"
        return f"{self.name}: ended with {how}" + (f": {self.said}" if self.said else "")


def run(command: Sequence[str], *, folder: Path, seconds: float, given: str = "") -> Finished:
    """Run a program until it ends or until we end it. Raise an error if it cannot start."""
    with tempfile.TemporaryFile() as standard_input:
        standard_input.write(given.encode("utf-8", "replace"))
        standard_input.seek(0)
        process = start(command, folder=folder, standard_input=standard_input)
        with process:
            return _finished(process, seconds)


def start(
    command: Sequence[str], *, folder: Path, standard_input: IO[bytes] | int
) -> subprocess.Popen[bytes]:
    """Start a program in a process group of its own, so that its children can be ended."""
    try:
        return subprocess.Popen(
            list(command),
            cwd=folder,
            env=users_environment(),
            stdin=standard_input,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ExternalError(f"{command[0]}: cannot be run ({reason})") from error


def end(process: subprocess.Popen[bytes]) -> None:
    """Kill a program and its children."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


class Pouring(Thread):
    """Reads a pipe until it ends. Keeps all of the output up to a limit, or else only its end."""

    def __init__(self, pipe: IO[bytes], most: int) -> None:
        super().__init__(daemon=True)
        self._pipe, self._most = pipe, most
        self.content = bytearray()
        self.overflowed = False
        self.start()

    def run(self) -> None:
        """Read until the end, so that a full pipe never blocks the program."""
        with suppress(OSError, ValueError):
            while piece := os.read(self._pipe.fileno(), _PIECE):
                self.content += piece
                if len(self.content) > self._most:
                    self.overflowed = True
                    del self.content[: len(self.content) - _KEPT_BYTES]


def _finished(process: subprocess.Popen[bytes], seconds: float) -> Finished:
    output, said = _streams(process)
    ended = ""
    try:
        _wait(process, output, time.monotonic() + seconds)
    except subprocess.TimeoutExpired:
        ended = f"no answer within {seconds:g} s"
    finally:
        end(process)
    for stream in (output, said):
        stream.join(_PATIENCE_SECONDS)
    if output.overflowed:
        ended = f"it printed more than {MOST_BYTES} bytes"
    return Finished(
        name=str(process.args[0] if isinstance(process.args, list) else process.args),
        status=process.returncode,
        output=bytes(output.content).decode("utf-8", "replace"),
        said=shown(bytes(said.content)),
        ended=ended,
    )


def _streams(process: subprocess.Popen[bytes]) -> tuple[Pouring, Pouring]:
    if process.stdout is None or process.stderr is None:
        raise ExternalError("a program without pipes cannot be read")
    output = Pouring(process.stdout, MOST_BYTES)
    return output, Pouring(process.stderr, _KEPT_BYTES)


def _wait(process: subprocess.Popen[bytes], output: Pouring, until: float) -> None:
    """Wait until a program has ended or has printed too much."""
    while not output.overflowed:
        left = until - time.monotonic()
        try:
            process.wait(max(0.0, min(left, 0.5)))
        except subprocess.TimeoutExpired:
            if left <= 0:
                raise
        else:
            return


def shown(said: bytes) -> str:
    """Return the last line of the output of a program, shortened."""
    lines = [line for line in said.decode("utf-8", "replace").splitlines() if line.strip()]
    return " ".join(lines[-1].split())[:_SHOWN] if lines else ""
