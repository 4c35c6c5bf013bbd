"""Which trials may be recommended at all: those within the limits that the user set."""

from collections.abc import Sequence
from dataclasses import dataclass

from bench.settings.study import AdviceSettings
from bench.study import TrialResult

_BYTES_IN_MB = 1_000_000
_WHOLE = 100
"""From here on a number is said without decimals."""


@dataclass(frozen=True)
class RuledOut:
    """A trial that is beyond a limit, and why in words."""

    trial: str
    why: str


def within_limits(
    trials: Sequence[TrialResult], settings: AdviceSettings
) -> tuple[list[TrialResult], tuple[RuledOut, ...]]:
    """Part the trials that keep every limit from those that do not."""
    reasons = {trial.name: _reason(trial, settings) for trial in trials}
    kept = [trial for trial in trials if not reasons[trial.name]]
    return kept, tuple(RuledOut(name, why) for name, why in reasons.items() if why)


def _reason(trial: TrialResult, settings: AdviceSettings) -> str:
    """Return the limits that a trial does not keep; what was not measured keeps none."""
    memory = settings.max_memory_mb
    limits = (
        ("latency_p95_ms", settings.max_latency_p95_ms, 1, "p95 latency", "ms"),
        ("index_seconds", settings.max_index_seconds, 1, "index", "s"),
        ("peak_memory_bytes", memory, _BYTES_IN_MB, "memory", "MB"),
        ("avg_shown_tokens_at_10", settings.max_shown_tokens, 1, "text of 10 hits", "tokens"),
    )
    said = []
    for column, most, unit, name, sign in limits:
        value = trial.summary.get(column)
        if most is None:
            continue
        if value is None:
            said.append(f"{name} was not measured")
        elif value / unit > most:
            said.append(f"{name} {_short(value / unit)} {sign} is above {_short(most)} {sign}")
    return ", ".join(said)


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= _WHOLE else f"{value:.3g}"
