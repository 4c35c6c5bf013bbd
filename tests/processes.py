"""Programs that tests start: whatever becomes of the test, nothing of them is left."""

import os
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO


@contextmanager
def running(
    command: Sequence[str],
    *,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    stdout: int | IO[bytes] | None = None,
    stderr: int | IO[bytes] | None = None,
) -> Iterator[subprocess.Popen[str]]:
    """Run a program in a session of its own, and kill what is left of that session at the end."""
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdout=stdout,
        stderr=stderr,
        text=True,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        kill_session(process)


def kill_session(process: "subprocess.Popen[str]") -> None:
    """Kill a program, started in a session of its own, and its children; close its pipes."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()
    process.wait()
