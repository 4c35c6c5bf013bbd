"""A study: the plan of all trials, its remaining stages and their results."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from typing import Any

from bench.engine import (
    ArtifactStore,
    Cost,
    Failure,
    Fingerprint,
    Outcome,
    Plan,
    Stage,
    Task,
    perform,
)
from bench.errors import ArtifactError
from bench.stages import AskEngine, ExpandQueries
from bench.study.corpus import Corpus
from bench.study.trial import Trial


@dataclass
class Study:
    """Trials on one corpus that are compared."""

    id: str
    corpus: Corpus
    trials: tuple[Trial, ...]
    store: ArtifactStore
    _payloads: dict[Fingerprint, bytes] = field(default_factory=dict)
    _costs: dict[Fingerprint, Cost] = field(default_factory=dict)
    _failures: dict[Fingerprint, Failure] = field(default_factory=dict)
    _made: set[Fingerprint] = field(default_factory=set)
    """Stages executed since `remaining` was computed."""

    @cached_property
    def whole(self) -> Plan:
        """Every distinct stage."""
        return Plan.reaching(goal for trial in self.trials for goal in trial.goals)

    @cached_property
    def remaining(self) -> Plan:
        """Stages that still have to run.

        Results of goals are read and checked. For other stages only the cost is read, because
        their results may be large and are not needed here. A worker recomputes the result of such
        a stage if it finds it damaged.
        """
        again = self._to_ask_again()
        left = [
            stage
            for stage in self.whole.stages
            if stage.fingerprint in again or not self._is_done(stage)
        ]
        return Plan(tuple(left), self.whole.goals)

    def _is_done(self, stage: Stage[Any]) -> bool:
        is_goal = stage.fingerprint in self.whole.goals
        return self._has(stage) if is_goal else self._find_cost(stage) is not None

    def _to_ask_again(self) -> set[Fingerprint]:
        """Return all stages that depend on lost or incomplete answers of an engine or a model.

        The engine or model may answer differently the next time. All results that were made from
        its old answers are therefore invalid.
        """
        found: set[Fingerprint] = set()
        for stage in self.whole.stages:  # inputs come first
            if (
                isinstance(stage, AskEngine | ExpandQueries) and not self._is_answered(stage)
            ) or any(needed.fingerprint in found for needed in stage.inputs):
                found.add(stage.fingerprint)
        return found

    def _is_answered(self, stage: AskEngine | ExpandQueries) -> bool:
        cost = self._find_cost(stage) if self._has(stage) else None
        return cost is not None and not cost.counts.get("failed_queries")

    def carry_out(
        self,
        executor: Callable[[Plan], Mapping[Fingerprint, Outcome]],
        *,
        early: Collection[Stage[Any]] = (),
    ) -> dict[Fingerprint, Outcome]:
        """Execute the remaining stages with `executor` and record their results and costs.

        If `early` is not empty, only those stages and their inputs are executed.
        """
        wanted = Plan.reaching(early).stages if early else self.remaining.stages
        names = {stage.fingerprint for stage in wanted} - self._made
        left = tuple(stage for stage in self.remaining.stages if stage.fingerprint in names)
        outcomes = dict(executor(Plan(left, self.whole.goals))) if left else {}
        self._keep(outcomes)
        for stage in left:
            if stage.fingerprint not in outcomes:
                continue  # a deadline stopped it
            if stage.fingerprint in self.whole.goals and not (
                self.has_failed(stage) or self._has(stage)
            ):  # the machine that made a large result keeps it on its disk
                again = {stage.fingerprint: perform(Task(stage, self.store.url))}
                self._keep(again)
                outcomes |= again
        return outcomes

    def _keep(self, outcomes: Mapping[Fingerprint, Outcome]) -> None:
        for name, outcome in outcomes.items():
            if outcome.failure is not None:
                self._failures[name] = outcome.failure
                continue
            self._failures.pop(name, None)
            self._made.add(name)
            self._costs[name] = outcome.cost
            if outcome.payload is not None:
                self._payloads[name] = outcome.payload

    def part(self, trials: Sequence[Trial], corpus: Corpus | None = None) -> "Study":
        """Return a study of other trials that shares all results with this one."""
        return replace(self, trials=tuple(trials), corpus=corpus or self.corpus)

    def narrowed(self, trials: Sequence[Trial]) -> "Study":
        """Return a study of some of the trials, without reading the store again."""
        part = self.part(trials)
        whole = {stage.fingerprint for stage in part.whole.stages}
        left = (stage for stage in self.remaining.stages if stage.fingerprint in whole)
        part.remaining = Plan(tuple(left), part.whole.goals)
        return part

    def has_ended(self, trial: Trial) -> bool:
        """Return True if each goal of a trial has a result or has failed."""
        return all(self.has_failed(goal) or self._has(goal) for goal in trial.goals)

    def failure_of(self, stage: Stage[Any]) -> Failure | None:
        """Return the failure of a stage, or None."""
        return self._failures.get(stage.fingerprint)

    def has_failed(self, stage: Stage[Any]) -> bool:
        """Return True if a stage failed, or was skipped because an input failed."""
        return stage.fingerprint in self._failures

    def result_of(self, stage: Stage[Any]) -> Any:
        """Return the result of a stage, or raise ArtifactError if it is missing or damaged."""
        if not self._has(stage):
            raise self._lost(stage, "result")
        return stage.codec.decode(self._payloads[stage.fingerprint])

    def digest_of(self, stage: Stage[Any]) -> str | None:
        """Return the SHA-256 of a stage's result, or None if it has failed or is missing."""
        payload = self._payloads.get(stage.fingerprint)
        if payload is None and not self.has_failed(stage):
            artifact = self.store.load(stage)
            payload = artifact.payload if artifact else None
        return None if payload is None else sha256(payload).hexdigest()

    def cost_of(self, stage: Stage[Any]) -> Cost:
        """Return the cost of a stage, including cached ones; a failed stage has an empty cost."""
        cost = self._find_cost(stage)
        if cost is None and self.has_failed(stage):
            return Cost()
        if cost is None:
            raise self._lost(stage, "cost")
        return cost

    def _find_cost(self, stage: Stage[Any]) -> Cost | None:
        if stage.fingerprint not in self._costs:
            cost = self.store.cost(stage)
            if cost is None:
                return None
            self._costs[stage.fingerprint] = cost
        return self._costs[stage.fingerprint]

    def _lost(self, stage: Stage[Any], part: str) -> ArtifactError:
        name = " ".join(filter(None, (stage.kind, stage.subject)))
        return ArtifactError(
            f"store={self.store.url}: the {part} of stage {name} is missing or damaged."
            " Run the study again."
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
    """Return True if this version can decode a stored result, which another version may have
    written."""
    try:
        stage.codec.decode(payload)
    except (ArtifactError, TypeError):
        return False
    return True
