"""The account of a plan's cost, against hand arithmetic."""

from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from bench.engine import (
    Codec,
    Cost,
    Failure,
    Outcome,
    Plan,
    Read,
    Record,
    Stage,
    critical_path_seconds,
    utilisation,
)


@dataclass(frozen=True)
class _Nothing:
    """No result."""


@dataclass(frozen=True)
class _Job(Stage[_Nothing]):
    kind: ClassVar[str] = "account_job"
    codec: ClassVar[Codec[Any]] = Record(_Nothing)
    name: str
    after: tuple[Stage[Any], ...] = ()

    def run(self, read: Read, /) -> _Nothing:
        return _Nothing()


TOP = _Job("top")
LEFT, RIGHT = _Job("left", (TOP,)), _Job("right", (TOP,))
GOAL = _Job("goal", (LEFT, RIGHT))
DIAMOND = Plan.reaching([GOAL])


def outcome(stage: Stage[Any], seconds: float, worker: str) -> Outcome:
    """Return what became of a stage that took some seconds."""
    return Outcome(stage.fingerprint, cost=Cost(seconds=seconds), worker=worker)


def test_the_critical_path_takes_the_slower_branch() -> None:
    """1 + 5 + 1 by the left, 1 + 2 + 1 by the right."""
    seconds = {TOP: 1.0, LEFT: 5.0, RIGHT: 2.0, GOAL: 1.0}

    found = critical_path_seconds(
        DIAMOND, {stage.fingerprint: seconds[stage] for stage in seconds}
    )

    assert found == 7.0


def test_a_diamond_on_two_workers_by_hand() -> None:
    """9 seconds of work on 2 workers are 4.5 each, but the critical path is 7; 10.5 passed."""
    made = [outcome(TOP, 1, "h:1"), outcome(LEFT, 5, "h:1"), outcome(RIGHT, 2, "h:2")]
    made.append(outcome(GOAL, 1, "h:2"))

    found = utilisation(
        DIAMOND, {one.fingerprint: one for one in made}, workers=2, wall_seconds=10.5
    )

    assert found.busy_seconds == {"h:1": 6.0, "h:2": 3.0}
    assert found.total_seconds == 9.0
    assert found.critical_path_seconds == 7.0
    assert found.least_seconds == 7.0
    assert found.wall_ratio == 1.5


def test_a_worker_that_never_had_anything_to_do_counts() -> None:
    """Four independent stages of 1 second, all on one of two workers: 4 passed, 2 would do."""
    jobs = [_Job(name) for name in "abcd"]
    made = {job.fingerprint: outcome(job, 1.0, "h:1") for job in jobs}

    found = utilisation(Plan.reaching(jobs), made, workers=2, wall_seconds=4.0)

    assert found.least_seconds == 2.0
    assert found.wall_ratio == 2.0


def test_what_never_ran_is_nobodys_work() -> None:
    """A skipped stage has no worker and no cost."""
    made = {TOP.fingerprint: Outcome(TOP.fingerprint, failure=Failure("not run"))}

    found = utilisation(Plan((TOP,)), made, workers=2, wall_seconds=3.0)

    assert found.busy_seconds == {}
    assert found.wall_ratio == 1.0


@pytest.mark.parametrize("plan", [Plan(()), Plan((GOAL,))])
def test_a_plan_without_costs_has_no_length(plan: Plan) -> None:
    """Finished inputs are not part of it."""
    assert critical_path_seconds(plan, {}) == 0.0
