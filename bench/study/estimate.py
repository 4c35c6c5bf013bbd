"""Estimated time of a plan, from sizes and rates, corrected by its own pace while it runs."""

import math
from collections import Counter
from collections.abc import Mapping
from typing import Any

from bench.engine import ArtifactStore, Fingerprint, Outcome, Plan, Stage
from bench.engine.artifact_file import Cost
from bench.study.rates import Measured, Rates, read_rates
from bench.study.sizes import Sizes, rate_name

_TRUSTED, _TRUSTED_OF_KIND = 0.1, 0.05
"""Shares of the expected seconds, of the run and of a kind of stage, that the pace assumes to have
passed as expected. They damp the pace at the beginning."""
_LEAST_LEFT = 0.1
"""Remaining share of its expected time for a stage that runs longer than expected."""
_MOST_LATE = 4.0
"""Maximum factor by which a late running stage slows down the estimate of others. A short stage
that loads a model or waits for its worker may be late by a factor of 100."""
_ONE_OFF_SECONDS = 1.0
"""Setup of a stage that takes longer than this has loaded a model. Later stages reuse it."""


class Estimate:
    """Expected seconds of a plan, compared with the seconds that its finished stages took."""

    def __init__(self, plan: Plan, store: ArtifactStore, rates: Rates, *, workers: int) -> None:
        self.workers = max(workers, 1)
        self._rates, self._store = rates, store
        self._left = {stage.fingerprint: stage for stage in plan.stages}
        self._counts: dict[Fingerprint, Mapping[str, int] | None] = {}
        self._alone = {rate_name(stage) for stage in plan.stages if stage.exclusive}
        self._names = {stage.fingerprint: rate_name(stage) for stage in plan.stages}
        self._sizes = Sizes(self._counts_of, plan.stages)
        self._expected: dict[Fingerprint, float] = {}
        self._passed: dict[str, tuple[float, float]] = {}
        self.measured: dict[str, Measured] = {}
        """Rates of the finished stages."""

    @classmethod
    def of(cls, plan: Plan, store: ArtifactStore, *, workers: int) -> "Estimate":
        """Return the estimate of a plan with the rates of this machine."""
        return cls(plan, store, read_rates(store), workers=workers)

    @property
    def is_own(self) -> bool:
        """Return True if rates of this machine cover at least half of the expected seconds."""
        own = sum(
            self.seconds(stage)
            for stage in self._left.values()
            if self._rates.is_own(self._names[stage.fingerprint])
            or self._names[stage.fingerprint] in self._passed
        )
        return 2 * own >= sum(map(self.seconds, self._left.values()))

    @property
    def assumed_repositories(self) -> int:
        """Number of repositories whose size is assumed because nobody has read them."""
        return self._sizes.unknown_repositories(tuple(self._left.values()))

    def by_kind(self) -> dict[str, float]:
        """Return the expected seconds of all remaining stages of each kind."""
        found: dict[str, float] = {}
        for stage in self._left.values():
            found[stage.kind] = found.get(stage.kind, 0.0) + self.seconds(stage)
        return found

    def mean_by_kind(self) -> dict[str, float]:
        """Return the mean expected seconds of a remaining stage of each kind."""
        count = Counter(stage.kind for stage in self._left.values())
        return {kind: seconds / count[kind] for kind, seconds in self.by_kind().items()}

    def seconds(self, stage: Stage[Any]) -> float:
        """Return the expected seconds of one stage: its size times its rate."""
        name = stage.fingerprint
        if name not in self._expected:
            units = self._sizes.of(stage)
            self._expected[name] = self._rates.seconds(self._names[name], units)
        return self._expected[name]

    def finish(self, stage: Stage[Any], outcome: Outcome, occupied: float) -> None:
        """Record a finished stage that occupied a worker for `occupied` seconds."""
        expected = self.seconds(stage)
        units = self._sizes.of(stage)
        self._left.pop(stage.fingerprint, None)
        if outcome.failure is not None:
            return
        self._counts[stage.fingerprint] = outcome.cost.counts
        if {"bytes", "documents", "windows"} & outcome.cost.counts.keys():
            self._expected.clear()  # assumed sizes are known now
        seconds = _without_model(outcome.cost, occupied)
        name = self._names[stage.fingerprint]
        before, after = self._passed.get(name, (0.0, 0.0))
        self._passed[name] = before + expected, after + seconds
        self.measured[name] = self.measured.get(name, Measured()).plus(Measured(seconds, units))

    def seconds_left(self, running: Mapping[Fingerprint, float]) -> float:
        """Return the seconds to the end. `running` maps running stages to their elapsed
        seconds."""
        pace = self._paces(running)
        shared, alone, longest = 0.0, 0.0, 0.0
        # A stage cannot use more than one worker, so the longest one is a lower bound.
        for name, stage in self._left.items():
            whole = pace[self._names[name]] * self.seconds(stage)
            rest = max(whole - running.get(name, 0.0), _LEAST_LEFT * whole)
            if stage.exclusive:
                alone += rest
            else:
                shared, longest = shared + rest, max(longest, rest)
        return max(shared / self.workers, longest) + alone

    def _paces(self, running: Mapping[Fingerprint, float]) -> dict[str, float]:
        """Return the ratio of actual to expected time for each kind of stage.

        A kind that has not run yet gets the ratio of the whole run. The first short stages say
        little about the others, so a share of the total is assumed to take its expected time. An
        exclusive stage runs alone and for a fixed time, so the ratio of the others does not apply.
        """
        whole = dict.fromkeys(self._names.values(), 0.0)
        for stage in self._left.values():
            whole[self._names[stage.fingerprint]] += self.seconds(stage)
        for name, (expected, _) in self._passed.items():
            whole[name] += expected
        bounded = self._with_late(running, most=_MOST_LATE)
        before = sum(expected for expected, _ in bounded.values())
        after = sum(seconds for _, seconds in bounded.values())
        run = _pace(before, after, 1.0, trusted=_TRUSTED * sum(whole.values()))
        passed = self._with_late(running)
        return {
            name: _pace(
                *passed.get(name, (0.0, 0.0)),
                1.0 if name in self._alone else run,
                trusted=_TRUSTED_OF_KIND * total,
            )
            for name, total in whole.items()
        }

    def _with_late(
        self, running: Mapping[Fingerprint, float], most: float = math.inf
    ) -> dict[str, tuple[float, float]]:
        """Return the passed seconds, including running stages that already exceed their
        expectation.

        A late stage counts at most `most` times its expected seconds.
        """
        passed = dict(self._passed)
        for name, elapsed in running.items():
            stage = self._left.get(name)
            if stage is not None and elapsed > (expected := self.seconds(stage)):
                before, after = passed.get(self._names[name], (0.0, 0.0))
                seconds = min(elapsed, most * expected)
                passed[self._names[name]] = before + expected, after + seconds
        return passed

    def _counts_of(self, stage: Stage[Any]) -> Mapping[str, int] | None:
        name = stage.fingerprint
        if name in self._left:
            return None
        if name not in self._counts:
            cost = self._store.cost(stage)
            self._counts[name] = None if cost is None else cost.counts
        return self._counts[name]


def _without_model(cost: Cost, occupied: float) -> float:
    """Return the seconds of a stage including the reading of its inputs, without loading a
    model."""
    setup = cost.setup_cpu_seconds
    if setup > _ONE_OFF_SECONDS:
        # Only CPU time is known by part, so the setup is removed in proportion to it.
        occupied *= cost.cpu_seconds / (cost.cpu_seconds + setup)
    return max(cost.seconds, occupied)


def _pace(expected: float, seconds: float, before: float, *, trusted: float) -> float:
    return (seconds + trusted * before) / (expected + trusted) if expected + trusted else before
