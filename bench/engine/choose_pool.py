"""Choice of a pool that suits a plan, for execution=auto."""

from collections.abc import Collection
from typing import Literal, NamedTuple

from bench.engine.plan import Plan

FEW_STAGES = 12
"""Below this number of light stages, starting workers takes longer than the work."""


class Choice(NamedTuple):
    """A kind of pool, its number of workers (0: the driver's own process), and the reason."""

    kind: Literal["local", "ray"]
    workers: int
    reason: str


def choose(plan: Plan, *, cpu_count: int, heavy_kinds: Collection[str]) -> Choice:
    """Choose a pool for `plan`; stages of `heavy_kinds` take much time."""
    heavy = [stage for stage in plan.stages if stage.kind in heavy_kinds]
    subjects = {stage.subject for stage in heavy if stage.subject}
    if len(subjects) > 1 and cpu_count > 1:
        reason = f"{len(subjects)} repositories to work on and {cpu_count} CPUs"
        return Choice("ray", cpu_count, reason)
    if not heavy and len(plan.stages) < FEW_STAGES:
        return Choice("local", 0, "too little to do to be worth starting workers")
    workers = min(cpu_count, len(plan.stages))
    if cpu_count == 1:
        return Choice("local", workers, "one CPU")
    what = "one repository to work on" if heavy else "many small stages"
    return Choice("local", workers, f"{what}: processes start sooner than Ray")
