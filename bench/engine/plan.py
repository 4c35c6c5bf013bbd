"""Plans: the distinct stages of many trials, each after its inputs."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from bench.engine.stage import Fingerprint, Stage


@dataclass(frozen=True)
class Plan:
    """Distinct stages that some goals need, in an order that can be executed."""

    stages: tuple[Stage[Any], ...]
    goals: frozenset[Fingerprint] = frozenset()
    """Fingerprints of the requested results, including those that are done already."""

    @classmethod
    def reaching(
        cls,
        goals: Iterable[Stage[Any]],
        *,
        done: Callable[[Stage[Any]], bool] = lambda _stage: False,
    ) -> "Plan":
        """Return the least work that finishes every goal, given what is `done` already."""
        ordered: dict[Fingerprint, Stage[Any]] = {}
        known: dict[Fingerprint, bool] = {}
        ends = tuple(goals)
        for goal in ends:
            _add_inputs_first(goal, ordered, known, done)
        return cls(tuple(ordered.values()), frozenset(goal.fingerprint for goal in ends))


def _add_inputs_first(
    stage: Stage[Any],
    ordered: dict[Fingerprint, Stage[Any]],
    known: dict[Fingerprint, bool],
    done: Callable[[Stage[Any]], bool],
) -> None:
    if stage.fingerprint in known:
        if stage.leaves_more and stage.fingerprint in ordered:
            ordered[stage.fingerprint] = stage
        return
    known[stage.fingerprint] = done(stage)
    if known[stage.fingerprint]:
        return
    for needed in stage.inputs:
        _add_inputs_first(needed, ordered, known, done)
    ordered[stage.fingerprint] = stage
