"""A server process that ends together with this program, including its children."""

import os
import signal
import socket
import subprocess
from collections.abc import Mapping, Sequence
from types import FrameType

from bench.errors import UsageError

_ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
_SECONDS = 5.0
_PORTS = 20


def serve(command: Sequence[str], environment: Mapping[str, str], folder: str) -> int:
    """Run a server until it or this program ends; return its exit code."""
    # Shells start background jobs with SIGINT ignored, so it needs a handler here. An ignored
    # SIGHUP stays ignored, because nohup relies on it.
    previous = {
        number: signal.signal(number, _exit)
        for number in _ENDING
        if number != signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN
    }
    # The server gets its own process group, because its workers do not end with it. Signals are
    # blocked until the process is known: within Popen a signal would leave it running.
    signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    try:
        process = subprocess.Popen(
            list(command),
            env=dict(environment),
            cwd=folder,
            start_new_session=True,
            preexec_fn=_unblock,  # noqa: PLW1509 - no thread runs yet
        )
    except BaseException:
        _unblock()
        raise
    try:
        _unblock()
        return process.wait()
    finally:
        _end_group(process)
        for number, handler in previous.items():
            signal.signal(number, handler)


def free_port(wanted: int) -> int:
    """Return the first free port from `wanted` on."""
    for port in range(wanted, wanted + _PORTS):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except PermissionError as error:
                message = f"--port {port}: this user may not use it. Use a port above 1023."
                raise UsageError(message) from error
            except (OSError, OverflowError):
                continue
            return port
    raise UsageError(f"--port {wanted}: neither this port nor a later one is free. Use another.")


def _unblock() -> None:
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)


def _exit(number: int, _frame: FrameType | None) -> None:
    for each in _ENDING:  # a second signal must not interrupt the shutdown of the children
        signal.signal(each, signal.SIG_IGN)
    raise SystemExit(128 + number)


def _end_group(process: "subprocess.Popen[bytes]") -> None:
    """End the remaining processes of a server's group: SIGTERM first, then SIGKILL."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
            process.wait(_SECONDS)
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue
