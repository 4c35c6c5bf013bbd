"""A server and its children end with the program, whatever ends it."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bench.cli.server_process import free_port, serve
from bench.errors import UsageError

PROGRAM = """\
import os, sys
from bench.cli.server_process import serve
sys.exit(serve(["/bin/sh", "-c", "sleep 100 & echo $! > child; wait"], os.environ, sys.argv[1]))
"""
DEFAULT = f"import signal; signal.signal(signal.SIGHUP, signal.SIG_DFL)\n{PROGRAM}"
"""The program with a hangup in force, also where these tests run under nohup."""


def is_alive(process: int) -> bool:
    """Tell whether a process runs; one that ended and was not waited for does not."""
    try:
        return " Z " not in Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    except FileNotFoundError:
        return False


def is_gone(process: int) -> bool:
    """Tell whether a process ends within seconds: it was killed, but the system is busy."""
    deadline = time.monotonic() + 20
    while is_alive(process) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not is_alive(process)


def started(folder: Path) -> int:
    """Wait for the child of a server, and return its number."""
    child = folder / "child"
    deadline = time.monotonic() + 60
    while not (child.exists() and child.read_text(encoding="utf-8").strip()):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    sleeper = int(child.read_text(encoding="utf-8"))
    assert is_alive(sleeper)
    return sleeper


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_children_end_on_every_signal(tmp_path: Path, number: signal.Signals) -> None:
    command = [sys.executable, "-c", DEFAULT, str(tmp_path)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as program:
        sleeper = started(tmp_path)

        program.send_signal(number)
        code = program.wait(60)

    assert code != 0
    assert is_gone(sleeper)


STUBBORN = DEFAULT.replace("sleep 100 &", "trap '' TERM; sleep 100 &")
"""Its server does not end when it is asked to."""


def test_children_end_when_signals_come_twice(tmp_path: Path) -> None:
    """A terminal that closes sends a hangup and then more."""
    command = [sys.executable, "-c", STUBBORN, str(tmp_path)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as program:
        sleeper = started(tmp_path)

        program.send_signal(signal.SIGHUP)
        time.sleep(0.5)
        program.send_signal(signal.SIGTERM)
        program.send_signal(signal.SIGINT)
        program.wait(60)

    assert is_gone(sleeper)


@pytest.mark.parametrize(("ignored", "ends"), [(signal.SIGINT, True), (signal.SIGHUP, False)])
def test_a_background_job_ends_on_an_interrupt_and_nohup_is_respected(
    tmp_path: Path, ignored: signal.Signals, ends: bool
) -> None:
    ignoring = f"import signal; signal.signal({ignored}, signal.SIG_IGN)\n{PROGRAM}"
    command = [sys.executable, "-c", ignoring, str(tmp_path)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as program:
        sleeper = started(tmp_path)

        program.send_signal(ignored)
        deadline = time.monotonic() + (60 if ends else 1)
        while program.poll() is None and time.monotonic() < deadline:
            time.sleep(0.05)

        assert (program.poll() is not None) == ends
        program.terminate()
        program.wait(60)

    assert is_gone(sleeper)


def test_a_server_that_ends_by_itself_gives_its_code(tmp_path: Path) -> None:
    assert serve(["/bin/sh", "-c", "exit 7"], os.environ, str(tmp_path)) == 7


def test_a_port_in_use_is_passed_over() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        assert port < free_port(port) <= port + 20


def test_a_port_that_does_not_exist_is_one_line() -> None:
    with pytest.raises(
        UsageError, match="--port 70000: neither this port nor a later one is free"
    ):
        free_port(70000)
