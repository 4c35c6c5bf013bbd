"""The results file has the shape that its readers rely on."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from bench.advice import advice_record, advise
from bench.errors import UsageError
from bench.results import (
    StudyResult,
    completed,
    point_latest,
    read_results,
    read_trials,
    rounded,
    write_results,
)
from bench.results.document import as_json
from tests.unit.report.sample_study import STUDY

SNAPSHOT = Path(__file__).with_name("results_snapshot.json")


def exact(command: str = "") -> StudyResult:
    """Return the sample study as it was measured."""
    return completed(STUDY, advice_record(advise(STUDY, seed=0)), command=command, seconds=0.0)


def file_of(command: str = "") -> dict[str, Any]:
    """Return the content of the results file of the sample study."""
    return as_json(exact(command))


def timeless(results: dict[str, Any]) -> dict[str, Any]:
    """Return results without what differs from run to run."""
    return {**results, "timestamp": "", "git_sha": "", "versions": {}}


def test_the_shape_is_the_reviewed_one() -> None:
    """A change of the shape is a visible change of the snapshot beside this test."""
    found = timeless(file_of(command="bench/run.py"))

    assert found == json.loads(SNAPSHOT.read_text(encoding="utf-8"))


def test_numbers_have_four_decimals_and_nothing_is_nan() -> None:
    """A missing number is null."""
    found = file_of()

    summary = found["reports"][0]["summary"]
    assert summary["avg_ndcg_at_10"] == 0.6309
    assert summary["latency_p99_ms"] is None
    assert found["reports"][1]["summary"]["avg_mrr"] is None
    json.dumps(found, allow_nan=False)


def test_the_file_has_a_line_for_each_query_of_a_trial(tmp_path: Path) -> None:
    """A person and a diff find a query; whatever lies within it stays on its line."""
    write_results(exact(), tmp_path)
    place = tmp_path / "results.json"

    lines = place.read_text(encoding="utf-8").splitlines()
    queries = [line for line in lines if line.startswith('{"id":') and '"asked":' in line]
    asked = sum(len(trial["query_results"] or []) for trial in file_of()["reports"])
    assert len(queries) == asked > 0
    assert [json.loads(line.rstrip(","))["id"] for line in queries][:1] == ["q1"]


def test_it_is_read_back_with_its_table_of_queries(tmp_path: Path) -> None:
    """From the file or from its folder."""
    result = exact()  # made once, because it holds the second in which it was made
    written = write_results(result, tmp_path / "study")
    place = tmp_path / "study" / "results.json"

    assert read_results(place) == read_results(place.parent) == rounded(result) == written
    table = pq.read_table(place.with_name("queries.parquet")).to_pylist()
    assert [(row["trial"], row["id"], row["mrr"]) for row in table] == [
        ("chunk=512 reranker=on", "q1", 0.5)
    ]


def test_trials_are_read_without_the_rows_of_their_queries(tmp_path: Path) -> None:
    """The rows are nearly all of a file, and are not even looked at."""
    result = exact()
    write_results(result, tmp_path / "study")
    place = tmp_path / "study" / "results.json"
    content = json.loads(place.read_bytes())
    for report in content["reports"]:
        report["query_results"] = [{"id": "q1", "asked": "damaged"}]
    place.write_text(json.dumps(content), encoding="utf-8")

    whole = rounded(result)

    assert any(trial.queries for trial in whole.trials)
    trials = tuple(replace(trial, queries=()) for trial in whole.trials)
    assert read_trials(place) == read_trials(place.parent) == replace(whole, trials=trials)


@pytest.mark.parametrize("reports", [None, {}, [], "x", [3], [None]])
def test_trials_are_not_read_from_a_file_that_was_edited(tmp_path: Path, reports: object) -> None:
    place = tmp_path / "results.json"
    place.write_text(json.dumps({**file_of(), "reports": reports}), encoding="utf-8")

    with pytest.raises(UsageError, match=r"results\.json: reports"):
        read_trials(place)


def test_latest_moves_to_the_last_study(tmp_path: Path) -> None:
    """The link is replaced in one step."""
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        point_latest(tmp_path / name)

    assert (tmp_path / "latest").resolve() == (tmp_path / "two").resolve()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["latest", "one", "two"]


DEEP = "[" * 100_000


@pytest.mark.parametrize("content", ["", "[]", '{"schema": 0}', "{", DEEP])
def test_what_is_no_results_file_is_refused(tmp_path: Path, content: str) -> None:
    """One line that names the file."""
    place = tmp_path / "results.json"
    place.write_text(content, encoding="utf-8")

    with pytest.raises(UsageError, match=r"results\.json"):
        read_results(place)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("study", "../../elsewhere"),
        ("study", None),
        ("study", ""),
        ("study", "a' OR 1"),
        ("study", "é"),
        ("study", 7),
        ("reports", None),
        ("reports", {}),
        ("reports", []),
        ("reports", "x"),
        ("reports", 3),
        ("settings", None),
        ("timestamp", None),
    ],
)
def test_a_results_file_that_was_edited_is_refused(
    tmp_path: Path, name: str, value: object
) -> None:
    """Before anything is written into a folder called like its study."""
    place = tmp_path / "results.json"
    place.write_text(json.dumps({**file_of(), name: value}), encoding="utf-8")

    with pytest.raises(UsageError, match=rf"results\.json: {name} must be"):
        read_results(place)


@pytest.mark.parametrize("schema", [0, 3, 99])
def test_another_version_is_refused_with_both_versions_and_the_remedy(
    tmp_path: Path, schema: int
) -> None:
    """A file of another version is not guessed at."""
    place = tmp_path / "results.json"
    place.write_text(json.dumps({**file_of(), "schema": schema}), encoding="utf-8")

    with pytest.raises(UsageError) as refused:
        read_results(place)

    assert f"version {schema}, and this rankgrid reads versions 1 to 2" in refused.value.message
    assert "run its study again" in refused.value.message


@pytest.mark.parametrize("schema", [None, "1", True, 1.0])
def test_a_file_without_a_version_is_not_a_results_file(tmp_path: Path, schema: object) -> None:
    place = tmp_path / "results.json"
    place.write_text(json.dumps({**file_of(), "schema": schema}), encoding="utf-8")

    with pytest.raises(UsageError, match="not a results file"):
        read_results(place)


def test_an_absent_results_file_is_refused(tmp_path: Path) -> None:
    """The remedy says what to give."""
    with pytest.raises(UsageError, match="no results there"):
        read_results(tmp_path)
