"""The markdown on a study's page."""

from typing import Any

from bench.tracking.note import note_of
from tests.unit.tracking.whole_results import whole

Results = dict[str, Any]


def test_the_note_recommends_shows_the_table_and_the_cost(results: Results) -> None:
    """The page of a study answers the question by itself."""

    lines = note_of(whole(results)).splitlines()

    assert lines[0] == "- Ship chunk=512."
    assert "| Configuration | MRR@10 | R@10 | R@4k tok | p95 ms |" in lines
    assert "| chunk=512 reranker=on | 0.7100 | 0.9000 | 0.7500 | - |" in lines
    assert "| chunk=1024 (failed) | - | - | - | - |" in lines
    assert lines[-1] == "70 stages (60 executed, 9 reused, 1 failed), 9 if run separately."


def test_what_to_ship_comes_first_and_is_marked_in_the_table(results: Results) -> None:
    """MLflow folds a long description."""

    results["recommendation"]["ship"] = "chunk=512 reranker=on"

    lines = note_of(whole(results)).splitlines()

    assert lines[:3] == ["**Ship: chunk=512 reranker=on**", "", "- Ship chunk=512."]
    assert any(line.startswith("| chunk=512 reranker=on (ship) |") for line in lines)


def test_trials_are_sorted_by_the_objective(results: Results) -> None:
    """By what the study is decided, not by MRR."""

    results["settings"]["advice"] = {"objective": "recall_at_10"}
    results["reports"] = [
        {"config": {"name": "a"}, "summary": {"avg_mrr": 0.9, "avg_recall_at_10": 0.1}},
        {"config": {"name": "b"}, "summary": {"avg_mrr": 0.1, "avg_recall_at_10": 0.9}},
    ]

    rows = [
        line[:4]
        for line in note_of(whole(results)).splitlines()
        if line.startswith(("| a", "| b"))
    ]

    assert rows == ["| b ", "| a "]


def test_the_best_trials_come_first_and_the_rest_is_counted(results: Results) -> None:
    """A big grid is cut where it matters least, and says so."""

    results["reports"] = [
        {"config": {"name": f"trial {n:03}"}, "summary": {"avg_mrr": n / 1000}} for n in range(200)
    ]

    note = note_of(whole(results))

    rows = [line for line in note.splitlines() if line.startswith("| trial")]
    assert rows[0].startswith("| trial 199 ")
    assert rows == sorted(rows, reverse=True)
    assert f"{200 - len(rows)} more are in results.json." in note


def test_the_note_always_fits_a_tag(results: Results) -> None:
    """MLflow would cut the note or refuse it."""

    results["reports"] *= 500
    results["reports"][0]["config"]["name"] = "n" * 9_000
    results["recommendation"]["sentences"] = ["s" * 9_000] * 9

    assert len(note_of(whole(results))) < 5_000


def test_a_name_cannot_break_the_table(results: Results) -> None:
    """Names come from settings and repositories."""

    results["reports"][0]["config"]["name"] = "a | b\n<b>[x](y)"

    assert r"| a \| b &lt;b>\[x](y) | 0.7100 |" in note_of(whole(results))
