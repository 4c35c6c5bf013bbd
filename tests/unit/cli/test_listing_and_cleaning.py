"""`rankgrid list` shows the studies of a folder; `rankgrid clean` removes finished ones only."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bench.cli.program import main
from bench.engine import leases
from bench.results import point_latest, write_results
from tests.unit.report.sample_study import TRIAL, study_of

HOLDER = """\
import sys, time
from pathlib import Path
from bench.engine.leases import hold
with hold(Path(sys.argv[1]), sys.argv[2]):
    print("held", flush=True)
    time.sleep(600)
"""


@pytest.fixture
def output(tmp_path: Path) -> Path:
    """Return a folder with three studies, 1, 20 and 40 days old; the oldest failed in part."""
    folder = tmp_path / "outputs"
    for days, name in ((40, "old"), (20, "middle"), (1, "new")):
        write(folder / name, name, days)
    point_latest(folder / "new")
    return folder


def write(folder: Path, name: str, days: float) -> None:
    """Write a study that began so many days ago."""
    began = (datetime.now(UTC) - timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%SZ")
    trials = (TRIAL, replace(TRIAL, name="b" * 100))
    study = replace(study_of(*trials), id=name, timestamp=began)
    write_results(study, folder)
    (folder / "report.html").write_bytes(b"x" * 3_000_000)


def told(
    capsys: pytest.CaptureFixture[str], output: Path, *typed: str, code: int = 0
) -> tuple[str, str]:
    """Run a command on a folder of results; return what it prints and what it complains of."""
    with pytest.raises(SystemExit) as ended:
        main([*typed, "--output", str(output)])
    shown = capsys.readouterr()
    assert ended.value.code == code, shown.err
    return shown.out, shown.err


def names(output: Path) -> set[str]:
    """Return the folders and files that are left."""
    return {path.name for path in output.iterdir() if not path.name.startswith(".")}


@contextmanager
def lease(output: Path, name: str) -> Iterator["subprocess.Popen[str]"]:
    """Have another process hold the lease of a study."""
    command = [sys.executable, "-c", HOLDER, str(output), name]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        try:
            yield process
        finally:
            process.kill()


def test_studies_are_listed_newest_first_within_80_columns(
    output: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = told(capsys, output, "list")[0].splitlines()

    assert [line.split()[0] for line in lines if line[0] != " "] == ["new", "middle", "old", "3"]
    assert "2 done" in lines[0]
    assert lines[0].endswith("3.0 MB")
    assert lines[-1].startswith("3 studies in ")
    assert all(len(line) <= 80 for line in lines[:-1])


def test_the_choice_is_listed_under_the_label_of_its_study(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One trial is not undecided, and the likely one need not be the highest."""
    advice: dict[str, dict[str, object]] = {
        "shipped": {"ship": "a"},
        "likely": {"prior": {"trial": "b"}},
        "open": {},
    }
    for number, (name, recorded) in enumerate(advice.items()):
        write(tmp_path / name, name, number)
        file = tmp_path / name / "results.json"
        whole = json.loads(file.read_bytes())
        whole["recommendation"] |= {"highest": "c", **recorded}
        file.write_text(json.dumps(whole), encoding="utf-8")
    write_results(replace(study_of(TRIAL), id="one"), tmp_path / "one")

    lines = told(capsys, tmp_path, "list")[0].splitlines()

    assert [line.strip() for line in lines if line[0] == " "] == [
        "ship a",
        "undecided; likely b",
        "undecided; highest c",
    ]


