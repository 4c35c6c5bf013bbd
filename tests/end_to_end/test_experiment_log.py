"""`rankgrid experiment`: a log that only grows and concludes nothing without two measurements."""

import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bench.results import write_results
from tests.unit.compare.sample_results import query, results, stored, study, trial
from tests.unit.report.sample_study import FAILED

RANKGRID = str(Path(sys.executable).parent / "rankgrid")
START = ["start", "Smaller chunks", "--hypothesis", "Less noise\n## in the top ten"]
END = ["conclude", "Smaller chunks", "--conclusion", "It lost a query."]


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A folder with a study before and after."""
    write_results(stored({"x/one": 1, "x/two": 2, "x/three": None}), tmp_path / "before")
    write_results(stored({"x/one": 1, "x/two": None, "x/three": 4}), tmp_path / "after")
    return tmp_path


def experiment(work: Path, *arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    """Run the command in the folder and expect an exit code."""
    command = [RANKGRID, "experiment", *arguments]
    found = subprocess.run(command, cwd=work, capture_output=True, text=True, check=False)
    assert found.returncode == code, found.stderr + found.stdout
    return found


def log(work: Path) -> str:
    """Return what the log says."""
    return (work / "EXPERIMENTS.md").read_text(encoding="utf-8")


def test_an_experiment_goes_from_hypothesis_to_decision(work: Path) -> None:
    """What was there stays; the measurement before is kept, wherever its file goes."""
    experiment(work, *START, "--baseline", "before")
    started = log(work)
    write_results(stored({"x/one": None}), work / "before")

    experiment(work, *END, "--results", "after", "--revert")

    whole = log(work)
    assert whole.startswith(started)
    assert "## Experiment 1: Smaller chunks\n" in whole
    assert "**Hypothesis:** Less noise ## in the top ten\n" in whole
    assert "- Easy (3): MRR@10 0.500 → 0.417 (-0.083, 95 % " in whole
    assert "**Fell to 0:** x/two\n**Rose from 0:** x/three\n" in whole
    assert whole.endswith("**Conclusion:** It lost a query.\n**Decision:** revert\n")


def test_an_entry_has_the_day_and_what_is_changed(work: Path) -> None:
    """The day is that of the run, in UTC; what is not said is said to be."""
    first = today()
    experiment(work, *START, "--what", "chunk=512 → 256\nin all trials", "--baseline", "before")
    experiment(work, *END, "--results", "after", "--keep")
    experiment(work, "start", "Next", "--hypothesis", "More", "--baseline", "after")
    days = {first, today()}

    started, concluded, following = log(work).split("## Experiment ")[1:]

    assert "**What:** chunk=512 → 256 in all trials\n" in started
    assert "**What:** not said\n" in following
    for entry in (started, concluded, following):
        title, _, rest = entry.partition("\n\n**Date:** ")
        assert "\n" not in title
        assert rest.partition("\n")[0] in days


def today() -> str:
    """Return the day in UTC; a test may see midnight."""
    return f"{datetime.now(UTC):%Y-%m-%d}"


def test_nothing_is_concluded_without_both_measurements(work: Path) -> None:
    """Not started, no results, results that failed, or a state before that is gone."""
    experiment(work, *END, "--results", "after", "--keep", code=2)
    experiment(work, *START, "--baseline", "before")
    before = log(work)
    failed = study([trial([query("x/one", 1)])])
    write_results(results(replace(failed, trials=(FAILED,))), work / "failed")

    nowhere = experiment(work, *END, "--results", "nowhere", "--keep", code=2)
    broken = experiment(work, *END, "--results", "failed", "--keep", code=2)
    (work / "experiments" / "Smaller%20chunks" / "before.json").unlink()
    gone = experiment(work, *END, "--results", "after", "--keep", code=2)

    assert "no such results" in nowhere.stderr
    assert "has no result" in broken.stderr
    assert "nothing to conclude" in gone.stderr
    assert log(work) == before


def test_measurements_of_different_questions_are_refused(work: Path) -> None:
    """Another source tree under the same name."""
    experiment(work, *START, "--baseline", "before")
    other = stored({"x/one": 1, "x/two": 1, "x/three": 1})
    moved = tuple(replace(one, documents="another") for one in other.corpus)
    write_results(replace(other, corpus=moved), work / "after")

    found = experiment(work, *END, "--results", "after", "--keep", code=2)

    assert "corpus: x is not the same source tree" in found.stderr


def test_the_measurement_before_is_none_after(work: Path) -> None:
    """Concluding with it would say that nothing changed, of a change that was never run."""
    experiment(work, *START, "--baseline", "before")

    found = experiment(work, *END, "--results", "before", "--keep", code=2)

    assert "is the baseline itself" in found.stderr
    assert "concluded" not in log(work)


def test_a_name_is_used_once_and_concluded_once(work: Path) -> None:
    """Numbers go on."""
    experiment(work, *START, "--baseline", "before")
    again = experiment(work, *START, "--baseline", "before", code=2)
    experiment(work, *END, "--results", "after", "--keep")
    twice = experiment(work, *END, "--results", "after", "--keep", code=2)

    experiment(work, "start", "Next", "--hypothesis", "More", "--baseline", "after")

    assert "already exists" in again.stderr
    assert "is already concluded" in twice.stderr
    assert "## Experiment 2: Next\n" in log(work)
