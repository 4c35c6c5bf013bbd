"""Alternatives to the advised trial with a different balance of quality and cost.

A test cannot decide whether a gain is worth ten times the cost. The reader decides.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from bench.analysis import Recommendation, ScoreMatrix, difference_here, lone_queries
from bench.results import TrialResult
from bench.settings.study import AdviceSettings

_MUCH_FASTER = 2
_DEAR = 10
"""Smallest ratio of costs at which a gain is a trade."""
_ERROR = 0.05

Role = Literal["much cheaper", "cheapest", "highest"]


@dataclass(frozen=True)
class Trade:
    """An alternative to the advised trial, with its gain and its cost."""

    role: Role
    """The best for a tenth of the cost, the cheapest that may be the best, or the highest."""
    trial: str
    advised: str
    difference: float
    """Difference to the advised trial, positive if this one is better."""
    low: float
    high: float
    cost: float
    cost_of_advised: float

    @property
    def ratio(self) -> float:
        """Ratio of the higher to the lower cost; 1 or more."""
        low, high = sorted((self.cost, self.cost_of_advised))
        return high / low


def is_much_faster(fastest_ms: float | None, median_ms: float | None) -> bool:
    """Return whether the fastest trial is worth naming: it takes at most half as long."""
    if fastest_ms is None or median_ms is None:
        return False
    return _MUCH_FASTER * fastest_ms <= median_ms


def trades(
    matrix: ScoreMatrix,
    tested: Recommendation,
    advised: str,
    trials: Sequence[TrialResult],
    settings: AdviceSettings,
) -> tuple[Trade, ...]:
    """Return the alternatives to the advised trial, each trial once; empty without costs."""
    costs = {
        trial.name: cost
        for trial in trials
        if trial.name in matrix.trials and (cost := trial.price(settings.cost))
    }
    if advised not in costs or lone_queries(matrix):
        return ()
    found: dict[str, Role] = {}
    for role, name in _neighbours(matrix, tested, costs, advised):
        if name not in (None, advised):
            found.setdefault(str(name), role)
    confidence = 1 - _ERROR / max(1, len(found))
    every = (
        _trade(matrix, role, name, advised, costs, confidence) for name, role in found.items()
    )
    return tuple(trade for trade in every if trade is not None)


def _neighbours(
    matrix: ScoreMatrix, tested: Recommendation, costs: dict[str, float], advised: str
) -> tuple[tuple[Role, str | None], ...]:
    means = dict(zip(matrix.trials, matrix.means.tolist(), strict=True))
    much_cheaper = [name for name, cost in costs.items() if cost * _DEAR <= costs[advised]]
    level = [name for name in tested.may_be_best if name in costs]
    cheaper = [name for name in level if costs[name] < costs[advised]]
    return (
        ("much cheaper", max(much_cheaper, key=lambda name: means[name], default=None)),
        ("cheapest", min(cheaper, key=lambda name: costs[name], default=None)),
        ("highest", tested.best if tested.best in costs else None),
    )


def _trade(
    matrix: ScoreMatrix,
    role: Role,
    name: str,
    advised: str,
    costs: dict[str, float],
    confidence: float,
) -> Trade | None:
    apart = difference_here(matrix, name, advised, confidence=confidence)
    if apart.interval is None:
        return None
    low, high = apart.interval.low, apart.interval.high
    return Trade(role, name, advised, apart.value, low, high, costs[name], costs[advised])
