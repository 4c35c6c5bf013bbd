"""Limits set by the user, and the trials that exceed them."""

from collections.abc import Sequence
from dataclasses import dataclass

from bench.results import TrialResult
from bench.settings.study import AdviceSettings

_BYTES_IN_MB = 1_000_000


@dataclass(frozen=True)
class Excess:
    """A limit that a trial exceeds, in the unit of the setting."""

    column: str
    most: float
    value: float | None
    """None if not measured, which counts as exceeded: nothing shows that the limit is kept."""


@dataclass(frozen=True)
class RuledOut:
    """A trial that may not be recommended, with the limits that it exceeds."""

    trial: str
    excesses: tuple[Excess, ...]


def within_limits(
    trials: Sequence[TrialResult], settings: AdviceSettings
) -> tuple[tuple[TrialResult, ...], tuple[RuledOut, ...]]:
    """Return the trials that may be recommended, and those that exceed a limit."""
    excesses = [_excesses(trial, settings) for trial in trials]
    pairs = list(zip(trials, excesses, strict=True))
    allowed = tuple(trial for trial, exceeded in pairs if not exceeded)
    return allowed, tuple(RuledOut(trial.name, exceeded) for trial, exceeded in pairs if exceeded)


def _excesses(trial: TrialResult, settings: AdviceSettings) -> tuple[Excess, ...]:
    limits = (
        ("latency_p95_ms", settings.max_latency_p95_ms, 1),
        ("index_seconds", settings.max_index_seconds, 1),
        ("peak_memory_bytes", settings.max_memory_mb, _BYTES_IN_MB),
        ("avg_shown_tokens_at_10", settings.max_shown_tokens, 1),
    )
    exceeded = []
    for column, most, unit in limits:
        measured = trial.summary.get(column)
        value = None if measured is None else measured / unit
        if most is not None and (value is None or value > most):
            exceeded.append(Excess(column, most, value))
    return tuple(exceeded)
