"""Whole studies of a part of a suite: of some queries, some files or half of the repositories."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bench.results.packed import unpacked
from tests.small_suite import write_suite

RUN = Path(__file__).parents[2] / "bench" / "run.py"
SUITE = ("suite=file", "suite.path=suite.yaml")
SHARED = ("retriever=bm25", "tracking=none", "latency=off", "execution=local")


def run(
    folder: Path, *arguments: str, code: int = 0, suite: tuple[str, ...] = SUITE
) -> subprocess.CompletedProcess[str]:
    """Run a study in a folder and check its exit code."""
    command = [sys.executable, str(RUN), *suite, *SHARED, *arguments]
    found = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert found.returncode == code, found.stdout + found.stderr
    return found


def results(folder: Path) -> dict[str, Any]:
    """Return the results of the latest study."""
    file = folder / "outputs" / "latest" / "results.json"
    found: dict[str, Any] = unpacked(json.loads(file.read_text("utf-8")))
    return found


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A folder with a suite of two repositories."""
    write_suite(tmp_path)
    return tmp_path


def test_a_study_of_some_queries_is_compared_with_its_like_only(work: Path) -> None:
    """The configuration that it advises asks the same queries."""
    chosen = "only.tags=[fast]"
    first = run(work, chosen, "only.per_repository=2")

    assert f"{chosen} only.per_repository=2" in " ".join(first.stdout.split())
    assert f"{chosen} only.per_repository=2: 4 of 18 queries" in " ".join(first.stdout.split())
    assert results(work)["only"] == f"{chosen} only.per_repository=2"
    assert {one["count"] for one in results(work)["corpus"]} == {2}
    baseline = str((work / "outputs" / "latest").resolve())
    again = run(work, "study=outputs/latest/chosen.yaml", "--baseline", baseline, suite=())
    assert "no ndcg_at_10 of 4 queries changed" in again.stdout
    other = run(work, "only.ids=[shop/q1]", "--baseline", baseline, code=4)
    asked = f"a asks {chosen} only.per_repository=2, b asks only.ids=[shop/q1]"
    assert f"not comparable: fixtures: {asked}" in other.stdout


def test_a_study_of_some_files_shows_no_other(work: Path) -> None:
    """A query whose answer is left out is told; nothing is scored in its place."""
    for name in ("docs", "docs_de"):
        (work / "shop" / name).mkdir()
        (work / "shop" / name / "a.md").write_text("total of prices added up\n", encoding="utf-8")
    own = ("suite=own", "repository=shop", "queries=shop.yaml")
    run(work, "exclude=[docs_de/]", "retriever.unit=chunk", suite=own)

    shown = {
        hit["path"]
        for one in results(work)["reports"][0]["query_results"]
        for hit in one["retrieved"]
    }

    assert shown == {"shop.py", "docs/a.md"}
    run(work, "study=outputs/latest/chosen.yaml", "--plan", suite=())
    failed = run(work, "languages=[go]", suite=own, code=2)
    assert "without the files that languages=[go] leaves out" in failed.stderr
    assert failed.stdout == ""


def test_half_of_the_repositories_is_searched_and_the_other_half_chooses(work: Path) -> None:
    """Weights are chosen on a repository that the study does not report on."""
    hybrid = ["retriever=hybrid", "retriever.channels=[bm25,grep]", "weights={steps: 2}"]

    found = run(work, "half=report", "half_of=repositories", *hybrid)

    assert "report half of the repositories" in " ".join(found.stdout.split())
    page = (work / "outputs" / "latest" / "report.md").read_text("utf-8")
    assert r"half=report half\_of=repositories: 9 queries; 9 are in the other half" in page
    (reported,) = (one["repository"] for one in results(work)["corpus"])
    (trial,) = results(work)["reports"]
    assert list(trial["tuning"]["repositories"]) == [{"shop": "bank", "bank": "shop"}[reported]]
    (line,) = (work / "outputs" / "report_openings.jsonl").read_text("utf-8").splitlines()
    assert json.loads(line)["half_of"] == "repositories"
    baseline = str((work / "outputs" / "latest").resolve())
    other = run(work, "half=report", *hybrid, "--baseline", baseline, code=4)
    asked = "a asks half=report half_of=repositories, b asks half=report"
    assert f"not comparable: fixtures: {asked}" in other.stdout


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("only.tags=[fats]", "no such tag in the suite; did you mean fast?"),
        ("only.tags=fast,slow", "must be a list; write only.tags=[fast,slow]"),
        ("exclude=[a]", "suite=file does not read it; remove it, or write it in the file of"),
        ("half_of=files", "not one of its values; there are queries, repositories"),
        ("only={tags: [slow], categories: [a]}", "matches no query."),
    ],
)
def test_a_choice_that_cannot_be_is_one_line(work: Path, typed: str, said: str) -> None:
    found = run(work, typed, code=2)

    (line,) = found.stderr.splitlines()
    assert line.startswith(f"rankgrid: {typed.partition('=')[0]}")
    assert said in line
    assert not (work / "outputs").exists()
