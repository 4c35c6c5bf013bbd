"""Pools of workers that run tasks. They know nothing about plans."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from bench.engine.task import Outcome, Task, left_after, perform_group

MOST_RETRIES = 2
"""Number of retries of a task after the loss of its worker."""


@dataclass(frozen=True)
class Group:
    """Tasks that one worker runs in order, and the losses so far."""

    tasks: tuple[Task, ...]
    """Unfinished tasks; the worker is at the first."""
    lost: int = 0
    """Number of workers that were lost at the first task."""
    is_divided: bool = False
    """Whether tasks are sent one by one, to find the task that causes a failure."""

    @property
    def given(self) -> tuple[Task, ...]:
        """Tasks to send now."""
        return self.tasks[:1] if self.is_divided else self.tasks

    def after(self, outcome: Outcome) -> "Group":
        """Return the remaining tasks once the first one has an outcome."""
        return replace(self, tasks=left_after(outcome, self.tasks), lost=0)


class Pool(Protocol):
    """Workers that take tasks and return outcomes.

    Every task has exactly one outcome, except tasks that need a failed task of their group.
    """

    description: str
    """Number, place and threads of the workers, for people."""
    slots: int
    """Number of groups that the pool should have at a time."""
    workers: int
    """Number of stages that can run at the same time."""
    is_here: bool = True
    """Whether all stages run on this machine."""

    def start(self, *tasks: Task) -> str:
        """Accept tasks that one worker runs in order, inputs first.

        Return the name of the worker, or an empty string if it is not known yet.
        """
        ...

    def finished(self, timeout: float) -> list[Outcome]:
        """Return the outcomes since the last call, after waiting at most `timeout` seconds."""
        ...

    def cancel(self) -> None:
        """Drop every unfinished task."""
        ...

    def close(self) -> None:
        """End everything that this pool started, and nothing else."""
        ...


class Alone(Pool):
    """Pool without workers: tasks run in this process, one at a time, for small plans."""

    description = "this process, one thread"
    slots = 1
    workers = 1

    def __init__(self) -> None:
        self._groups: deque[Iterator[Outcome]] = deque()

    def start(self, *tasks: Task) -> str:
        """Queue tasks; each runs when its outcome is requested."""
        self._groups.append(perform_group(tasks))
        return "here"

    def finished(self, timeout: float) -> list[Outcome]:
        """Run the next task and return its outcome."""
        while self._groups:
            outcome = next(self._groups[0], None)
            if outcome is not None:
                return [outcome]
            self._groups.popleft()
        return []

    def cancel(self) -> None:
        """Drop the tasks that have not run."""
        self._groups.clear()

    def close(self) -> None:
        """Do nothing: nothing was started."""
