"""`rankgrid compare` on files, as people type it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from bench.results import write_results
from tests.unit.compare.sample_results import stored

RANKGRID = str(Path(sys.executable).parent / "rankgrid")


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A folder with two studies: one query got lost."""
    write_results(stored({"x/one": 1, "x/two": 2}), tmp_path / "before")
    write_results(stored({"x/one": 1, "x/two": None}), tmp_path / "after")
    return tmp_path


def rankgrid(work: Path, *arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    """Run a command in the folder and expect an exit code."""
    command = [RANKGRID, *arguments]
    found = subprocess.run(command, cwd=work, capture_output=True, text=True, check=False)
    assert found.returncode == code, found.stderr + found.stdout
    return found


def test_two_folders_are_compared_as_text(work: Path) -> None:
    found = rankgrid(work, "compare", "before", "after")

    assert "regression  x/two  rank 2 → not found" in found.stdout
    assert "paired by: the only trial of each" in found.stdout


def test_json_and_markdown_can_be_written_to_a_file(work: Path) -> None:
    rankgrid(work, "compare", "before", "after/results.json", "--json", "--to", "c.json")
    rankgrid(work, "compare", "before", "after", "--markdown", "--to", "c.md")

    kept = json.loads((work / "c.json").read_text(encoding="utf-8"))
    assert kept["deltas"]["mrr"] == -0.25
    assert kept["counts"] == {"win": 0, "loss": 0, "regression": 1, "draw": 1}
    assert "### Regressions (1)" in (work / "c.md").read_text(encoding="utf-8")


def test_what_is_nowhere_exits_2_with_one_line(work: Path) -> None:
    found = rankgrid(work, "compare", "before", "nowhere", code=2)

    assert found.stderr.startswith("rankgrid: nowhere: no such results;")
    assert found.stderr.count("\n") == 1


def test_a_trial_is_chosen_by_name(work: Path) -> None:
    found = rankgrid(work, "compare", "before", "after", "--trial", "no such", code=2)

    assert "no trial 'no such'" in found.stderr


def test_a_waived_repository_must_be_one_of_the_study(work: Path) -> None:
    """A typing error would waive nothing, silently."""
    asked = ["gate", "after", "--baseline", "before", "--waive", "y"]

    found = rankgrid(work, *asked, code=2)

    assert found.stderr == "rankgrid: --waive y: no such repository; there are x\n"


def test_a_file_that_cannot_be_written_is_one_line(work: Path) -> None:
    """No traceback where a file is in the place of the folder."""
    (work / "taken").write_text("not a folder", encoding="utf-8")

    found = rankgrid(work, "compare", "before", "after", "--to", "taken/page.txt", code=1)

    assert found.stderr == (
        "rankgrid: taken/page.txt: cannot be written (a file is in the place of its folder);"
        " choose a place in a folder that can be written to\n"
    )
