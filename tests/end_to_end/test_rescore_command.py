"""`rankgrid rescore`: today's measures over stored rankings, with nothing run."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bench.results.packed import unpacked
from tests.small_study import CART, QUERIES

ROOT = Path(__file__).parents[2]
RANKGRID = str(Path(sys.executable).parent / "rankgrid")


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A folder with a finished study of two trials."""
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "cart.py").write_text(CART, encoding="utf-8")
    (tmp_path / "shop" / "notes.md").write_text("An item is taken out again.\n", encoding="utf-8")
    (tmp_path / "queries.yaml").write_text(QUERIES, encoding="utf-8")
    run_study(tmp_path)
    return tmp_path


def run_study(work: Path) -> None:
    """Run the two trials in the folder."""
    study = ["-m", "chunk=16,64", "suite=own", "repository=shop", "queries=queries.yaml"]
    study += ["retriever=bm25", "tracking=none", "execution=local"]
    command = [sys.executable, str(ROOT / "bench" / "run.py"), *study]
    subprocess.run(command, cwd=work, capture_output=True, check=True)


def rescore(work: Path, *arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    """Run the command in the folder and expect an exit code."""
    command = [RANKGRID, "rescore", *arguments]
    found = subprocess.run(command, cwd=work, capture_output=True, text=True, check=False)
    assert found.returncode == code, found.stderr + found.stdout
    return found


def content(place: Path) -> dict[str, Any]:
    """Return the content of a results file."""
    found: dict[str, Any] = unpacked(
        json.loads((place / "results.json").read_text(encoding="utf-8"))
    )
    return found


def test_unchanged_measures_give_the_numbers_that_were_there(work: Path) -> None:
    """Every mean, level, part and query; and the store is as it was."""
    files = sorted(path for path in (work / ".rankgrid").rglob("*") if path.is_file())

    found = rescore(work, "latest", "--to", "again")

    old, new = content(work / "outputs" / "latest"), content(work / "again")
    assert new["reports"] == old["reports"]
    assert found.stdout.count("every mean is as it was") == 2
    assert new["study"] == f"{old['study']}-rescored"
    assert sorted(path for path in (work / ".rankgrid").rglob("*") if path.is_file()) == files


def test_a_new_measure_is_computed_and_an_edited_one_put_right(work: Path) -> None:
    """As if the formula had been another when the file was written."""
    place = work / "outputs" / "latest" / "results.json"
    true = content(place.parent)
    old = content(place.parent)
    old["reports"][0]["summary"]["avg_mrr"] = 0.1234
    old["reports"][0]["query_results"][0]["mrr"] = 0.1234
    old["reports"][0]["summary"]["avg_forgotten_at_3"] = 0.5
    old["reports"][0]["query_results"][0]["forgotten_at_3"] = 0.5
    place.write_text(json.dumps(old), encoding="utf-8")

    found = rescore(work, "latest", "--measure", "map_at_5", "--to", "again")

    new = content(work / "again")["reports"][0]
    assert new["summary"]["avg_mrr"] == true["reports"][0]["summary"]["avg_mrr"]
    assert new["query_results"][0]["mrr"] == true["reports"][0]["query_results"][0]["mrr"]
    assert new["summary"]["avg_map_at_5"] is not None
    assert "forgotten" not in json.dumps(new)
    assert "mrr 0.1234 →" in found.stdout
    assert "chunk=16: map_at_5 0.5 (new)" in found.stdout


def test_credits_and_ranks_are_put_right_as_well(work: Path) -> None:
    """As if hits had matched by another rule when the file was written."""
    place = work / "outputs" / "latest" / "results.json"
    true = content(place.parent)["reports"]
    old = content(place.parent)
    for query in (query for report in old["reports"] for query in report["query_results"]):
        query["target_ranks"] = [7 for _ in query["target_ranks"]]
        query["retrieved"] = [{**hit, "credit": "duplicate"} for hit in query["retrieved"]]
    place.write_text(json.dumps(old), encoding="utf-8")

    rescore(work, "latest", "--to", "again")

    shown = [
        hit["credit"]
        for one in true
        for query in one["query_results"]
        for hit in query["retrieved"]
    ]
    assert {"relevant", "nothing"} <= set(shown)
    assert content(work / "again")["reports"] == true


def test_rescored_results_can_be_compared(work: Path) -> None:
    """Like those of any study."""
    rescore(work, "latest", "--to", "again")

    found = subprocess.run(
        [RANKGRID, "compare", "latest", "again", "--trial", "chunk=16"],
        cwd=work,
        capture_output=True,
        text=True,
        check=True,
    )

    assert "2 queries: 0 win, 0 loss, 0 regression, 2 draw" in found.stdout


def test_what_is_not_in_the_store_any_more_is_said(work: Path) -> None:
    """Nothing is half-written."""
    shutil.rmtree(work / ".rankgrid" / "store" / "artifacts" / "cut-at-breaks")

    found = rescore(work, "latest", "--to", "again", code=2)

    assert "are not in the store" in found.stderr
    assert not (work / "again").exists()


def test_damaged_rankings_are_named_with_their_file(work: Path) -> None:
    """Once the file is removed, the same study makes it again."""
    old = content(work / "outputs" / "latest")
    ranking = old["reports"][0]["evidence"]["shop"]["ranking"]
    kind, fingerprint = ranking.split("/")
    (file,) = (work / ".rankgrid" / "store" / "artifacts" / kind).rglob(f"{fingerprint}*")
    file.write_bytes(file.read_bytes()[:-1])

    found = rescore(work, "latest", "--to", "again", code=2)
    file.unlink()
    run_study(work)
    rescore(work, "latest", "--to", "again")

    assert f"is damaged; remove {file} and run the study again" in found.stderr
    assert [one["summary"]["avg_mrr"] for one in content(work / "again")["reports"]] == [
        one["summary"]["avg_mrr"] for one in old["reports"]
    ]


def test_an_unknown_measure_is_refused(work: Path) -> None:
    """With the nearest that there is."""
    found = rescore(work, "latest", "--measure", "mrrr", code=2)

    assert "mrrr" in found.stderr


def test_what_is_stored_of_another_place_is_refused_in_one_line(work: Path) -> None:
    """An edited file may name anything as its evidence; nothing outside of the store is read."""
    place = work / "outputs" / "latest" / "results.json"
    edits: dict[str, Any] = {
        "ranking": "../../queries.yaml/x",
        "overlap": "half",
        "limit": 10**400,
        "chunks": 3,
    }
    for name, value in edits.items():
        old = content(place.parent)
        old["reports"][0]["evidence"]["shop"][name] = value
        (work / "edited.json").write_text(json.dumps(old), encoding="utf-8")

        found = rescore(work, "edited.json", code=2)

        assert found.stderr.startswith("rankgrid: ")
        assert found.stderr.count("\n") == 1
