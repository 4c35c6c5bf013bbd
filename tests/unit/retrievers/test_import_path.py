"""Processes that are started here import nothing from the current folder."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from retrievers.external.processes import run
from retrievers.import_path import keep_current_folder_out, users_environment

NAME = "PYTHONSAFEPATH"
CHILDREN = {
    "a module": "subprocess.run([sys.executable, '-m', 'pip', '--version'], check=True)",
    "a line of code": "subprocess.run([sys.executable, '-c', 'import yaml'], check=True)",
    "a spawned process": (
        "child = multiprocessing.get_context('spawn').Process(target=abs, args=(1,)); "
        "child.start(); child.join(); assert child.exitcode == 0"
    ),
    "a resource tracker": "multiprocessing.resource_tracker.ensure_running()",
}
PROGRAM = """
import multiprocessing.resource_tracker, os, subprocess, sys, yaml
{protection}
if __name__ == "__main__":
    os.chdir({folder!r})
    {child}
"""
PROTECTION = "import retrievers.import_path; retrievers.import_path.keep_current_folder_out()"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder whose modules leave a mark."""
    place = tmp_path / "code"
    place.mkdir()
    for name in ("pip", "yaml", "multiprocessing", "pickle"):
        (place / f"{name}.py").write_text(f"open({str(tmp_path / 'mark')!r}, 'w').close()\n")
    return place


@pytest.mark.parametrize("child", CHILDREN.values(), ids=CHILDREN)
def test_children_and_their_children_import_nothing_of_the_current_folder(
    folder: Path, child: str
) -> None:
    run_program(folder, PROGRAM.format(protection=PROTECTION, folder=str(folder), child=child))

    assert not (folder.parent / "mark").exists()


def test_without_the_protection_they_do(folder: Path) -> None:
    child = CHILDREN["a line of code"]

    run_program(folder, PROGRAM.format(protection="", folder=str(folder), child=child))

    assert (folder.parent / "mark").exists()


def run_program(folder: Path, text: str) -> None:
    program = folder.parent / "program.py"
    program.write_text(text, encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if name != NAME}
    subprocess.run([sys.executable, str(program)], env=environment, check=True)


def test_a_program_of_the_user_finds_the_modules_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(NAME, "")
    keep_current_folder_out()
    (tmp_path / "beside.py").write_text("answer = 'found'\n", encoding="utf-8")
    (tmp_path / "engine.py").write_text("from beside import answer\nprint(answer)\n", "utf-8")

    finished = run([sys.executable, str(tmp_path / "engine.py")], folder=tmp_path, seconds=60)

    assert (finished.status, finished.output.strip()) == (0, "found"), finished.said


def test_a_protection_of_the_user_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, "1")

    keep_current_folder_out()

    assert os.environ[NAME] == users_environment()[NAME] == "1"


def test_the_folders_that_a_user_names_are_those_of_the_current_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The program runs elsewhere; an empty part, which means the current folder, is left out."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([".", "", "lib", "/opt/lib"]))

    folders = users_environment()["PYTHONPATH"].split(os.pathsep)

    assert folders == [str(tmp_path), str(tmp_path / "lib"), "/opt/lib"]
