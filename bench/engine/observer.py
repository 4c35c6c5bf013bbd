"""Who is told how a plan gets on: a display, a log, or nobody."""

from typing import Any, Protocol

from bench.engine.stage import Stage
from bench.engine.task import Outcome


class Observer(Protocol):
    """Receives every stage, in the thread that drives the plan."""

    def stage_started(self, stage: Stage[Any], worker: str) -> None:
        """Take note that `stage` was handed to `worker` (empty where not known yet)."""
        ...

    def stage_finished(self, stage: Stage[Any], outcome: Outcome) -> None:
        """Take note of what became of `stage`; one that could not run finishes unstarted."""
        ...


class NoObserver(Observer):
    """Takes no note of anything."""

    def stage_started(self, stage: Stage[Any], worker: str) -> None:
        """Do nothing."""

    def stage_finished(self, stage: Stage[Any], outcome: Outcome) -> None:
        """Do nothing."""
