"""The terminal page fits its width and shows failures."""

import io
from dataclasses import replace

import pytest
from rich.console import Console

from bench.advice import advise
from bench.report import show_result
from bench.results import LatencyMethod, StudyResult
from tests.unit.report.sample_study import STUDY, TRIAL, study_of, with_failures


def page(result: StudyResult, width: int, *, is_verbose: bool = False) -> str:
    """Return what a terminal of this width shows."""
    out = io.StringIO()
    console = Console(file=out, width=width, highlight=False)
    show_result(result, advise(result, seed=0), console=console, is_verbose=is_verbose)
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
    assert "\nnote: a leak\n" in page(replace(STUDY, notes=notes), 100, is_verbose=True)


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

    shown = " ".join(page(study_of(*trials), 140, is_verbose=True).split())

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
    rows = [line for line in shown.splitlines() if "0.6309" in line]
    assert len(rows) == 2
    assert all("model=/models/of" in row and "/2026-01" in row for row in rows)


def test_latencies_of_a_busy_machine_are_marked() -> None:
    busy = replace(TRIAL, name="busy", latency=replace(TRIAL.latency, busy=True))

    shown = page(study_of(replace(TRIAL, name="quiet"), busy), 140)
    table = [line for line in shown.splitlines() if line.startswith(("│", "|"))]

    assert [line for line in table if "12.0 ~" in line and "14.0 ~" in line and "busy" in line]
    assert not [line for line in table if "~" in line and "quiet" in line]
    assert "~ measured while the machine was busy." in " ".join(shown.split())
    assert "~" not in page(study_of(TRIAL), 140)
