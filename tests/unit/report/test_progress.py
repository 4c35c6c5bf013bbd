"""The lines of a running study: what runs, and how long it will take."""

import io
import time

import pytest
from rich.console import Console

from bench.engine import ArtifactStore, Failure, Outcome, Plan
from bench.engine.artifact_file import Cost
from bench.report.display import Lines, Tally, about_seconds
from bench.stages import Ask
from bench.study import Estimate
from bench.study.rates import Measured, Rates

FIRST, SECOND = Ask(("one?",)), Ask(("two?",))
PLAN = Plan.reaching([FIRST, SECOND])


def tally(seconds: float = 10.0, *, workers: int = 1, is_part: bool = False) -> Tally:
    """Return the state of a plan of two stages that take so long on this machine."""
    rates = Rates({"ask": Measured(seconds, 1)})
    estimate = Estimate(PLAN, ArtifactStore("memory://progress"), rates, workers=workers)
    return Tally(2, estimate, is_part)


def done(stage: Ask) -> Outcome:
    """Return the outcome of a stage that went well."""
    return Outcome(stage.fingerprint, Cost(1.0, 1.0))


def printed(page: io.StringIO, wanted: str) -> str:
    """Return the first line that has `wanted`, once it is printed."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        for line in page.getvalue().splitlines():
            if wanted in line:
                return line
        time.sleep(0.01)
    pytest.fail(f"{wanted!r} is not in {page.getvalue()!r}")


def test_lines_come_while_one_stage_runs_and_name_it() -> None:
    """Nothing starts and nothing ends meanwhile, as while a stage has the machine for itself."""
    page = io.StringIO()
    with Lines(tally(), Console(file=page, width=100), quiet=0.01) as lines:
        lines.stage_started(FIRST, "w0")

        line = printed(page, "running")

    assert line.startswith("0 of 2 stages · running: ask · about ")
    assert "other machines" not in line


def test_no_line_comes_after_the_end() -> None:
    page = io.StringIO()
    with Lines(tally(), Console(file=page, width=100), quiet=0.01):
        pass
    before = page.getvalue()

    time.sleep(0.05)

    assert page.getvalue() == before


def test_a_failure_is_printed_at_once() -> None:
    page = io.StringIO()
    lines = Lines(tally(), Console(file=page, width=100))
    lines.stage_started(FIRST, "w0")

    lines.stage_finished(FIRST, Outcome(FIRST.fingerprint, failure=Failure("out of memory")))

    assert page.getvalue().strip() == "FAILED ask : out of memory"
    assert "failed: 1" in lines._tally.line()


def test_a_stage_that_waits_for_a_worker_does_not_run() -> None:
    """A pool is given more stages than it has workers."""
    known = tally(workers=1)
    for stage in (FIRST, SECOND):
        known.start(stage)
    assert "running: ask ·" in known.line()
    assert "running: 2 ask" in _with_both(tally(workers=2)).line()

    known.finish(FIRST, done(FIRST))

    assert known.running[SECOND.fingerprint].began is not None
    assert known.line().startswith("1 of 2 stages · running: ask ·")


def _with_both(known: Tally) -> Tally:
    for stage in (FIRST, SECOND):
        known.start(stage)
    return known


def test_before_the_first_stage_workers_start() -> None:
    assert tally().line().startswith("0 of 2 stages · starting workers · about 20 s left")


def test_a_part_of_a_study_tells_no_time_left() -> None:
    """It would be that of the part alone."""
    assert "left" not in tally(is_part=True).line()


def test_a_first_run_says_whose_rates_it_is_estimated_from() -> None:
    rates = Rates({}, {"ask": 10.0})
    estimate = Estimate(PLAN, ArtifactStore("memory://progress"), rates, workers=1)

    line = Tally(2, estimate).line()

    assert line.endswith("about 20 s left (estimated from other machines' rates)")


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0.4, "0 s"), (119, "119 s"), (150, "2.5 min"), (1_500, "25 min"), (9_000, "2.5 h")],
)
def test_durations_have_few_digits(seconds: float, shown: str) -> None:
    assert about_seconds(seconds) == shown


def test_the_last_line_promises_nothing_more() -> None:
    """It stays on the screen above the results."""
    known = tally()
    for stage in (FIRST, SECOND):
        known.start(stage)
        known.finish(stage, done(stage))

    assert known.line() == "2 of 2 stages"
