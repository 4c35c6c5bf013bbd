"""The live display: what is done, running and failed, and how fast texts are embedded."""

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from bench.engine import Fingerprint, Outcome, Stage
from bench.printable import one_line
from bench.report.console import open_console

_QUIET_SECONDS = 10.0
_TRUSTED = 0.25
"""The share of a run up to which its expected time counts more than its own pace."""


@dataclass
class Tally:
    """What is known of a running plan."""

    total: int
    expected: Mapping[Fingerprint, float]
    workers: int
    running: dict[Fingerprint, Stage[Any]] = field(default_factory=dict)
    done: int = 0
    failed: int = 0
    seconds_done: float = 0.0
    embedded: int = 0
    started: float = field(default_factory=time.monotonic)

    def start(self, stage: Stage[Any]) -> None:
        """Take note of a stage that runs now."""
        self.running[stage.fingerprint] = stage

    def finish(self, stage: Stage[Any], outcome: Outcome) -> None:
        """Take note of what became of a stage."""
        self.running.pop(stage.fingerprint, None)
        self.done += 1
        self.failed += outcome.failure is not None
        self.seconds_done += self.expected.get(stage.fingerprint, 0.0)
        self.embedded += outcome.cost.counts.get("embedded", 0)

    def line(self) -> str:
        """Return how far the plan is, what runs, and how long the rest will take."""
        kinds = Counter(stage.kind for stage in self.running.values())
        now = ", ".join(f"{n} {kind}" if n > 1 else kind for kind, n in kinds.items())
        parts = [f"{self.done}/{self.total} stages", f"under way: {now or 'nothing'}"]
        if self.failed:
            parts.append(f"failed: {self.failed}")
        elapsed = max(time.monotonic() - self.started, 1e-9)
        if self.embedded:
            parts.append(f"{self.embedded / elapsed:.0f} texts/s")
        left = self.seconds_left(elapsed)
        if left is not None:
            parts.append(f"about {left:.0f} s left")
        return " · ".join(parts)

    def seconds_left(self, elapsed: float) -> float | None:
        """Return the seconds left, by what the same kinds of stages took before.

        How much slower this run is counts as soon as a good part of it is done: the first stages
        are short and say little of the others.
        """
        whole = sum(self.expected.values()) / self.workers
        if not whole:
            return None
        done = min(self.seconds_done / self.workers, whole)
        trust = _TRUSTED * whole
        return (whole - done) * (elapsed + trust) / (done + trust)


class _Screen:
    """A bar and a line that change in place."""

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
    """A line now and then, for logs."""

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
        self._spoke = time.monotonic()

    def stage_started(self, stage: Stage[Any], worker: str) -> None:
        """Take note and, now and then, say what runs: after an end nothing may be running yet."""
        del worker
        self._tally.start(stage)
        if time.monotonic() - self._spoke > self._quiet:
            self._spoke = time.monotonic()
            self._console.print(self._tally.line(), soft_wrap=True)

    def stage_finished(self, stage: Stage[Any], outcome: Outcome) -> None:
        """Take note; a failure is said at once."""
        self._tally.finish(stage, outcome)
        if self._tells_failures and outcome.failure and not outcome.failure.skipped:
            self._console.print(_failed(stage, outcome), soft_wrap=True)


def _failed(stage: Stage[Any], outcome: Outcome) -> Text:
    cause = outcome.failure.cause if outcome.failure else ""
    return Text(one_line(f"FAILED {stage.kind} {stage.subject}: {cause}"))


@contextmanager
def open_display(
    expected: Mapping[Fingerprint, float], *, total: int, workers: int, tells_failures: bool = True
) -> Iterator[Any]:
    """Show a plan's progress on standard error while the block runs; yield its listener.

    Of stages that are tried again later, or checked by somebody else, failures are not told.
    """
    console = open_console(stderr=True)
    tally = Tally(total, expected, workers)
    if not console.is_terminal:
        yield Lines(tally, console, tells_failures=tells_failures)
        return
    screen = _Screen(tally, console, tells_failures=tells_failures)
    with screen.live:
        yield screen
