"""With --json a command prints one JSON value of a documented shape, and no text for people."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bench.cli.program import arguments_of, main
from bench.results import RepositoryIdentity, point_latest, write_results
from bench.settings import StudySettings
from tests.small_study import CART, QUERIES
from tests.unit.advice.test_study_advice import LARGE, SMALL
from tests.unit.report.sample_study import study_of

SHAPES = {
    "advise latest": {"ship", "highest", "sentences"},
    "baseline save": {"study", "baseline"},
    "baseline show latest": {"baseline", "study", "commit", "suite", "corpus", "trials"},
    "cache": {"store", "folders", "bytes", "running", "removed_bytes"},
    "clean s1 --yes": {"removed", "bytes"},
    "doctor latest": {"findings", "ok"},
    "gate --min mrr=0.1": {"study", "state", "exit_code", "notes", "checks"},
    "list": {"studies", "running", "bytes"},
    "report latest": {"study", "report"},
    "show chunks code": {"chunks", "facts"},
    "show symbols code": {"symbols", "files", "unparsed"},
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current folder, with a study, its results and code."""
    monkeypatch.chdir(tmp_path)
    study = study_of(LARGE, SMALL)
    corpus = (RepositoryIdentity("shop", "d" * 64, "q" * 64, 1),)
    study = replace(study, id="s1", settings=StudySettings(), corpus=corpus)
    write_results(study, tmp_path / "outputs" / "s1")
    point_latest(tmp_path / "outputs" / "s1")
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "cart.py").write_text(CART, encoding="utf-8")
    (tmp_path / "queries.yaml").write_text(QUERIES, encoding="utf-8")
    return tmp_path


def printed(capsys: pytest.CaptureFixture[str], typed: str) -> dict[str, Any]:
    """Return the JSON that a command prints."""
    with pytest.raises(SystemExit) as ended:
        main([*typed.split(), "--json"])
    shown = capsys.readouterr()
    assert ended.value.code == 0, shown.err
    found: dict[str, Any] = json.loads(shown.out)
    return found


@pytest.mark.parametrize("typed", sorted(SHAPES))
def test_the_shape_is_the_documented_one(
    here: Path, capsys: pytest.CaptureFixture[str], typed: str
) -> None:
    found = printed(capsys, typed)

    assert set(found) >= SHAPES[typed]
    with pytest.raises(SystemExit):
        arguments_of([*[word for word in typed.split() if word.isalpha()][:2], "--help"])
    page = " ".join(capsys.readouterr().out.split())
    assert all(key in page for key in SHAPES[typed]), page


def test_numbers_of_documents_are_those_of_the_text(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    symbols = printed(capsys, "show symbols code")["symbols"]
    chunks = printed(capsys, "show chunks code --text")["chunks"]

    assert [one["name"] for one in symbols] == ["cart.Cart", "cart.Cart.total", "cart.Cart.remove"]
    assert symbols[1] | {"start": 2, "end": 3, "path": "cart.py"} == symbols[1]
    assert [one["text"] for one in chunks] == [CART]
    assert "text" not in printed(capsys, "show chunks code")["chunks"][0]


def test_a_run_is_one_value_with_its_code(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.rmtree(here / "outputs")
    own = "suite=own repository=code queries=queries.yaml retriever=bm25"
    typed = f"run {own} latency=off tracking=none execution=local execution.workers=1"

    found = printed(capsys, typed)

    assert found["exit_code"] == 0
    assert found["comparison"] is None
    assert [one["id"] for one in found["queries"]] == ["q1", "q2", "q3"]
    assert found["means"]["mrr"] > 0
    assert Path(found["results"]).exists()
    again = printed(capsys, f"{typed} --baseline {found['results']}")
    assert again["comparison"]["queries"] == 2


def test_changes_of_scores_and_the_end_of_an_experiment_are_json(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = "suite=own repository=code queries=queries.yaml latency=off tracking=none"
    light = "execution=local execution.workers=1"
    first = printed(capsys, f"run {own} {light} retriever=bm25")["results"]
    second = printed(capsys, f"run {own} {light} retriever=grep")["results"]

    rescored = printed(capsys, f"rescore {first} --measure ndcg_at_5 --to rescored")
    with pytest.raises(SystemExit):
        main(["experiment", "start", "Grep", "--hypothesis", "faster", "--baseline", first])
    capsys.readouterr()
    end = f"experiment conclude Grep --results {second} --conclusion no --revert"
    concluded = printed(capsys, end)

    assert {one["measure"] for one in rescored["changes"]} == {"ndcg_at_5"}
    assert rescored["changes"][0]["before"] is None
    assert (concluded["experiment"], concluded["decision"]) == (1, "revert")
    assert "deltas" in concluded["comparison"]
