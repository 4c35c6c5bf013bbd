"""The terminal page fits its width and says what was not tested."""

import io

import pytest
from rich.console import Console

from bench.reporting import advice, show_result
from bench.study import StudyResult
from tests.unit.reporting.sample_study import FAILED, STUDY, TRIAL


def page(result: StudyResult, width: int) -> str:
    """Return what a terminal of this width shows."""
    out = io.StringIO()
    show_result(result, console=Console(file=out, width=width, highlight=False))
    return out.getvalue()


@pytest.mark.parametrize("width", [80, 100, 140])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    """At the common widths."""
    shown = page(STUDY, width)

    assert max(len(line) for line in shown.splitlines()) <= width
    assert "0.6309" in shown
    assert "a note" in shown


def test_a_failed_trial_is_shown_with_its_cause_and_has_no_row() -> None:
    """An error is not a zero."""
    shown = page(STUDY, 100)

    assert "FAILED chunk=512 reranker=off: embed shop: out of memory" in shown
    assert "0.0000" not in shown


def test_a_comparison_says_that_no_test_was_made() -> None:
    """Until one is."""
    second = TRIAL.__class__(**{**vars(TRIAL), "name": "other"})
    both = StudyResult("i", "own", "symbol", (TRIAL, second), STUDY.account, ())

    said = advice(both)

    assert said.highest == "chunk=512 reranker=on"
    assert "level with other" in said.sentences[0]
    assert said.sentences[-1] == "No test was made: a difference may be chance."


def test_nothing_is_recommended_where_everything_failed() -> None:
    """No result, no advice."""
    said = advice(StudyResult("i", "own", "symbol", (FAILED,), STUDY.account, ()))

    assert said.sentences == ("No trial has a result.",)
    assert said.highest is None
