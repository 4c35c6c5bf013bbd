"""Whether a machine was busy with something else while latency was measured.

Measured on two cores with pure computation, 50 samples of 0.1, 1 and 10 ms: alone (at real-time
priority) the time was 1.00 to 1.04 times the CPU time; beside four runnable processes for each
core 2.7 to 3.5 times. The bound lies between the two.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

MOST_WAITING = 1.5
"""Time over CPU time, of all samples together, from which on an answer waited for a processor."""
MOST_RUNNABLE = 1.0
"""Runnable threads for each core, on average, from which on a server may have waited for one."""


@dataclass(frozen=True)
class Sample:
    """One query: how long it took, how long this process computed, and what else was to run."""

    seconds: float
    cpu_seconds: float
    runnable_per_core: float | None = None
    """Threads of the machine that run or wait for a core; None where no system tells."""


@dataclass(frozen=True)
class Load:
    """How much a machine had to do besides."""

    busy: bool
    time_over_cpu_time: float | None = None
    """None where something else answers: waiting for it is what is measured."""
    runnable_per_core: float | None = None


def load_of(samples: Sequence[Sample], *, is_own: bool) -> Load:
    """Return the load during samples; `is_own` if this process computes every answer itself."""
    counts = [one.runnable_per_core for one in samples if one.runnable_per_core is not None]
    runnable = sum(counts) / len(counts) if counts else None
    if not is_own:
        return Load(runnable is not None and runnable > MOST_RUNNABLE, None, runnable)
    cpu = sum(one.cpu_seconds for one in samples)
    ratio = sum(one.seconds for one in samples) / cpu if cpu else None
    return Load(ratio is not None and ratio > MOST_WAITING, ratio, runnable)


def runnable_per_core() -> float | None:
    """Return how many threads run or wait for a core now, for each core (Linux)."""
    try:
        loads = Path("/proc/loadavg").read_text(encoding="ascii").split()
        return int(loads[3].partition("/")[0]) / (os.cpu_count() or 1)
    except (OSError, ValueError, IndexError):
        return None
