"""Loop that runs a plan on a pool.

A stage starts once its inputs are done; the stage with the longest path behind it starts first.
Short stages run in groups, even behind their inputs. If a stage fails, stages that need it are
skipped and all others finish.
"""

import heapq
import math
import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import count
from types import MappingProxyType
from typing import Any

from bench.engine.observer import Observer
from bench.engine.plan import Plan
from bench.engine.pool import Pool
from bench.engine.stage import Fingerprint, Stage
from bench.engine.task import Failure, Outcome, Task

EQUAL_SECONDS: Mapping[str, float] = MappingProxyType({})
_PATIENCE_SECONDS = 1.0
_SHORT_SECONDS = 0.05
"""Stages expected to take less time run in groups: a message costs as much as such a stage."""
_GROUP_SECONDS = 0.1
"""Longest time that the short stages of a group take together, because other workers may wait."""


def carry_out(
    plan: Plan,
    store_url: str,
    pool: Pool,
    observer: Observer,
    *,
    expected_seconds: Mapping[str, float] = EQUAL_SECONDS,
    deadline: float = math.inf,
) -> dict[Fingerprint, Outcome]:
    """Run `plan` on `pool` and return the outcome of each stage.

    `expected_seconds` is the duration of a stage by kind (1 for unknown kinds). It decides the
    order, never the result. Payloads are kept for the goals of the plan and for the stages that
    nothing in the plan needs.
    At the `deadline`, by `time.monotonic`, running stages are stopped and no more are started.
    Unfinished stages have no outcome.
    If the loop is interrupted, the pool is closed before the exception is raised again.
    """
    drive = _Drive(plan, expected_seconds)
    try:
        while drive.is_unfinished:
            left = deadline - time.monotonic()
            if left <= 0:
                pool.cancel()
                break
            for group in drive.startable(pool.slots):
                tasks = [
                    Task(stage, store_url, drive.given(stage), pool.is_here) for stage in group
                ]
                worker = pool.start(*tasks)
                for stage in group:
                    observer.stage_started(stage, worker)
            for outcome in pool.finished(min(_PATIENCE_SECONDS, left)):
                for stage, settled in drive.settle(outcome):
                    observer.stage_finished(stage, settled)
    except BaseException:
        pool.cancel()
        pool.close()
        raise
    return drive.outcomes


def seconds_to_goal(plan: Plan, expected_seconds: Mapping[str, float]) -> dict[Fingerprint, float]:
    """Return for each stage the time from its start to the end of the longest path behind it."""
    behind: dict[Fingerprint, float] = {}
    remaining: dict[Fingerprint, float] = {}
    for stage in reversed(plan.stages):
        seconds = expected_seconds.get(stage.kind, 1.0) + behind.get(stage.fingerprint, 0.0)
        remaining[stage.fingerprint] = seconds
        for needed in stage.inputs:
            behind[needed.fingerprint] = max(seconds, behind.get(needed.fingerprint, 0.0))
    return remaining


