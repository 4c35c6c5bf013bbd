"""Live progress of a plan: running, finished and failed stages, and the time left."""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Lock, Thread
from typing import Any, Self

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from bench.engine import Fingerprint, Outcome, Stage
from bench.printable import one_line
from bench.report.console import open_console
from bench.study import Estimate

_QUIET_SECONDS = 10.0
_REFRESH_SECONDS = 1.0
"""Seconds between two estimates of the time left. Large plans have 20,000 stages."""
_MINUTE, _HOUR = 60, 3600


@dataclass
class _Running:
    stage: Stage[Any]
    began: float | None
    """None while the stage waits for a worker."""


@dataclass
class Tally:
    """The state of a running plan, shared by the driver and the display thread."""

    total: int
    estimate: Estimate
    is_part: bool = False
    """True if more plans follow. The time left is not shown then."""
    running: dict[Fingerprint, _Running] = field(default_factory=dict)
    done: int = 0
    failed: int = 0
    embedded: int = 0
    started: float = field(default_factory=time.monotonic)
    _left: tuple[float, str] = (0.0, "")
    _lock: Lock = field(default_factory=Lock)

    def start(self, stage: Stage[Any]) -> None:
        """Add a stage that was submitted to the pool. It starts once a worker is free."""
        with self._lock:
            self.running[stage.fingerprint] = _Running(stage, None)
            self._begin()

    def finish(self, stage: Stage[Any], outcome: Outcome) -> None:
        """Count a finished stage."""
        with self._lock:
            found = self.running.pop(stage.fingerprint, None)
            began = found.began if found else None
            self.estimate.finish(stage, outcome, _occupied(outcome, began))
            self.done += 1
            self.failed += outcome.failure is not None
            self.embedded += outcome.cost.counts.get("embedded", 0)
            self._begin()

    def _begin(self) -> None:
        """Start the clock of stages that have a worker; the pool has more than it can run at
        once."""
        for one in list(self.running.values())[: self.estimate.workers]:
            one.began = one.began or time.monotonic()

    def line(self) -> str:
        """Return the progress, the running stages and the time left."""
        with self._lock:
            return self._line()

    def _line(self) -> str:
        kinds = Counter(one.stage.kind for one in self.running.values() if one.began)
        now = ", ".join(f"{n} {kind}" if n > 1 else kind for kind, n in kinds.items())
        parts = [f"{self.done} of {self.total} stages"]
        is_ended = self.done == self.total
        if not is_ended:
            parts.append(f"running: {now}" if now else "starting workers")
        if self.failed:
            parts.append(f"failed: {self.failed}")
        elapsed = max(time.monotonic() - self.started, 1e-9)
        if self.embedded:
            parts.append(f"{self.embedded / elapsed:.0f} texts/s")
        if not (self.is_part or is_ended):  # the last line stays on the screen
            parts.append(self._time_left())
        return " · ".join(parts)

    def _time_left(self) -> str:
        now = time.monotonic()
        if now - self._left[0] >= _REFRESH_SECONDS or not self._left[1]:
            begun = {name: one.began for name, one in self.running.items()}
            running = {name: now - began for name, began in begun.items() if began is not None}
            left = f"about {about_seconds(self.estimate.seconds_left(running))} left"
            whose = "" if self.estimate.is_own else " (estimated from other machines' rates)"
            self._left = (now, f"{left}{whose}")
        return self._left[1]


def _occupied(outcome: Outcome, began: float | None) -> float:
    """Return the seconds for which a stage occupied a worker, without the worker's start-up."""
    if began is None:
        return 0.0
    return max(0.0, min(time.monotonic() - began, time.time() - outcome.started))


def about_seconds(seconds: float) -> str:
    """Return a duration with about as many digits as an estimate deserves."""
    if seconds < 2 * _MINUTE:
        return f"{seconds:.0f} s"
    if seconds < 10 * _MINUTE:
        return f"{seconds / _MINUTE:.1f} min"
    return f"{seconds / _MINUTE:.0f} min" if seconds < 2 * _HOUR else f"{seconds / _HOUR:.1f} h"


class _Screen:
    """A progress bar and a status line, updated in place."""

    def __init__(self, tally: Tally, console: Console, *, tells_failures: bool = True) -> None:
        self._tally, self._console, self._tells_failures = tally, console, tells_failures
        self._bar = Progress(
            BarColumn(), TextColumn("{task.percentage:.0f}%"), TimeElapsedColumn()
        )
        self._task = self._bar.add_task("", total=tally.total)
        self.live = Live(get_renderable=self._view, console=console, refresh_per_second=4)

    def stage_started(self, stage: Stage[Any], worker: str) -> None:
        del worker
        self._tally.start(stage)

    def stage_finished(self, stage: Stage[Any], outcome: Outcome) -> None:
        self._tally.finish(stage, outcome)
        self._bar.update(self._task, completed=self._tally.done)
        if self._tells_failures and outcome.failure and not outcome.failure.skipped:
            self._console.print(_failed(stage, outcome), style="red")

    def _view(self) -> Group:
        return Group(self._bar, Text(self._tally.line(), overflow="ellipsis", no_wrap=True))


class Lines:
    """Progress lines for logs, printed every few seconds even during a long stage."""

    def __init__(
        self,
        tally: Tally,
        console: Console,
        quiet: float = _QUIET_SECONDS,
        *,
        tells_failures: bool = True,
    ) -> None:
        self._tally, self._console, self._quiet = tally, console, quiet
        self._tells_failures = tells_failures
        self._ended = Event()
        self._thread = Thread(target=self._print_lines, daemon=True)

    def __enter__(self) -> Self:
        """Start printing."""
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        """Stop printing."""
        self._ended.set()
        self._thread.join()

    def stage_started(self, stage: Stage[Any], worker: str) -> None:
        """Count the stage as running."""
        del worker
        self._tally.start(stage)

    def stage_finished(self, stage: Stage[Any], outcome: Outcome) -> None:
        """Count the stage as finished and print a failure immediately."""
        self._tally.finish(stage, outcome)
        if self._tells_failures and outcome.failure and not outcome.failure.skipped:
            self._console.print(_failed(stage, outcome), soft_wrap=True)

    def _print_lines(self) -> None:
        while not self._ended.wait(self._quiet):
            self._console.print(self._tally.line(), soft_wrap=True)


def _failed(stage: Stage[Any], outcome: Outcome) -> Text:
    cause = outcome.failure.cause if outcome.failure else ""
    return Text(one_line(f"FAILED {stage.kind} {stage.subject}: {cause}"))


@contextmanager
def open_display(
    estimate: Estimate, *, total: int, is_part: bool = False, tells_failures: bool = True
) -> Iterator[Any]:
    """Show a plan's progress on standard error while the block runs; yield its listener.

    With `tells_failures=False`, failures are not printed, because the stages run again later or
    the caller checks them.
    """
    console = open_console(stderr=True)
    tally = Tally(total, estimate, is_part)
    if not console.is_terminal:
        with Lines(tally, console, tells_failures=tells_failures) as lines:
            yield lines
        return
    screen = _Screen(tally, console, tells_failures=tells_failures)
    with screen.live:
        yield screen
