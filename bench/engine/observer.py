"""Observers of a running plan, such as a display or a log."""

from typing import Any, Protocol

from bench.engine.stage import Stage
from bench.engine.task import Outcome


class Observer(Protocol):
    """Receives the events of every stage, in the thread that runs the plan."""

    def stage_started(self, stage: Stage[Any], worker: str) -> None:
        """Receive that `stage` was sent to `worker` (empty if not known yet)."""
        ...

    def stage_finished(self, stage: Stage[Any], outcome: Outcome) -> None:
        """Receive the outcome of `stage`; a skipped stage finishes without a start."""
        ...


class NoObserver(Observer):
    """Observer that ignores all events."""

    def stage_started(self, stage: Stage[Any], worker: str) -> None:
        """Do nothing."""

    def stage_finished(self, stage: Stage[Any], outcome: Outcome) -> None:
        """Do nothing."""
