"""Run `bench/run.py ARGUMENTS` and print the CPU-seconds of its parts as JSON, by name.

    python scripts/cpu_by_part.py CHECKOUT ARGUMENTS...

The parts are the functions that `bench/launcher/execute.py` of the checkout calls in turn, and the
imports before them. If a part calls another part, the time counts for the inner part.
"""

import contextlib
import functools
import io
import json
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from typing import Any

PARTS = {
    "composing": ("with_generated_queries", "read_grid", "drawn"),
    "planning": ("planned", "_open", "followed"),
    "checks": ("check_places", "refuse_remote", "fetch_models", "_checked", "_cut"),
    "stages": ("search",),
    "collecting": ("collect",),
    "statistics": ("advise", "prior_tables", "advice_record"),
    "results.json": ("write_results", "rounded"),
    "report": ("write_report", "write_chosen", "write_stages"),
    "table": ("show_result",),
    "tracking": ("_track",),
}


class Clock:
    """CPU-seconds by part; the time of a nested part is subtracted from the outer part."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self._open = ["other"]
        self._last = 0.0  # so that the first part includes the start of the interpreter

    def switch(self) -> None:
        """Add the time since the last switch to the current part."""
        now = time.process_time()
        self.seconds[self._open[-1]] += now - self._last
        self._last = now

    def timed(self, part: str, work: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that runs `work` as a part."""

        @functools.wraps(work)
        def do(*given: Any, **named: Any) -> Any:
            self.switch()
            self._open.append(part)
            try:
                return work(*given, **named)
            finally:
                self.switch()
                self._open.pop()

        return do


def main() -> None:
    """Run the study and print the seconds by part."""
    checkout, *arguments = sys.argv[1:]
    sys.path[0] = checkout
    clock = Clock()
    run_bench = clock.timed("imports", _imported)()
    from bench.launcher import execute, points

    for part, names in PARTS.items():
        for name in names:
            if hasattr(execute, name):
                setattr(execute, name, clock.timed(part, getattr(execute, name)))
    points.read_points = clock.timed("composing", points.read_points)
    with contextlib.redirect_stdout(io.StringIO()):
        run_bench(arguments, "bench/run.py")
    clock.switch()
    print(json.dumps(clock.seconds))


def _imported() -> Callable[..., int]:
    import hydra.compose  # noqa: F401 - imported for its time

    from bench.launcher import execute  # noqa: F401 - imported for its time
    from bench.launcher.door import run_bench

    return run_bench


if __name__ == "__main__":
    main()
