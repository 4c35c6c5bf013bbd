"""The terminal page fits its width and shows failures."""

import io
from dataclasses import replace

import pytest
from rich.console import Console

from bench.advice import advise
from bench.report import Extras, show_result
from bench.results import LatencyMethod, StudyResult
from tests.unit.report.sample_study import STUDY, TRIAL, study_of, with_failures

PLAIN = Extras()


def page(result: StudyResult, width: int, extras: Extras = PLAIN) -> str:
    """Return what a terminal of this width shows."""
    out = io.StringIO()
    console = Console(file=out, width=width, highlight=False)
    show_result(result, advise(result, seed=0), console=console, extras=extras)
    return out.getvalue()


@pytest.mark.parametrize("width", [80, 100, 140])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    """At the common widths."""
    shown = page(STUDY, width)

    assert max(len(line) for line in shown.splitlines()) <= width
    assert "0.6309" in shown
    assert "a note" in shown


def test_warnings_come_before_notes_and_of_notes_one_is_shown() -> None:
    """The report has the others."""
    notes = ("one point is the same", "warning: weight changes nothing", "a leak")

    shown = page(replace(STUDY, notes=notes), 100)

    assert (
        "Warning:   weight changes nothing\nNote:      one point is the same (and 1 more" in shown
    )
    assert "leak" not in shown
    assert "\nnote: a leak\n" in page(replace(STUDY, notes=notes), 100, Extras(words=True))


def test_what_was_not_measured_takes_no_room() -> None:
    """latency=off: names of trials have the columns that would be empty."""
    known = {**TRIAL.summary, "latency_p50_ms": None, "latency_p95_ms": None}

    shown = page(study_of(replace(TRIAL, summary=known, latency=LatencyMethod())), 140)

    assert "p50 ms" in page(STUDY, 140)
    assert "NDCG@10" in shown
    assert "p50 ms" not in shown
    assert "latency was not measured" in shown


def test_latencies_are_described_for_all_trials_together() -> None:
    """One without an engine of vectors comes first; the worst engine decides what is found."""
    others = [
        LatencyMethod(samples=50, threads=1, engine="edge", engine_recall_at_10=share)
        for share in (1.0, 0.975)
    ]
    hows = [LatencyMethod(samples=2, threads=1, engine="none"), *others]
    trials = [replace(TRIAL, name=str(n), latency=how) for n, how in enumerate(hows)]

    shown = " ".join(page(study_of(*trials), 140, Extras(words=True)).split())

    assert "2 to 50 samples, 1 thread, engine edge (finds 97.5% of the 10 nearest)." in shown


def test_a_failed_trial_is_shown_with_its_cause_and_has_no_row() -> None:
    """An error is not a zero."""
    shown = page(STUDY, 100)

    assert "Failed:    1 trial; embed shop: out of memory (chunk=512 reranker=off)" in shown
    assert "0.0000" not in shown


def test_the_mean_of_easier_queries_is_not_marked_as_the_best() -> None:
    """A trial that failed on the hard queries has a mean of the others only."""
    whole, part = with_failures()

    shown = page(study_of(part, whole), 100)

    assert f"{part.summary['avg_ndcg_at_10']:.4f} " in shown
    assert f"{part.summary['avg_ndcg_at_10']:.4f}*" not in shown


def test_names_have_the_parts_that_differ_and_the_others_stand_above() -> None:
    """However long the names are, a row takes one line."""
    names = [
        f"retriever=hybrid embedder.model=/models/of/the/company/{kind}/2026-01" for kind in "ab"
    ]
    study = study_of(*(replace(TRIAL, name=name) for name in names))

    shown = page(study, 100)

    assert "every trial: retriever=hybrid" in shown
    rows = [line for line in shown.splitlines() if "0.6309" in line and "/models/of" in line]
    assert len(rows) == 2
    assert all("/models/of" in row and "/2026-01" in row for row in rows)
    assert any("model" in line and "NDCG@10" in line for line in shown.splitlines())


def test_latencies_of_a_busy_machine_are_marked() -> None:
    busy = replace(TRIAL, name="busy", latency=replace(TRIAL.latency, busy=True))

    shown = page(study_of(replace(TRIAL, name="quiet"), busy), 140)
    table = [line for line in shown.splitlines() if line.startswith(("│", "|"))]

    assert [line for line in table if "12.0 ~" in line and "14.0 ~" in line and "busy" in line]
    assert not [line for line in table if "~" in line and "quiet" in line]
    assert "~ measured while the machine was busy." in " ".join(shown.split())
    assert "~" not in page(study_of(TRIAL), 140)


def test_the_tiers_of_the_advised_trial_are_below_the_trials() -> None:
    """From easy to hard, then all of them with their number; other names come after."""
    numbers = dict.fromkeys(("avg_mrr", "avg_recall_at_10"), 0.25)
    tiers = {
        "hard": {"count": 3, **numbers},
        "easy": {"count": 2, **numbers},
        "odd": {"count": 0, **numbers},
    }

    shown = page(study_of(replace(TRIAL, difficulties=tiers)), 100)

    _, title, below = shown.partition(f"by difficulty: {TRIAL.name}")
    rows = [line.split("│")[1:-1] for line in below.splitlines() if line.startswith("│")]
    assert title
    assert [(row[0].strip(), row[-1].strip()) for row in rows] == [
        ("easy", "2"),
        ("hard", "3"),
        ("OVERALL", "1"),
    ]
    assert "0.2500" in "".join(rows[0])


def test_queries_without_tiers_have_no_table_of_them() -> None:
    shown = page(study_of(replace(TRIAL, difficulties={})), 100)

    assert "by difficulty" not in shown
    assert "OVERALL" not in shown


def test_each_query_is_shown_with_its_tier_if_asked_for() -> None:
    """Easy ones first, the question on one line."""
    (query,) = TRIAL.queries[:1]
    hard = replace(query, id="q9", text="where\nis the cart", difficulty="hard")
    trial = replace(TRIAL, queries=(hard, query))

    shown = page(study_of(trial), 140, Extras(queries=True))

    below = shown.partition(f"by query: {trial.name}")[2]
    rows = [line.split("│")[1:-1] for line in below.splitlines() if line.startswith("│")]
    assert [row[-1].strip() for row in rows] == ["easy", "hard"]
    assert rows[1][0].strip() == "where is the cart"
    assert "by query" not in page(study_of(trial), 140)


def test_the_name_of_a_lone_trial_is_shown_whole() -> None:
    """It has all settings of chosen.yaml, and its column has no room for them."""
    name = "chunker=recursive retriever=lexical reranker=off chunk=1024 retriever.unit=definition"

    shown = page(study_of(replace(TRIAL, name=name)), width=80)

    assert f"trial: {name}\n" in shown