def test_a_misspelt_folder_is_not_an_empty_list(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    err = told(capsys, tmp_path / "outptus", "list", code=2)[1]

    assert "outptus: no such folder; give a folder of results" in err


def test_a_list_for_programs_says_what_the_list_for_people_says(
    output: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found: dict[str, Any] = json.loads(told(capsys, output, "list", "--json")[0])

    assert [one["study"] for one in found["studies"]] == ["new", "middle", "old"]
    assert found["bytes"] == sum(one["bytes"] for one in found["studies"])
    assert found["bytes"] > 9_000_000
    assert set(found["studies"][0]) >= {"folder", "began", "suite", "trials", "failed", "ship"}
    assert found["running"] == []


def test_studies_go_by_age_and_the_newest_are_kept(
    output: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told(capsys, output, "clean", "--older-than", "10d", "--keep", "2", "--yes")
    assert names(output) == {"middle", "new", "latest"}

    told(capsys, output, "clean", "--older-than", "30d", "--yes")
    assert names(output) == {"middle", "new", "latest"}

    told(capsys, output, "clean", "--keep", "1", "--yes")
    assert names(output) == {"new", "latest"}


def test_without_a_terminal_and_without_yes_nothing_is_removed(
    output: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, err = told(capsys, output, "clean", "--older-than", "30d", code=2)

    assert out.startswith("old ")
    assert "1 study (3.0 MB) would be removed. Add --yes" in err
    assert names(output) == {"old", "middle", "new", "latest"}


@pytest.mark.parametrize(("answer", "left"), [("y", {"new", "latest"}), ("", None)])
def test_a_terminal_is_asked(output: Path, answer: str, left: set[str] | None) -> None:
    before = names(output)
    controller, terminal = os.openpty()
    program = "import sys; from bench.cli import main; main(sys.argv[1:])"
    command = [sys.executable, "-c", program, "clean", "--keep", "1", "--output", str(output)]
    os.write(controller, f"{answer}\n".encode())
    asked = subprocess.run(command, stdin=terminal, capture_output=True, text=True, check=True)
    os.close(terminal)
    os.close(controller)

    assert "Remove 2 studies, 6.0 MB? [y/N]" in asked.stdout
    assert names(output) == (left or before)


def test_latest_means_the_newest_study_that_is_left(
    output: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told(capsys, output, "clean", "new", "--yes")
    assert (output / "latest").resolve() == output / "middle"

    told(capsys, output, "clean", "--keep", "0", "--yes")
    assert not (output / "latest").is_symlink()


def test_a_running_study_is_listed_and_never_removed(
    output: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with lease(output, "old") as process:
        listed = told(capsys, output, "list")[0]
        refused = told(capsys, output, "clean", "old", "--yes", code=2)[1]
        told(capsys, output, "clean", "--keep", "0", "--yes")

        assert f"running as process {process.pid}" in listed
        assert "old: the study is running. Wait for its end." in refused
        assert names(output) == {"old", "latest"}


def test_a_study_that_was_killed_is_not_running(
    output: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with lease(output, "old") as process:
        process.kill()
        process.wait()

    assert (output / leases.STATE / "running" / "old").exists()
    told(capsys, output, "clean", "old", "--yes")
    assert "old" not in names(output)
    assert not (output / leases.STATE / "running" / "old").exists()


def test_links_are_not_followed_and_other_folders_are_left_alone(
    output: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A study elsewhere, a link within a study, a folder of notes, a copy under another name."""
    write(tmp_path / "elsewhere", "elsewhere", 99)
    (output / "elsewhere").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "kept").touch()
    (output / "old" / "data").symlink_to(tmp_path / "data", target_is_directory=True)
    (output / "notes").mkdir()
    (output / "notes" / "results.json").write_text("[1, 2]", encoding="utf-8")
    write(output / "copy", "old", 40)

    told(capsys, output, "clean", "--keep", "0", "--yes")
    refused = told(capsys, output, "clean", "copy", "--yes", code=2)[1]

    assert names(output) == {"elsewhere", "notes", "copy"}
    assert (tmp_path / "elsewhere" / "results.json").exists()
    assert (tmp_path / "data" / "kept").exists()
    assert "copy: is not the name that its study gave it." in refused


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ((), "nothing to remove was named. Add NAME, --older-than or --keep."),
        (("../outputs/old",), "no such study"),
        (("older",), "did you mean old?"),
        (("--older-than", "30"), "30: is not an age"),
        (("--keep", "-1"), "--keep"),
        (("old", "--json"), "clean --json: cannot ask. Add --yes."),
    ],
)
def test_wrong_commands_are_refused_in_one_line(
    output: Path, capsys: pytest.CaptureFixture[str], typed: tuple[str, ...], said: str
) -> None:
    err = told(capsys, output, "clean", *typed, code=2)[1]

    assert said in err
    assert err.count("\n") == 1
    assert len(names(output)) == 4
