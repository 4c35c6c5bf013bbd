"""The account of a stage: its own work, and apart from it what had to be there first."""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from bench.engine import Codec, Read, Record, Stage, Task, perform

_BUSY_SECONDS = 0.2


@dataclass(frozen=True)
class Answer:
    """A result."""

    number: int


@dataclass(frozen=True)
class Preparing(Stage[Answer]):
    """Works before its work, as one that loads a model does."""

    kind: ClassVar[str] = "test_preparing"
    codec: ClassVar[Codec[Any]] = Record(Answer)

    def prepare(self) -> None:
        """Take CPU time."""
        end = time.process_time() + _BUSY_SECONDS
        while time.process_time() < end:
            pass

    def run(self, read: Read, /) -> Answer:
        """Return at once."""
        del read
        return Answer(1)


def test_what_comes_before_the_work_has_its_own_account(tmp_path: Path) -> None:
    """Only the first stage of a process loads a model, so its work stays comparable."""
    cost = perform(Task(Preparing(), str(tmp_path))).cost

    assert cost.setup_cpu_seconds >= _BUSY_SECONDS > cost.cpu_seconds
