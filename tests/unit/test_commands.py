"""What people are told to type next works in the shell that they read it in."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bench.commands import bench_command, command

ROOT = Path(__file__).parents[2]
PROGRAM = Path(sys.executable).parent / "rankgrid"


def test_a_program_that_the_shell_finds_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{PROGRAM.parent}:/usr/bin:/bin")

    assert command("ui") == "rankgrid ui"
    assert bench_command("chunk=64") == "rankgrid bench chunk=64"


def test_without_an_activated_environment_the_path_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Relative where that is enough, as in the folder of a checkout."""
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    monkeypatch.chdir(tmp_path)
    assert command("ui") == f"{PROGRAM} ui"
    assert bench_command("chunk=64") == f"{ROOT}/scripts/bench chunk=64"

    monkeypatch.chdir(ROOT)
    assert bench_command("chunk=64") == "scripts/bench chunk=64"


def test_the_program_of_another_environment_is_not_taken_for_this_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    other = tmp_path / "rankgrid"
    other.write_text("#!/bin/sh\n", encoding="utf-8")
    other.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.chdir(tmp_path)

    assert shutil.which("rankgrid") == str(other)
    assert command("ui") == f"{PROGRAM} ui"


@pytest.mark.parametrize("path", ["/usr/bin:/bin", f"{PROGRAM.parent}:/usr/bin:/bin"])
def test_the_named_command_runs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, path: str
) -> None:
    monkeypatch.setenv("PATH", path)
    monkeypatch.chdir(tmp_path)

    done = subprocess.run(
        ["/bin/sh", "-c", command("--version")], capture_output=True, text=True, check=True
    )

    assert done.stdout.startswith("rankgrid ")
