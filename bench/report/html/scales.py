"""Positions of numbers on a plot, and ticks of its axes."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

_STEPS = (1, 2, 2.5, 5, 10)
_LOG_FROM = 12.0
"""Ratio of the highest to the lowest cost from which the axis is logarithmic."""


@dataclass(frozen=True)
class Scale:
    """A mapping of numbers from `low` to `high` to pixels from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float
    logarithmic: bool = False

    def __call__(self, value: float) -> float:
        """Return the position of a number in pixels."""
        low, high, at = (self._flat(number) for number in (self.low, self.high, value))
        return round(self.start + (at - low) / (high - low) * (self.end - self.start), 1)

    def ticks(self, count: int = 5) -> list[float]:
        """Return about `count` round numbers within the scale."""
        return (
            self._log_ticks() if self.logarithmic else _round_numbers(self.low, self.high, count)
        )

    def _flat(self, value: float) -> float:
        return math.log10(value) if self.logarithmic else value

    def _log_ticks(self) -> list[float]:
        powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        for steps in ((1, 2, 5), (1, 3), (1,)):
            found = [step * 10.0**power for power in powers for step in steps]
            shown = [tick for tick in found if self.low <= tick <= self.high]
            if len(shown) <= 7:  # noqa: PLR2004 - more would overlap on a phone
                return shown
        return shown


def cost_scale(values: Sequence[float], start: float, end: float) -> Scale:
    """Return a scale of costs, logarithmic if they are positive and differ by a large factor."""
    low, high = min(values), max(values)
    if low > 0 and high / low >= _LOG_FROM:
        return Scale(low / 1.5, high * 1.5, start, end, logarithmic=True)
    pad = (high - low) * 0.12 or abs(high) * 0.5 or 1.0
    return Scale(max(0.0, low - pad), high + pad, start, end)


def score_scale(values: Sequence[float], start: float, end: float) -> Scale:
    """Return a scale of scores within 0 and 1."""
    low, high = min(values), max(values)
    pad = max((high - low) * 0.12, 0.02)
    return Scale(max(0.0, low - pad), min(1.0, high + pad), start, end)


def effect_scale(values: Sequence[float], start: float, end: float) -> Scale:
    """Return a scale of differences that includes zero."""
    low, high = min(0.0, *values), max(0.0, *values)
    pad = max((high - low) * 0.06, 0.005)
    return Scale(low - pad, high + pad, start, end)


def said(value: float, digits: int = 6) -> str:
    """Return a number with at most `digits` significant digits, and all digits before the
    point."""
    return f"{value:,.{digits}g}".rstrip() if abs(value) >= 1 else f"{value:.{digits}g}"


def _round_numbers(low: float, high: float, count: int) -> list[float]:
    rough = (high - low) / max(count, 1)
    size = 10.0 ** math.floor(math.log10(rough))
    # The tolerances keep a tick at either end of the axis despite rounding errors.
    step = next(each * size for each in _STEPS if each * size >= rough * 0.999)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [round(number * step, 10) for number in range(first, last + 1)]
