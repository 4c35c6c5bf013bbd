"""Those who do the work of a plan; they know tasks, not plans."""

from collections import deque
from typing import Protocol

from bench.engine.task import Outcome, Task, perform

MOST_RETRIES = 2
"""How often a task is tried again after its worker was lost."""


class Pool(Protocol):
    """Takes tasks and gives back outcomes; every task started comes back exactly once."""

    description: str
    """What carries the work out, for people: how many, where, and on how many threads."""
    slots: int
    """How many groups of tasks to have with the pool at a time."""
    workers: int
    """How many stages can run at the same moment."""

    def start(self, *tasks: Task) -> str:
        """Take on tasks, which one worker carries out one after the other.

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
        self._tasks: deque[Task] = deque()

    def start(self, *tasks: Task) -> str:
        """Take on tasks; each runs when its outcome is asked for."""
        self._tasks.extend(tasks)
        return "here"

    def finished(self, timeout: float) -> list[Outcome]:
        """Carry out the next task and return its outcome."""
        return [perform(self._tasks.popleft())] if self._tasks else []

    def cancel(self) -> None:
        """Forget the tasks that have not run."""
        self._tasks.clear()

    def close(self) -> None:
        """Do nothing: nothing was started."""
