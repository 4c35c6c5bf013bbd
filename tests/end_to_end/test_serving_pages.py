"""`rankgrid ui` says on which port it is, and leaves no process behind."""

import os
import signal
import socket
import sys
import time
from pathlib import Path
from subprocess import PIPE

from tests.processes import running

RANKGRID = Path(sys.executable).parent / "rankgrid"


def is_served(port: int) -> bool:
    """Tell whether anything listens on a port."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def test_a_taken_port_is_named_and_the_server_ends_with_its_program(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        command = [str(RANKGRID), "ui", "--port", str(port)]

        with running(command, folder=tmp_path, stdout=PIPE, stderr=PIPE) as program:
            assert program.stdout is not None
            assert program.stderr is not None
            address = program.stdout.readline().strip()
            used = int(address.removeprefix("http://127.0.0.1:"))
            assert port < used
            assert f"port {port} is in use; using {used}" in program.stderr.readline()
            while not is_served(used):
                assert program.poll() is None
                time.sleep(0.2)

            os.kill(program.pid, signal.SIGTERM)

            assert program.wait(60) == 128 + signal.SIGTERM
            printed = program.stderr.read()
            assert "Ctrl-C stops it" in printed
            assert "Warning" not in printed
            assert "INFO" not in printed
    assert not is_served(used)
