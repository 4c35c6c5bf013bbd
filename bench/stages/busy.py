"""Detection of other load on the machine during latency measurements.

The bound is from measurements on two cores with pure computation, 50 samples of 0.1, 1 and 10 ms.
Alone at real-time priority, wall-clock time was 1.00 to 1.04 times the CPU time. Beside four
runnable processes per core it was 2.7 to 3.5 times. The bound lies between the two.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

MOST_WAITING = 1.5
"""Ratio of wall-clock to CPU time over all samples above which the machine was busy."""
MOST_RUNNABLE = 1.0
"""Mean number of runnable threads per core above which a server may have been slow."""


@dataclass(frozen=True)
class Sample:
    """Time of one query, CPU time of this process, and load of the machine."""

    seconds: float
    cpu_seconds: float
    runnable_per_core: float | None = None
    """Threads that run or wait for a core, per core; None if the system does not provide it."""


@dataclass(frozen=True)
class Load:
    """Load of the machine during the samples."""

    busy: bool
    time_over_cpu_time: float | None = None
    """None for answers from other processes, where waiting is part of the latency."""
    runnable_per_core: float | None = None


def load_of(samples: Sequence[Sample], *, is_own: bool) -> Load:
    """Return the load during samples; `is_own` if this process computes all answers itself."""
    counts = [one.runnable_per_core for one in samples if one.runnable_per_core is not None]
    runnable = sum(counts) / len(counts) if counts else None
    if not is_own:
        return Load(runnable is not None and runnable > MOST_RUNNABLE, None, runnable)
    cpu = sum(one.cpu_seconds for one in samples)
    ratio = sum(one.seconds for one in samples) / cpu if cpu else None
    return Load(ratio is not None and ratio > MOST_WAITING, ratio, runnable)


def runnable_per_core() -> float | None:
    """Return the number of threads that run or wait for a core now, per core (Linux only)."""
    try:
        loads = Path("/proc/loadavg").read_text(encoding="ascii").split()
        return int(loads[3].partition("/")[0]) / (os.cpu_count() or 1)
    except (OSError, ValueError, IndexError):
        return None