class _Drive:
    """Progress of a plan."""

    def __init__(self, plan: Plan, expected_seconds: Mapping[str, float]) -> None:
        self.outcomes: dict[Fingerprint, Outcome] = {}
        self._stages = {stage.fingerprint: stage for stage in plan.stages}
        self._goals = plan.goals
        self._dependants: dict[Fingerprint, list[Fingerprint]] = {}
        self._missing: dict[Fingerprint, set[Fingerprint]] = {}
        self._expected = expected_seconds
        self._running: dict[Fingerprint, int] = {}
        """Group number of each running stage."""
        self._groups = count()
        self._ready: list[tuple[float, int, Fingerprint]] = []
        self._ready_alone: list[tuple[float, int, Fingerprint]] = []
        remaining = seconds_to_goal(plan, expected_seconds)
        self._rank = {
            stage.fingerprint: (-remaining[stage.fingerprint], place)
            for place, stage in enumerate(plan.stages)
        }
        for stage in plan.stages:
            self._dependants[stage.fingerprint] = []
            needed = {needed.fingerprint for needed in stage.inputs} & self._stages.keys()
            self._missing[stage.fingerprint] = needed
            for name in needed:
                self._dependants[name].append(stage.fingerprint)
        self._unsettled = {name: len(behind) for name, behind in self._dependants.items()}
        self._queue(name for name, missing in self._missing.items() if not missing)

    @property
    def is_unfinished(self) -> bool:
        return len(self.outcomes) < len(self._stages)

    def startable(self, slots: int) -> Iterable[list[Stage[Any]]]:
        """Yield groups to start now; an exclusive stage starts only when nothing else can run."""
        while self._ready and not self._is_one_alone:
            free = slots - len(set(self._running.values()))
            if free < 1:
                break
            # The ready stages are shared evenly, so that no group leaves other free slots empty.
            yield self._take_group(math.ceil(len(self._ready) / free))
        # An exclusive stage measures time, so that it waits until every other ready stage is done.
        if self._ready_alone and not self._running and not self._ready:
            yield [self._take(self._ready_alone, next(self._groups))]

    def given(self, stage: Stage[Any]) -> dict[Fingerprint, bytes]:
        """Return the inputs that are small enough to be sent with the task of `stage`."""
        made = (self.outcomes.get(needed.fingerprint) for needed in stage.inputs)
        return {one.fingerprint: one.payload for one in made if one and one.payload is not None}

    def settle(self, outcome: Outcome) -> list[tuple[Stage[Any], Outcome]]:
        """Record an outcome; return it with the outcomes of stages that can no longer run."""
        if outcome.failure is None:
            settled = [outcome]
        else:
            settled = [outcome, *self._given_up(outcome.fingerprint, outcome.failure)]
        for one in settled:
            self._running.pop(one.fingerprint, None)
        self.outcomes.update((one.fingerprint, one) for one in settled)
        for one in settled:
            self._forget_payloads(self._stages[one.fingerprint])
        if outcome.failure is None:
            self._release(outcome.fingerprint)
        return [(self._stages[one.fingerprint], one) for one in settled]

    @property
    def _is_one_alone(self) -> bool:
        return any(self._stages[name].exclusive for name in self._running)

    def _take_group(self, most: int) -> list[Stage[Any]]:
        """Take a ready stage, more short ones, and short ones that need only the stages taken."""
        group = next(self._groups)
        taken = [self._take(self._ready, group)]
        seconds = self._seconds(taken[0].fingerprint)
        while self._ready and len(taken) < most and self._fits(self._ready[0][-1], seconds):
            taken.append(self._take(self._ready, group))
            seconds += self._seconds(taken[-1].fingerprint)
        if not self._is_short(taken[0].fingerprint):
            seconds = 0.0  # the stages that need it wait for it in any case
        for stage in taken:  # grows in the loop: stages behind a stage that was added may follow
            for name in self._dependants[stage.fingerprint]:
                if self._fits(name, seconds) and self._may_follow(name, group):
                    self._running[name] = group
                    taken.append(self._stages[name])
                    seconds += self._seconds(name)
        return taken

    def _fits(self, name: Fingerprint, seconds: float) -> bool:
        """Whether a stage is short enough for a group that takes so many seconds without it."""
        return self._is_short(name) and seconds + self._seconds(name) <= _GROUP_SECONDS

    def _is_short(self, name: Fingerprint) -> bool:
        return self._seconds(name) < _SHORT_SECONDS

    def _seconds(self, name: Fingerprint) -> float:
        return self._expected.get(self._stages[name].kind, 1.0)

    def _may_follow(self, name: Fingerprint, group: int) -> bool:
        """Whether a stage can run in `group` because all its unfinished inputs are in it."""
        if self._stages[name].exclusive or name in self._running:
            return False
        return all(self._running.get(needed) == group for needed in self._missing[name])

    def _take(self, ready: list[tuple[float, int, Fingerprint]], group: int) -> Stage[Any]:
        *_, name = heapq.heappop(ready)
        self._running[name] = group
        return self._stages[name]

    def _queue(self, names: Iterable[Fingerprint]) -> None:
        for name in names:
            ready = self._ready_alone if self._stages[name].exclusive else self._ready
            heapq.heappush(ready, (*self._rank[name], name))

    def _release(self, done: Fingerprint) -> None:
        for name in self._dependants[done]:
            self._missing[name].discard(done)
        ready = (name for name in self._dependants[done] if not self._missing[name])
        self._queue(name for name in ready if name not in self._running)

    def _given_up(self, failed: Fingerprint, failure: Failure) -> list[Outcome]:
        """Return outcomes for all stages that need the failed one, directly or indirectly."""
        stage = self._stages[failed]
        what = " ".join(filter(None, (stage.kind, stage.subject)))
        reason = Failure(f"not run: {what} failed: {failure.cause}", skipped=True)
        found: dict[Fingerprint, Outcome] = {}
        waiting = [failed]
        while waiting:
            for name in self._dependants[waiting.pop()]:
                if name not in found and name not in self.outcomes:
                    found[name] = Outcome(name, failure=reason)
                    waiting.append(name)
        return list(found.values())

    def _forget_payloads(self, stage: Stage[Any]) -> None:
        """Drop the payloads that are not needed any more once `stage` is settled."""
        for needed in stage.inputs:
            name = needed.fingerprint
            if name in self._unsettled:
                self._unsettled[name] -= 1
                is_needed = self._unsettled[name] or name in self._goals
                if not is_needed and name in self.outcomes:
                    self.outcomes[name] = replace(self.outcomes[name], payload=None)
