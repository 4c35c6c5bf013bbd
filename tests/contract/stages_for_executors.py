"""Tiny stages for the tests of executors, in a module that their workers can import."""

import os
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from threadpoolctl import threadpool_info

from bench.engine import Codec, Read, Record, Stage

Array = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class Numbers:
    """The result of every stage here."""

    values: Array


@dataclass(frozen=True)
class Drawn(Stage[Numbers]):
    """Draws a square of random numbers."""

    kind: ClassVar[str] = "test_drawn"
    codec: ClassVar[Codec[Any]] = Record(Numbers)
    seed: int
    side: int = 40

    def run(self, read: Read, /) -> Numbers:
        """Draw."""
        read.count(numbers=self.side**2)
        return Numbers(np.random.default_rng(self.seed).normal(size=(self.side, self.side)))


@dataclass(frozen=True)
class Powered(Stage[Numbers]):
    """Multiplies a square with itself."""

    kind: ClassVar[str] = "test_powered"
    codec: ClassVar[Codec[Any]] = Record(Numbers)
    source: Drawn
    exponent: int

    def run(self, read: Read, /) -> Numbers:
        """Multiply."""
        return Numbers(np.linalg.matrix_power(read(self.source).values, self.exponent))


@dataclass(frozen=True)
class Joined(Stage[Numbers]):
    """Multiplies two squares."""

    kind: ClassVar[str] = "test_joined"
    codec: ClassVar[Codec[Any]] = Record(Numbers)
    left: Stage[Numbers]
    right: Stage[Numbers]

    def run(self, read: Read, /) -> Numbers:
        """Multiply."""
        return Numbers(read(self.left).values @ read(self.right).values)


@dataclass(frozen=True)
class Overwritten(Stage[Numbers]):
    """Says whether it could write into what it read (1) or not (0)."""

    kind: ClassVar[str] = "test_overwritten"
    codec: ClassVar[Codec[Any]] = Record(Numbers)
    source: Drawn

    def run(self, read: Read, /) -> Numbers:
        """Try to write."""
        try:
            read(self.source).values[0, 0] = 0.0
        except ValueError:
            return Numbers(np.zeros(1))
        return Numbers(np.ones(1))


@dataclass(frozen=True)
class Threads(Stage[Numbers]):
    """Returns the number of threads that the environment and the loaded libraries would use."""

    kind: ClassVar[str] = "test_threads"
    codec: ClassVar[Codec[Any]] = Record(Numbers)
    exclusive: ClassVar[bool] = False

    def run(self, read: Read, /) -> Numbers:
        """Look."""
        np.ones((2, 2)) @ np.ones((2, 2))
        pools = [float(pool["num_threads"]) for pool in threadpool_info()]
        said = [float(os.environ["OMP_NUM_THREADS"]), float(os.environ["MKL_NUM_THREADS"])]
        return Numbers(np.array(said + pools))


@dataclass(frozen=True)
class ThreadsAlone(Threads):
    """The same, alone on the machine."""

    kind: ClassVar[str] = "test_threads_alone"
    exclusive: ClassVar[bool] = True


@dataclass(frozen=True)
class Slept(Stage[Numbers]):
    """Sleeps, and leaves its process's id in a folder."""

    kind: ClassVar[str] = "test_slept"
    codec: ClassVar[Codec[Any]] = Record(Numbers)
    seconds: float
    name: str = ""
    folder: str = ""
    after: tuple[Stage[Numbers], ...] = ()

    @property
    def subject(self) -> str:
        """The name."""
        return self.name

    def run(self, read: Read, /) -> Numbers:
        """Sleep; return when that began and ended."""
        if self.folder:
            Path(self.folder, f"{os.getpid()}.pid").touch()
        began = time.time()
        time.sleep(self.seconds)
        return Numbers(np.array([began, time.time()]))


@dataclass(frozen=True)
class SleptAlone(Slept):
    """The same, alone on the machine."""

    kind: ClassVar[str] = "test_slept_alone"
    exclusive: ClassVar[bool] = True


@dataclass(frozen=True)
class Raised(Stage[Numbers]):
    """Fails."""

    kind: ClassVar[str] = "test_raised"
    codec: ClassVar[Codec[Any]] = Record(Numbers)
    exits: bool = False

    @property
    def subject(self) -> str:
        """A repository that is not there."""
        return "flask"

    def run(self, read: Read, /) -> Numbers:
        """Raise."""
        if self.exits:
            sys.exit(3)
        raise ValueError("the disk is on fire")


@dataclass(frozen=True)
class Died(Stage[Numbers]):
    """Kills its own process, the first `times` times."""

    kind: ClassVar[str] = "test_died"
    codec: ClassVar[Codec[Any]] = Record(Numbers)
    folder: str
    times: int

    def run(self, read: Read, /) -> Numbers:
        """Die, or count the dead."""
        dead = len(list(Path(self.folder).glob("*.dead")))
        if dead < self.times:
            Path(self.folder, f"{os.getpid()}.dead").touch()
            print("last words", flush=True)  # noqa: T201 - what a dying process says
            os.kill(os.getpid(), signal.SIGKILL)
        return Numbers(np.array([float(dead)]))


@dataclass(frozen=True)
class Unreadable(Stage[Numbers]):
    """Cannot be read by a worker, as if its module were missing there."""

    kind: ClassVar[str] = "test_unreadable"
    codec: ClassVar[Codec[Any]] = Record(Numbers)

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what raises on the other side."""
        return int, ("not a number",)

    def run(self, read: Read, /) -> Numbers:
        """Never get here."""
        raise AssertionError
