"""The study: all trials as one plan, what is left of it to do, and the results of its stages."""

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
    """Trials that are judged on one corpus and compared."""

    id: str
    corpus: Corpus
    trials: tuple[Trial, ...]
    store: ArtifactStore
    _payloads: dict[Fingerprint, bytes] = field(default_factory=dict)
    _costs: dict[Fingerprint, Cost] = field(default_factory=dict)
    _failures: dict[Fingerprint, Failure] = field(default_factory=dict)
    _made: set[Fingerprint] = field(default_factory=set)
    """What was carried out since it was found to remain."""

    @cached_property
    def whole(self) -> Plan:
        """Every distinct stage."""
        return Plan.reaching(goal for trial in self.trials for goal in trial.goals)

    @cached_property
    def remaining(self) -> Plan:
        """The stages that the study has to carry out.

        The results of the goals are read and checked. Of the other stages only the cost is read,
        which is in the results as well: nothing may be large and read for nothing. A worker that
        needs the result of such a stage and finds it damaged makes it again.
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
        """Return the stages that rest on answers that an engine or a model has to give again.

        It may answer differently the next time. If its answers are lost, or some queries
        failed, everything made of the old answers is lost with them.
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
        """Let `executor` do what remains, and keep the results and the costs.

        If some stages are wanted `early`, only these are made, with what they need.
        """
        wanted = Plan.reaching(early).stages if early else self.remaining.stages
        names = {stage.fingerprint for stage in wanted} - self._made
        left = tuple(stage for stage in self.remaining.stages if stage.fingerprint in names)
        outcomes = dict(executor(Plan(left, self.whole.goals))) if left else {}
        self._keep(outcomes)
        for stage in left:
            if stage.fingerprint not in outcomes:
                continue  # it was stopped at a deadline
            if stage.fingerprint in self.whole.goals and not (
                self.has_failed(stage) or self._has(stage)
            ):  # a large result stays on the disk of the machine that made it
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
        """Return the study of some of the trials, which others have carried out."""
        part = self.part(trials)
        whole = {stage.fingerprint for stage in part.whole.stages}
        left = (stage for stage in self.remaining.stages if stage.fingerprint in whole)
        part.remaining = Plan(tuple(left), part.whole.goals)
        return part

    def has_ended(self, trial: Trial) -> bool:
        """Whether a trial has all of its results, or failed."""
        return all(self.has_failed(goal) or self._has(goal) for goal in trial.goals)

    def failure_of(self, stage: Stage[Any]) -> Failure | None:
        """Return why a stage that was carried out has no result."""
        return self._failures.get(stage.fingerprint)

    def has_failed(self, stage: Stage[Any]) -> bool:
        """Whether a stage was carried out without a result, or was skipped for another."""
        return stage.fingerprint in self._failures

    def result_of(self, stage: Stage[Any]) -> Any:
        """Return the result of a stage that has not failed."""
        if not self._has(stage):
            raise self._lost(stage, "result")
        return stage.codec.decode(self._payloads[stage.fingerprint])

    def digest_of(self, stage: Stage[Any]) -> str | None:
        """Return a digest of the result of a stage; None if it has failed or is lost."""
        payload = self._payloads.get(stage.fingerprint)
        if payload is None and not self.has_failed(stage):
            artifact = self.store.load(stage)
            payload = artifact.payload if artifact else None
        return None if payload is None else sha256(payload).hexdigest()

    def cost_of(self, stage: Stage[Any]) -> Cost:
        """Return what a stage cost, now or when it was made; a failed stage made nothing."""
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
    """Whether a stored result is one, also if another version of the program wrote it."""
    try:
        stage.codec.decode(payload)
    except (ArtifactError, TypeError):
        return False
    return True
