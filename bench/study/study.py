"""The study: all trials as one plan, what is left of it to do, and what it came to."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from bench.errors import ArtifactError
from bench.pipeline import ArtifactStore, Cost, Fingerprint, Outcome, Plan, Stage
from bench.stages import AskEngine
from bench.study.corpus import Corpus
from bench.study.trial import Trial


@dataclass(frozen=True)
class PlanAccount:
    """Stages and seconds of a study, against what its trials would have cost one by one."""

    distinct: int
    executed: int
    reused: int
    failed: int
    skipped: int
    separate: int
    seconds: float
    """Of all distinct stages, whenever they were carried out."""
    separate_seconds: float


@dataclass
class Study:
    """Trials that are judged on one corpus and compared."""

    id: str
    corpus: Corpus
    trials: tuple[Trial, ...]
    store: ArtifactStore
    _payloads: dict[Fingerprint, bytes] = field(default_factory=dict)
    _costs: dict[Fingerprint, Cost] = field(default_factory=dict)

    @cached_property
    def whole(self) -> Plan:
        """Every distinct stage."""
        return Plan.reaching(goal for trial in self.trials for goal in trial.goals)

    @cached_property
    def remaining(self) -> Plan:
        """The stages that are not stored yet and that a goal needs.

        The results that people see are read and checked; a damaged one is made again, and so is
        what rests on queries that an engine failed on.
        """
        goals = [goal for trial in self.trials for goal in trial.goals]
        ends = {goal.fingerprint for goal in goals}
        again = self._to_ask_again()

        def done(stage: Stage[Any]) -> bool:
            if stage.fingerprint in again:
                return False
            return self._has(stage) if stage.fingerprint in ends else self.store.has(stage)

        return Plan.reaching(goals, done=done)

    def _to_ask_again(self) -> set[Fingerprint]:
        """Return the stages that rest on an answer that a new try may better."""
        found: set[Fingerprint] = set()
        for stage in self.whole.stages:  # inputs come first
            failed = isinstance(stage, AskEngine) and (self.store.cost(stage) or Cost()).counts
            if (failed and failed.get("failed_queries")) or any(
                needed.fingerprint in found for needed in stage.inputs
            ):
                found.add(stage.fingerprint)
        return found

    def carry_out(
        self, executor: Callable[[Plan], Mapping[Fingerprint, Outcome]]
    ) -> dict[Fingerprint, Outcome]:
        """Let `executor` do what remains, and keep what came of it."""
        outcomes = dict(executor(self.remaining)) if self.remaining.stages else {}
        for outcome in outcomes.values():
            if outcome.failure is None:
                self._costs[outcome.fingerprint] = outcome.cost
                if outcome.payload is not None:
                    self._payloads[outcome.fingerprint] = outcome.payload
        return outcomes

    def narrowed(self, trials: Sequence[Trial]) -> "Study":
        """Return the study of some of the trials, which others have carried out."""
        part = Study(self.id, self.corpus, tuple(trials), self.store)
        whole = {stage.fingerprint for stage in part.whole.stages}
        left = (stage for stage in self.remaining.stages if stage.fingerprint in whole)
        part.remaining = Plan(tuple(left))
        return part

    def result_of(self, stage: Stage[Any]) -> Any:
        """Return what a finished stage made, or nothing."""
        if stage.fingerprint not in self._payloads and not self._has(stage):
            return None
        return stage.codec.decode(self._payloads[stage.fingerprint])

    def cost_of(self, stage: Stage[Any]) -> Cost:
        """Return what a stage cost, now or when it was made."""
        if stage.fingerprint not in self._costs:
            self._costs[stage.fingerprint] = self.store.cost(stage) or Cost()
        return self._costs[stage.fingerprint]

    def account(self, outcomes: Mapping[Fingerprint, Outcome]) -> PlanAccount:
        """Return what was done, and what it would have been without sharing."""
        apart = [Plan.reaching(trial.goals) for trial in self.trials]
        own = {stage.fingerprint for stage in self.whole.stages}
        outcomes = {name: one for name, one in outcomes.items() if name in own}
        failures = [one.failure for one in outcomes.values() if one.failure]
        failed = sum(1 for one in failures if not one.skipped)
        skipped = sum(1 for one in failures if one.skipped)
        return PlanAccount(
            distinct=len(self.whole.stages),
            executed=len(outcomes) - failed - skipped,
            reused=len(self.whole.stages) - len(self.remaining.stages),
            failed=failed,
            skipped=skipped,
            separate=sum(len(plan.stages) for plan in apart),
            seconds=sum(self.cost_of(stage).seconds for stage in self.whole.stages),
            separate_seconds=sum(
                self.cost_of(stage).seconds for plan in apart for stage in plan.stages
            ),
        )

    def _has(self, stage: Stage[Any]) -> bool:
        if stage.fingerprint in self._payloads:
            return True
        artifact = self.store.load(stage)
        if artifact is None or not _readable(stage, artifact.payload):
            return False
        self._payloads[stage.fingerprint] = artifact.payload
        self._costs[stage.fingerprint] = artifact.cost
        return True


def _readable(stage: Stage[Any], payload: bytes) -> bool:
    """Whether a stored result is one, also if another version of the program wrote it."""
    try:
        stage.codec.decode(payload)
    except (ArtifactError, TypeError):
        return False
    return True
