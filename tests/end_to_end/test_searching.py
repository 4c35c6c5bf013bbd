"""Big grids: halved over queries or drawn at random, and what was not run is named."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bench.results.packed import unpacked

ROOT = Path(__file__).parents[2]
QUERIES = 20
GRID = ("-m", "retriever=bm25,exact,fields,random")


@pytest.fixture
def shops(tmp_path: Path) -> Path:
    """Two repositories whose queries say words of comments, and never a name."""
    suite = ["name: shops", "repositories:"]
    for shop in ("one", "two"):
        (tmp_path / shop).mkdir()
        queries = ["queries:"]
        for number in range(QUERIES):
            text = f"def f{number}():\n    # keeps w{number} and w{number // 2}\n    return 1\n"
            (tmp_path / shop / f"m{number}.py").write_text(text, encoding="utf-8")
            asked = f"{{id: q{number}, query: who keeps w{number // 2} and w{number % 7}"
            queries.append(f"- {asked}, expected_files: [m{number}.py]}}")
        (tmp_path / f"{shop}.yaml").write_text("\n".join(queries) + "\n", encoding="utf-8")
        source = f"{{kind: local, path: {shop}}}"
        suite.append(f"- {{name: {shop}, source: {source}, queries: {shop}.yaml}}")
    (tmp_path / "suite.yaml").write_text("\n".join(suite) + "\n", encoding="utf-8")
    return tmp_path


def run(folder: Path, *arguments: str) -> tuple[str, dict[str, Any]]:
    """Run a study of the shops; return what it printed and its results."""
    own = ["suite=file", "suite.path=suite.yaml", "tracking=none", "latency=off"]
    rest = ["execution=local", "execution.workers=1", *GRID, *arguments]
    command = [sys.executable, str(ROOT / "bench" / "run.py"), *own, *rest]
    found = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr + found.stdout
    text = (folder / "outputs" / "latest" / "results.json").read_text(encoding="utf-8")
    return found.stdout + found.stderr, unpacked(json.loads(text))


def names(results: dict[str, Any]) -> set[str]:
    """Return the trials that are compared."""
    return {report["config"]["name"].removeprefix("retriever=") for report in results["reports"]}


def test_halving_stops_what_is_far_behind_and_compares_the_others_on_all_queries(
    shops: Path,
) -> None:
    """The survivors' numbers are those of the whole grid; the floor is not a rival and stays."""
    _, whole = run(shops)

    said, found = run(shops, "strategy=halving", "--verbose")

    (stopped,) = found["stopped"]
    assert names(found) == {"bm25", "fields", "random"}
    assert stopped["trial"] == "retriever=exact"
    assert stopped["queries"] in (8, 16, 32)
    assert stopped["standard_errors"] >= 3
    assert f"retriever=exact: stopped at {stopped['queries']} queries" in said
    by_name = {report["config"]["name"]: report for report in whole["reports"]}
    for report in found["reports"]:
        assert report["query_results"] == by_name[report["config"]["name"]]["query_results"]
    assert "exact" not in json.dumps(found["recommendation"])


def test_halving_again_finds_everything_in_the_store(shops: Path) -> None:
    """The rounds are seeded, so that an interrupted search goes on where it stopped."""
    _, first = run(shops, "strategy=halving")

    _, second = run(shops, "strategy=halving")

    assert first["plan"]["executed"] > 0
    assert second["plan"]["executed"] == 0
    assert second["stopped"] == first["stopped"]


def test_a_random_sample_is_seeded_and_says_what_it_left_out(shops: Path) -> None:
    """One of three, and the floor."""
    said, first = run(shops, "strategy=random", "budget_trials=1", "seed=3")

    _, again = run(shops, "strategy=random", "budget_trials=1", "seed=3")

    assert names(first) == names(again)
    assert len(names(first) - {"random"}) == 1
    assert {one["trial"] for one in first["stopped"]} | {
        report["config"]["name"] for report in first["reports"]
    } == {f"retriever={name}" for name in ("bm25", "exact", "fields", "random")}
    assert "2 trials not drawn: budget_trials=1" in said


def test_when_time_is_over_nothing_more_is_started(shops: Path) -> None:
    """What was started is finished: one trial at least, and the floor."""
    said, found = run(shops, "strategy=random", "budget_minutes=0.000001")

    assert len(names(found) - {"random"}) == 1
    assert [one["why"] for one in found["stopped"]] == ["not started: budget_minutes=1e-06"] * 2
    assert "Not run:   2 trials not started: budget_minutes=1e-06" in said
    assert found["plan"]["executed"] > 0


def test_a_plan_says_what_the_search_will_make_of_it(shops: Path) -> None:
    """The whole grid is the most that it may take; the looks are counted, and nothing is done."""
    own = ["suite=file", "suite.path=suite.yaml", "tracking=none", "latency=off", "--plan"]
    asked = [*GRID, "strategy=halving", "budget_trials=2", "budget_minutes=5"]

    found = subprocess.run(
        [sys.executable, str(ROOT / "bench" / "run.py"), *own, *asked],
        cwd=shops,
        capture_output=True,
        text=True,
        check=True,
    )

    said = " ".join(found.stdout.split())
    assert "looks at 4, 8, 16 queries a repository first" in said
    assert "At most 2 of them" in said
    assert "Trials not expected to end within 5 minutes are not started" in said
    assert "Nothing was run." in said
    assert not (shops / "outputs").exists()


def test_a_whole_grid_that_has_time_is_run_in_two_parts(shops: Path) -> None:
    """The first trial shows what a repository costs; the others then run together."""
    said, found = run(shops, "budget_minutes=5")

    assert names(found) == {"bm25", "exact", "fields", "random"}
    assert found["stopped"] == []
    assert said.count("execution: ") == 3, said


def test_trials_that_are_done_need_no_time(shops: Path) -> None:
    """A budget that is over stops work, not results that are stored."""
    run(shops)

    _, found = run(shops, "budget_minutes=0.000001")

    assert names(found) == {"bm25", "exact", "fields", "random"}
    assert found["plan"]["executed"] == 0
