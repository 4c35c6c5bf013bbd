"""Collections that bring their own documents are members of suites, beside repositories."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from bench.authoring.opening import open_sets
from bench.errors import SettingError
from bench.launcher.door import run_bench
from bench.results.packed import unpacked
from tests.integration.test_exported_runs import write_beir, write_code, write_trec
from tests.small_suite import suite_of

TEXT = "Bees keep a diary in wax.\n\nThe outer cells of a comb are the newest.\n"
NAMES = ["beir", "trec", "bees", "shop", "bank"]


def write_characters(folder: Path) -> None:
    """Write a folder with spans of characters."""
    folder.mkdir()
    (folder / "bees.md").write_text(TEXT, encoding="utf-8")
    with (folder / "questions.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["question", "references", "corpus_id"])
        for word in ("diary", "newest"):
            start = TEXT.index(word)
            place = [{"start_index": start, "end_index": start + len(word)}]
            rows.writerow([f"where is the {word}", json.dumps(place), "bees"])


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """Three collections and two repositories in one suite file."""
    write_code(tmp_path)
    write_beir(tmp_path / "data" / "first")
    write_trec(tmp_path / "data" / "second")
    write_characters(tmp_path / "data" / "bees")
    text = (tmp_path / "suite.yaml").read_text(encoding="utf-8")
    members = (
        "- {name: beir, collection: data/first}\n"
        f"- {{name: trec, collection: '{(tmp_path / 'data' / 'second').as_uri()}'}}\n"
        "- {collection: ./data/bees}\n"
    )
    text = text.replace("repositories:\n", f"repositories:\n{members}")
    (tmp_path / "suite.yaml").write_text(text, encoding="utf-8")
    return tmp_path / "suite.yaml"


def test_three_collections_and_two_repositories_are_one_study(suite: Path) -> None:
    """With an answer for collections like these."""
    folder = suite.parent
    fixed = ["tracking=none", "latency=off", "execution=local", "execution.workers=1"]
    places = [f"output={folder / 'out'}", f"store={folder / 'store'}"]
    grid = ["-m", "suite=file", f"suite.path={suite}", "retriever=bm25,random"]

    assert run_bench([*grid, *fixed, *places], "bench/run.py") == 0

    text = (folder / "out/latest/results.json").read_text("utf-8")
    found: dict[str, Any] = unpacked(json.loads(text))
    report = found["reports"][0]
    assert list(report["repository_metrics"]) == NAMES
    assert found["level"] == "file"
    means = [one["avg_mrr"] for one in report["repository_metrics"].values()]
    assert report["summary"]["avg_mrr"] == pytest.approx(sum(means) / len(NAMES), abs=1e-4)
    assert report["repository_metrics"]["bees"]["avg_mrr"] == 1


def test_the_commands_for_queries_open_them(suite: Path) -> None:
    opened = list(open_sets(suite))

    assert [one.name for one in opened] == NAMES
    assert [len(one.entries) for one in opened] == [13, 13, 2, 9, 9]


def test_a_collection_without_a_name_has_that_of_its_folder(suite: Path) -> None:
    assert [one.name for one in suite_of(suite).repositories] == NAMES


@pytest.mark.parametrize(
    ("member", "said"),
    [
        ("{collection: nowhere}", r"repositories\[0\]\.collection: .*nowhere: is not a folder"),
        ("{collection: empty}", r"repositories\[0\]\.collection: .*empty: holds no corpus"),
        ("{collection: [a]}", "a collection has a path and perhaps a name"),
        ("{collection: empty, queries: q.yaml}", "a collection has a path and perhaps a name"),
        ("{name: x}", "must have name, source and queries, .* or name and collection"),
    ],
)
def test_a_faulty_member_is_refused(tmp_path: Path, member: str, said: str) -> None:
    (tmp_path / "empty").mkdir()
    file = tmp_path / "suite.yaml"
    file.write_text(f"name: s\nrepositories:\n- {member}\n", encoding="utf-8")

    with pytest.raises(SettingError, match=said):
        suite_of(file)
