"""What a running study says: what is under way, and how long it will take."""

import io

import pytest
from rich.console import Console

from bench.engine import Outcome
from bench.engine.store import Cost
from bench.report.display import Lines, Tally
from bench.stages import Ask

FIRST, SECOND = Ask(("one?",)), Ask(("two?",))


def tally(seconds: float = 0.0, *, workers: int = 1) -> Tally:
    """Return what is known of a plan of two stages that are expected to take so long."""
    expected = {stage.fingerprint: seconds for stage in (FIRST, SECOND)}
    return Tally(2, expected, workers)


def done(stage: Ask) -> Outcome:
    """Return the outcome of a stage that went well."""
    return Outcome(stage.fingerprint, Cost(1.0, 1.0))


def test_a_line_names_what_runs_also_with_one_worker() -> None:
    """Between the end of a stage and the start of the next one nothing runs: no line then."""
    page = io.StringIO()
    lines = Lines(tally(), Console(file=page, width=100), quiet=-1.0)

    for stage in (FIRST, SECOND):
        lines.stage_started(stage, "w0")
        lines.stage_finished(stage, done(stage))

    assert page.getvalue().splitlines() == [
        "0/2 stages · under way: ask",
        "1/2 stages · under way: ask",
    ]


def test_without_experience_no_time_is_given() -> None:
    assert tally().seconds_left(10.0) is None


def test_at_first_the_expected_time_counts() -> None:
    """A short stage that was slow to start does not make a job of 40 s one of 2,000 s."""
    known = tally(20.0)
    known.seconds_done = 0.1

    assert known.seconds_left(5.0) == pytest.approx((40 - 0.1) * (5 + 10) / (0.1 + 10))
    assert tally(20.0, workers=2).seconds_left(0.0) == pytest.approx(20.0)


def test_later_the_pace_of_this_run_counts() -> None:
    """Half is done in three times the expected time."""
    known = tally(20.0)
    known.seconds_done = 20.0

    left = known.seconds_left(60.0)

    assert left == pytest.approx(20 * (60 + 10) / (20 + 10))


def test_more_than_was_expected_leaves_nothing() -> None:
    known = tally(20.0)
    known.seconds_done = 50.0

    assert known.seconds_left(60.0) == 0.0
