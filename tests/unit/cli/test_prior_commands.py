"""`rankgrid prior` keeps what own studies taught, and shows what is known."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from bench.cli.program import main
from bench.results import write_results
from bench.settings import StudySettings
from bench.settings.study import AdviceSettings
from tests.unit.advice.test_prior_advice import TAUGHT, study, trial
from tests.unit.report.sample_study import study_of


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return a folder with a finished study of five repositories, and one of another."""
    names = {f"service{number}": 24 for number in range(5)}
    taught = study_of(
        *(trial(name, TAUGHT[name], names, seed=len(name)) for name in ("low", "high"))
    )
    settings = StudySettings(advice=AdviceSettings(objective="ndcg_at_10"))
    fresh = study({"low": 0.02, "high": 0.0}, 8)
    write_results(replace(taught, id="earlier"), tmp_path / "earlier")
    write_results(replace(fresh, settings=settings), tmp_path / "fresh")
    return tmp_path


def run(place: Path, *typed: str, code: int = 0) -> None:
    """Run a command with the store in this folder."""
    with pytest.raises(SystemExit) as ended:
        main([*typed, "--store", str(place / ".rankgrid" / "store")])
    assert ended.value.code == code


def test_a_study_that_was_added_has_a_say_in_the_next(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(place, "prior", "add", str(place / "earlier"), "--name", "services", "--by", "us")
    assert "2 configurations, 120 queries about service0, service1" in capsys.readouterr().out

    run(place, "advise", str(place / "fresh"), "--json")
    said = json.loads(capsys.readouterr().out)

    assert said["ship"] == "high"
    assert said["prior"]["standing"] == "not contradicted here"
    assert said["prior"]["by"] == ["us"]


def test_prior_off_shows_the_study_alone(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(place, "prior", "add", str(place / "earlier"))
    capsys.readouterr()

    run(place, "advise", str(place / "fresh"), "--json", "--prior", "off")
    said = json.loads(capsys.readouterr().out)

    assert said["ship"] is None
    assert "prior" not in said


def test_a_table_is_listed_until_it_is_removed(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(place, "prior", "add", str(place / "earlier"), "--name", "services")
    run(place, "prior", "list")
    assert "services (" in capsys.readouterr().out

    run(place, "prior", "remove", "services")
    run(place, "prior", "list")

    listed = capsys.readouterr().out.partition("removed")[2]
    assert "services (" not in listed
    assert "shipped (" in listed


def test_a_table_that_is_not_there_cannot_be_removed(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(place, "prior", "remove", "shipped", code=2)

    assert "shipped: was not added to" in capsys.readouterr().err


def test_what_is_shown_can_be_of_one_kind_of_question(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(place, "prior", "add", str(place / "earlier"))
    capsys.readouterr()

    run(place, "prior", "show", "--level", "symbol", "--kind", "api", "--measure", "ndcg_at_10")
    page = capsys.readouterr().out.splitlines()

    assert page[0] == "NDCG@10 at symbol level, api"
    own = [line.split()[:5] for line in page if " 120 " in line]
    assert own == [
        ["+0.040", "0.000", "0.580", "5", "120"],
        ["-0.040", "0.000", "0.500", "5", "120"],
    ]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (("--measure", "mrr"), "--measure mrr: not in the tables"),
        (("--level", "file"), "--level file: no table has this level"),
        (("--kind", "apis"), "--kind apis: not in the tables"),
    ],
)
def test_what_no_table_has_is_refused(
    typed: tuple[str, str], said: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(place, "prior", "show", *typed, code=2)

    assert said in capsys.readouterr().err


def test_a_damaged_table_is_named(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = place / ".rankgrid" / "prior"
    folder.mkdir(parents=True)
    (folder / "torn.json").write_text('{"schema": 1}')

    run(place, "advise", str(place / "fresh"), code=2)

    assert "torn.json: " in capsys.readouterr().err
