"""TAB in the shells themselves, on a terminal."""

import os
import pty
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.processes import kill_session

RANKGRID = str(Path(sys.executable).parent / "rankgrid")
SHELLS = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
    "fish": ["fish", "--no-config", "-i"],
}
# What is completed is not run, but shown.
STUBS = {
    "bash": 'rankgrid() { echo "<$*>"; }; python() { echo "<$*>"; }',
    "zsh": 'rankgrid() { echo "<$*>"; }; python() { echo "<$*>"; }',
    "fish": 'function rankgrid; echo "<$argv>"; end; function python; echo "<$argv>"; end',
}
LOAD = {
    "bash": "source <('{}' completion bash)",
    "zsh": "source <('{}' completion zsh)",
    "fish": "'{}' completion fish | source",
}
# Fish wants the terminal to be the one that controls its session.
CONTROLLED = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0);"
    " os.execvp(sys.argv[1], sys.argv[1:])"
)
SECONDS = 60


class Terminal:
    """A shell on a terminal of its own."""

    def __init__(self, shell: str, folder: Path) -> None:
        ours, theirs = pty.openpty()
        environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "TERM": "dumb"}
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-c", CONTROLLED, *SHELLS[shell]],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=folder,
            env=environment,
            start_new_session=True,
            text=True,
        )
        os.close(theirs)
        self.screen, self.shown = ours, ""

    def type(self, text: str) -> None:
        """Type a text."""
        os.write(self.screen, text.encode())

    def wait_for(self, text: str) -> None:
        """Read the screen until it shows a text."""
        end = time.monotonic() + SECONDS
        while text not in self.shown:
            ready, _, _ = select.select([self.screen], [], [], max(0, end - time.monotonic()))
            assert ready, f"{text!r} is not on the screen:\n{self.shown}"
            self.shown += os.read(self.screen, 4096).decode(errors="replace")


@pytest.fixture(params=SHELLS)
def terminal(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Terminal]:
    """A shell with the completion loaded, in a folder with one file."""
    shell = str(request.param)
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed: apt-get install {shell}")
    (tmp_path / "results-of-monday.json").write_text("{}", encoding="utf-8")
    opened = Terminal(shell, tmp_path)
    try:
        opened.type(f"{LOAD[shell].format(RANKGRID)}; {STUBS[shell]}; echo lo''aded\n")
        opened.wait_for("loaded")
        yield opened
    finally:
        kill_session(opened.process)
        os.close(opened.screen)


def test_commands_settings_choices_flags_and_files_are_completed(terminal: Terminal) -> None:
    for typed, completed in (
        ("rankgrid benc\tretriev\tbm2\t", "<bench retriever=bm25"),
        ("rankgrid bench retriever=bm25 retriever.k1\t2", "<bench retriever=bm25 retriever.k1=2"),
        ("rankgrid bench --baselin\tresults-of\t", "<bench --baseline results-of-monday.json"),
        ("python bench/run.py study=weig\t", "<bench/run.py study=weights"),
        ("rankgrid bench repository=results-of\t", "<bench repository=results-of-monday.json"),
        ("python results-of\t", "<results-of-monday.json"),
    ):
        *steps, last = typed.split("\t")
        for step in steps:
            terminal.type(f"{step}\t")
            time.sleep(0.1)
        terminal.type(f"{last}\n")
        terminal.wait_for(completed)
