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


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is full")
@pytest.mark.parametrize("command", [("list",), ("bench", "--cfg", "job")])
def test_a_full_disk_is_one_line(command: tuple[str, ...], tmp_path: Path) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        ended = subprocess.run(
            (*RANKGRID, *command),
            stdout=full,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            cwd=tmp_path,
            text=True,
            check=False,
        )

    assert (ended.returncode, ended.stderr) == (1, "rankgrid: No space left on device\n")
