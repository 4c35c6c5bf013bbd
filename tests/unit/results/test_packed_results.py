"""Results files in which trials share their questions and places."""

import json
from typing import Any

import pytest

from bench.errors import UsageError
from bench.results import text_of
from bench.results.document import as_json, from_json, parse_results, rounded
from bench.results.packed import packed, unpacked
from tests.unit.report.sample_results import a_big_grid

Results = dict[str, Any]
BIG = rounded(from_json(a_big_grid(trials=4, queries=250), "big.json"))


def test_a_packed_file_holds_the_same_study() -> None:
    """Every number, hit and text, in the same order."""
    found = json.loads(text_of(BIG))

    assert found["schema"] == 2
    assert unpacked(found) == as_json(BIG)
    assert parse_results(text_of(BIG), "big.json") == BIG


def test_files_of_older_versions_are_read() -> None:
    """Their trials repeat what they share."""
    older = {**as_json(BIG), "schema": 1}

    assert unpacked(older) is older
    assert from_json(older, "older.json") == BIG


def test_a_query_without_a_number_that_others_have_stays_without_it() -> None:
    """An absent number is not one that is unknown."""
    study = as_json(BIG)
    row = study["reports"][0]["query_results"][0]  # type: ignore[index]
    del row["mrr"]
    row["ndcg_at_10"] = None

    assert unpacked(packed(study)) == study


def test_a_trial_of_1000_queries_takes_less_than_a_megabyte() -> None:
    """Of a grid whose trials share their questions; places are as many as chance draws."""
    grid = from_json(a_big_grid(trials=4, queries=1_000), "grid.json")
    before = len(json.dumps(as_json(grid)).encode())

    size = len(text_of(grid).encode())

    assert size / 4 < 1_000_000
    assert size < before / 2


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("questions_asked", 7), "questions_asked must be a list"),
        (("places", []), r"reports\[0\].query_results\[0\] does not fit the tables of the file"),
        (("reports", 7), "reports must be a list"),
        (("reports", [7]), r"reports\[0\] does not fit the tables of the file"),
        (("reports", [{"measured": [], "query_results": 7}]), "query_results must be a list"),
    ],
)
def test_a_row_that_fits_no_table_is_named(change: tuple[str, object], said: str) -> None:
    found = {**json.loads(text_of(BIG)), change[0]: change[1]}

    with pytest.raises(UsageError, match=said):
        from_json(found, "edited.json")
