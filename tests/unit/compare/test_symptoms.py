"""What a study's numbers usually mean, on studies that show one thing each."""

from typing import Any

from bench.compare.symptoms import Symptom, symptoms
from bench.results import TrialResult
from tests.unit.compare.sample_results import negative, query, results, study, trial
from tests.unit.report.sample_study import FAILED, TRIAL


def seen(*queries: Any, **changes: Any) -> tuple[Symptom, ...]:
    """Return what is conspicuous in a study of these queries."""
    return of(trial(list(queries), **changes))


def of(*trials: TrialResult) -> tuple[Symptom, ...]:
    """Return what is conspicuous in these trials."""
    return symptoms(results(study([trial([query("x/q", 1)]), *trials])))


def test_a_sound_study_has_none() -> None:
    assert seen(query("x/one", 1), query("x/two", 3), negative("x/none")) == ()


def test_a_failed_trial_is_named() -> None:
    (found,) = of(FAILED)

    assert (found.trial, found.kind) == (FAILED.name, "failed")


def test_queries_without_any_hit_are_named() -> None:
    nothing = query("x/two", None, hits=())

    (found,) = seen(query("x/one", 1), nothing)

    assert found.kind == "no results"
    assert found.seen == "1 of 2 queries returned nothing (two)"
    assert "tokenizer=identifier" in found.remedy


def test_a_study_that_found_nothing_at_all_is_sent_to_its_documents() -> None:
    found = seen(query("x/one", None, hits=()))

    assert "no document was searched" in found[0].remedy


def test_right_files_with_wrong_lines_are_told_from_wrong_files() -> None:
    levels = {"file": {"avg_recall_at_10": 0.8}}
    misses = [query(f"x/{number}", None) for number in range(8)]

    (lines,) = seen(*misses, levels=levels)
    (files,) = seen(*misses, levels={})

    assert lines.seen.startswith("nothing right for 8 of 8 queries")
    assert "the right files are found (0.80" in lines.remedy
    assert "fixtures verify" in files.remedy


def test_queries_that_failed_are_not_misses() -> None:
    """They have no numbers: of what was answered, all is right."""
    failed = [query(f"x/{number}", None, numbers={}, error="timed out") for number in range(8)]

    assert seen(query("x/one", 1), *failed) == ()


def test_a_blind_model_and_a_slow_reranker_are_named() -> None:
    made = trial([query("x/one", 1)])
    slow = {"unseen_token_share": 0.55, "latency_p95_ms": 900.0, "index_seconds": 700.0}

    found = seen(query("x/one", 1), summary={**made.summary, **slow})

    assert [one.seen for one in found] == [
        "the model never saw 55% of the text",
        "p95 is 900 ms a query",
        "indexing took 700 s",
    ]
    assert "reranker.depth" in found[1].remedy
    assert TRIAL.use_reranker
