"""Observations of running symbols: a line of JSON for each symbol and time of a trace.

    {"symbol": "shop.cart.Cart.total", "seen": "2026-01-31T12:00:00+00:00"}

Days are counted back from the last observation and not from now, so that equal files give equal
results.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np

from retrievers.errors import GraphError

_DAY = 86_400


@dataclass(frozen=True)
class Observation:
    """The last observation of a running symbol."""

    symbol: str
    seen: float
    """Seconds since 1970."""


def read_observations(text: str, *, place: str) -> tuple[Observation, ...]:
    """Return the last observation of each symbol. `place` names the text in errors."""
    seen: dict[str, float] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            name, when = _read(line, f"{place}: line {number}")
            seen[name] = max(when, seen.get(name, when))
    return tuple(Observation(name, when) for name, when in sorted(seen.items()))


def days_since(
    observations: Iterable[Observation], names: Sequence[str]
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the days from the last observation of each name to the last of all; NaN without."""
    seen = {one.symbol: one.seen for one in observations}
    latest = max(seen.values(), default=0.0)
    days = {name: (latest - when) / _DAY for name, when in seen.items()}
    return np.array([days.get(name, np.nan) for name in names])


def _read(line: str, where: str) -> tuple[str, float]:
    try:
        held = json.loads(line)
        return str(held["symbol"]), datetime.fromisoformat(held["seen"]).timestamp()
    except (ValueError, TypeError, KeyError) as error:
        message = f'{where}: is not {{"symbol": NAME, "seen": "2026-01-31T12:00:00+00:00"}}'
        raise GraphError(message) from error
