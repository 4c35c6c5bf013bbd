"""A command whose output is closed early, as `head` does, ends without a traceback."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RANKGRID = (sys.executable, "-c", "from bench.cli import main; main()")
RUN = (sys.executable, str(ROOT / "bench" / "run.py"))


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "command",
    [
        (*RANKGRID, "bench", "--cfg", "job"),
        (*RANKGRID, "bench", "--help"),
        (*RUN, "--cfg", "job"),
        (*RANKGRID, "completion", "bash"),
    ],
    ids=["rankgrid", "help", "run.py", "completion"],
)
def test_a_closed_pipe_leaves_no_traceback(command: tuple[str, ...], unbuffered: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)

    ended = subprocess.run(
        command,
        stdout=writing,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        text=True,
        check=False,
    )

    os.close(writing)
    assert (ended.returncode, ended.stderr) == (1, "")
