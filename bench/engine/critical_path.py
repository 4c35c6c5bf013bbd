"""Utilisation of workers: the time that a plan took, and the least possible time."""

from collections.abc import Mapping
from dataclasses import dataclass

from bench.engine.plan import Plan
from bench.engine.stage import Fingerprint
from bench.engine.task import Outcome


@dataclass(frozen=True)
class Utilisation:
    """Time that stages took, by worker, and the time that passed."""

    busy_seconds: Mapping[str, float]
    """Seconds that each worker spent on stages."""
    critical_path_seconds: float
    """Length of the longest chain of stages that had to wait for each other."""
    workers: int
    wall_seconds: float

    @property
    def total_seconds(self) -> float:
        """Sum of the time of all stages."""
        return sum(self.busy_seconds.values())

    @property
    def least_seconds(self) -> float:
        """Least possible time with so many workers."""
        return max(self.critical_path_seconds, self.total_seconds / self.workers)

    @property
    def wall_ratio(self) -> float:
        """Time that passed, divided by the least possible; 1 if there was nothing to do."""
        return self.wall_seconds / self.least_seconds if self.least_seconds else 1.0


def utilisation(
    plan: Plan, outcomes: Mapping[Fingerprint, Outcome], *, workers: int, wall_seconds: float
) -> Utilisation:
    """Return the utilisation of `workers` by a plan."""
    busy: dict[str, float] = {}
    for outcome in outcomes.values():
        if outcome.worker:
            busy[outcome.worker] = busy.get(outcome.worker, 0.0) + outcome.cost.seconds
    seconds = {name: outcome.cost.seconds for name, outcome in outcomes.items()}
    return Utilisation(busy, critical_path_seconds(plan, seconds), workers, wall_seconds)


def critical_path_seconds(plan: Plan, seconds: Mapping[Fingerprint, float]) -> float:
    """Return the length of the longest chain in a plan, given what each stage takes."""
    ends: dict[Fingerprint, float] = {}
    for stage in plan.stages:
        begins = max((ends.get(needed.fingerprint, 0.0) for needed in stage.inputs), default=0.0)
        ends[stage.fingerprint] = begins + seconds.get(stage.fingerprint, 0.0)
    return max(ends.values(), default=0.0)
