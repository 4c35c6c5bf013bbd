"""What to ship, how sure that is, and what would make it surer: the values, not how they come."""

from dataclasses import dataclass

from bench.analysis.comparisons import Comparison
from bench.analysis.more_data import Forecast
from bench.analysis.selection import WinnerKind
from bench.errors import UsageError


@dataclass(frozen=True)
class Objective:
    """What is to be high, and how much of it does not matter."""

    measure: str
    """As people read it, its cut-off or token budget included: "recall at 4,000 tokens"."""
    level: str
    """At which level of the judgements: file, symbol or span; blank if it is of none."""
    margin: float = 0.02
    baseline: str | None = None
    """The trial to compare with; the first one if none is named."""
    cost: str = "cost"
    """What the costs are: "median latency in ms"."""
    looks: int = 1
    """How often this question has been asked, queries having been added in between."""

    def __post_init__(self) -> None:
        if not self.margin > 0:
            raise UsageError(
                f"margin={self.margin}: give a difference above 0 that is too small to matter"
            )
        if self.looks < 1:
            raise UsageError(f"looks={self.looks}: the first look is 1")

    @property
    def confidence(self) -> float:
        """Return the confidence of each look: 95 % for all of them together."""
        return 1 - 0.05 / self.looks


@dataclass(frozen=True)
class Statement:
    """A sentence for a person, and the numbers that it rests on."""

    text: str
    evidence: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True)
class Elsewhere:
    """What can be said of the whole grid on repositories like these."""

    may_be_best: tuple[str, ...]
    regret_bound: float
    forecast: Forecast
    """With more repositories, not more queries."""


@dataclass(frozen=True)
class Recommendation:
    """Which trial to ship for an objective, or that this is not decidable yet."""

    objective: Objective
    baseline: str
    trials: int
    best: str
    """The trial of the highest macro mean: a fact about these queries, not a choice."""
    best_score: float
    queries: int
    repositories: tuple[str, ...]
    ties: tuple[tuple[str, ...], ...]
    may_be_best: tuple[str, ...] = ()
    winner: str | None = None
    winner_kind: WinnerKind | None = None
    chance_best: float | None = None
    """The best trial's; says nothing without the margin."""
    cheapest: str | None = None
    """The cheapest that is not worse than any rival by the margin: the default advice."""
    cheapest_regret: float | None = None
    likely: str | None = None
    """The cheapest that is within the margin in 95 % of resamples: not a guarantee."""
    likely_chance: float | None = None
    regret_bound: float | None = None
    """How much better than the best trial another may be."""
    forecast: Forecast | None = None
    elsewhere: Elsewhere | None = None
    against_best: tuple[Comparison, ...] = ()
    against_baseline: tuple[Comparison, ...] = ()
    statements: tuple[Statement, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def decided(self) -> bool:
        """Return whether a trial can be named with the promised error rates."""
        return self.cheapest is not None or self.winner is not None
