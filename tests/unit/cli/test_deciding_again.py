"""`rankgrid advise` decides again from a finished study, and runs nothing."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from bench.cli.program import main
from bench.results import write_results
from bench.settings import StudySettings
from tests.unit.advice.test_study_advice import LARGE, SMALL
from tests.unit.report.sample_study import study_of


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """Return the folder of a study of two trials that show different amounts of text."""
    write_results(replace(study_of(LARGE, SMALL), settings=StudySettings()), tmp_path / "study")
    return tmp_path / "study"


def said(typed: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Return what a command prints on success."""
    with pytest.raises(SystemExit) as ended:
        main(typed)
    out: str = capsys.readouterr().out
    assert ended.value.code == 0
    return out


def refused(typed: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Return the one line with which a command refuses."""
    with pytest.raises(SystemExit) as ended:
        main(typed)
    shown = capsys.readouterr()
    assert ended.value.code == 2
    assert shown.out == ""
    return str(shown.err)


def test_without_a_budget_every_budget_is_answered(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = said(["advise", str(study)], capsys)

    everything = said(["advise", str(study), "--verbose"], capsys)

    assert page.splitlines()[:2] == [
        "Ship:      small at 4,000 tokens (coverage 0.500)",
        "Ship:      the same at 1,000 and 2,000 tokens",
    ]
    assert "What to ship, by the text that is read" in everything
    assert "Ship small:" in everything


def test_a_study_of_one_trial_names_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_results(replace(study_of(SMALL), settings=StudySettings()), tmp_path)

    page = said(["advise", str(tmp_path)], capsys)

    assert page.startswith("Only:      small (coverage 0.500 in 4,000 tokens); there is nothing")


def test_a_budget_and_limits_decide_again(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = json.loads(said(["advise", str(study), "--budget-tokens=8000", "--json"], capsys))
    few = [str(study), "--budget-tokens=8000", "--max-shown-tokens=5000", "--json"]
    limited = json.loads(said(["advise", *few], capsys))

    assert (whole["ship"], whole["budgets"]) == ("large", [])
    assert [one["trial"] for one in limited["ruled_out"]] == ["large"]
    assert limited["ship"] is None


def test_the_files_of_the_study_stay_as_they_are(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {path.name: path.read_bytes() for path in study.iterdir()}

    said(["advise", str(study), "--objective=coverage_at_10"], capsys)

    assert {path.name: path.read_bytes() for path in study.iterdir()} == before


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        (["--budget-tokens=3000"], "coverage_at_3000_tokens: the study did not measure it"),
        (["--budget-tokens=0"], "budget_tokens=0: must be from 1 to 1000000"),
        (["--objective=speed"], "measure 'speed' does not exist"),
        (["--margin=2"], "margin=2.0: must be above 0 and below 1"),
        (["--max-latency=-3"], "max_latency_p95_ms=-3.0: must be above 0"),
        (["--budget-tokens=few"], "--budget-tokens few: must be a whole number"),
    ],
)
def test_what_cannot_be_decided_is_refused(
    typed: list[str], answer: str, study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = refused(["advise", str(study), *typed], capsys)

    assert answer in line
    assert line.count("\n") == 1
