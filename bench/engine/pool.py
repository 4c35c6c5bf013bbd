"""Those who do the work of a plan; they know tasks, not plans."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from bench.engine.task import Outcome, Task, left_after, perform_group

MOST_RETRIES = 2
"""How often a task is tried again after its worker was lost."""


@dataclass(frozen=True)
class Group:
    """Tasks that one worker carries out, and what has gone wrong with them."""

    tasks: tuple[Task, ...]
    """What is left of them; the worker is at the first."""
    lost: int = 0
    """How many workers the first task has lost."""
    is_divided: bool = False
    """Whether each task goes by itself, because one of them is to blame and this shows which."""

    @property
    def given(self) -> tuple[Task, ...]:
        """The tasks that travel now."""
        return self.tasks[:1] if self.is_divided else self.tasks

    def after(self, outcome: Outcome) -> "Group":
        """Return what is left once the first task has an outcome."""
        return replace(self, tasks=left_after(outcome, self.tasks), lost=0)


class Pool(Protocol):
    """Takes tasks and gives back outcomes.

    Every task comes back exactly once, except those that need one of their group that failed.
    """

    description: str
    """What carries the work out, for people: how many, where, and on how many threads."""
    slots: int
    """How many groups of tasks to have with the pool at a time."""
    workers: int
    """How many stages can run at the same moment."""
    is_here: bool = True
    """Whether all of them run on this machine."""

    def start(self, *tasks: Task) -> str:
        """Take on tasks, which one worker carries out one after the other, inputs first.

        Return which worker that is, or nothing where it is not known yet.
        """
        ...

    def finished(self, timeout: float) -> list[Outcome]:
        """Return what finished since last asked, after waiting `timeout` seconds at most."""
        ...

    def cancel(self) -> None:
        """Drop every task that is not finished."""
        ...

    def close(self) -> None:
        """End everything that this pool started, and nothing else."""
        ...


class Alone(Pool):
    """Does the work in this very process, one task at a time: for plans of little work."""

    description = "this process, one thread"
    slots = 1
    workers = 1

    def __init__(self) -> None:
        self._groups: deque[Iterator[Outcome]] = deque()

    def start(self, *tasks: Task) -> str:
        """Take on tasks; each runs when its outcome is asked for."""
        self._groups.append(perform_group(tasks))
        return "here"

    def finished(self, timeout: float) -> list[Outcome]:
        """Carry out the next task and return its outcome."""
        while self._groups:
            outcome = next(self._groups[0], None)
            if outcome is not None:
                return [outcome]
            self._groups.popleft()
        return []

    def cancel(self) -> None:
        """Forget the tasks that have not run."""
        self._groups.clear()

    def close(self) -> None:
        """Do nothing: nothing was started."""
