"""Lines with a mistake are answered word for word as the table has it, with exit code 2.

The table is `wrong_lines.txt`. Its lines run in this process; a few run as a user starts them.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.wrong_lines import WrongLine, answered, write_folder, wrong_lines

LINES = list(wrong_lines())
_FEWEST = 50


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the files that the lines name; nothing may change it."""
    folder = tmp_path_factory.mktemp("wrong")
    write_folder(folder)
    return folder


@pytest.fixture(autouse=True)
def machine(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand in the folder, without a network, where the shell finds rankgrid."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(folder / "no-models"))


def content(folder: Path) -> list[Path]:
    """Return everything in a folder."""
    return sorted(folder.rglob("*"))


def test_the_table_has_its_lines() -> None:
    assert len(LINES) >= _FEWEST
    assert len({line.typed for line in LINES}) == len(LINES)
    assert all(line.answer for line in LINES)


@pytest.mark.parametrize("line", LINES, ids=lambda line: line.typed[:60])
def test_a_wrong_line_has_one_answer_and_leaves_nothing(line: WrongLine, folder: Path) -> None:
    before = content(folder)

    answer = answered(line)

    assert (answer.code, answer.output) == (2, "")
    assert answer.errors.count("\n") == 1
    assert line.is_answered_by(answer.line), answer.line
    assert content(folder) == before


@pytest.mark.parametrize(
    "typed",
    [
        ("bench", "--min-mrr", "70"),
        ("compair",),
        ("bench", "suite=own", "repository=code", "queries=queries.yaml", "output=/proc/x"),
        ("bench", "retriever=dense", "embedder=bge_small"),
    ],
    ids=" ".join,
)
def test_a_program_that_is_typed_wrong_shows_one_line_and_no_traceback(
    typed: tuple[str, ...], folder: Path
) -> None:
    before = content(folder)
    command = [str(Path(sys.executable).parent / "rankgrid"), *typed]

    found = subprocess.run(command, capture_output=True, text=True, check=False)

    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.count("\n") == 1
    assert "Traceback" not in found.stderr
    assert content(folder) == before
