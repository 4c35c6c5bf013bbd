"""The advice of a study as results.json has it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from bench.results.codec import Json, key

Standing = Literal[
    "confirmed here",
    "not contradicted here",
    "overruled here",
    "not known elsewhere",
    "not asked here",
]
"""How a choice compares with the advice of other repositories."""


@dataclass(frozen=True)
class RuledOutTrial:
    """A trial that exceeds a limit, and which one in words."""

    trial: str
    why: str


@dataclass(frozen=True)
class Exceptional:
    """A repository on which another trial than the one to ship is clearly better."""

    repository: str
    trial: str
    difference: float
    low: float
    high: float


@dataclass(frozen=True)
class Statement:
    """A sentence, and the numbers that it rests on."""

    text: str
    evidence: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, kw_only=True)
class TrialTests:
    """The tests of the trials against each other, as far as they are read again."""

    baseline: str
    best: str
    may_be_best: tuple[str, ...] = ()
    statements: tuple[Statement, ...] = ()
    warnings: tuple[str, ...] = ()
    rest: Mapping[str, Json] = field(default_factory=dict, metadata=key(rest=True))
    """All other numbers of the tests: rankgrid shows them to people and reads none of them."""


@dataclass(frozen=True)
class BudgetAdvice:
    """What to ship for an amount of text."""

    tokens: int | None
    """None: for ten hits, whatever their size."""
    trial: str
    """The one to ship or, where that is not decided, the highest."""
    coverage: float
    """The share of the right text that it shows."""
    low: float | None
    high: float | None
    """The 95 % interval of the coverage; None where it has none."""
    latency_p50_ms: float | None
    decided: bool
    may_be_best: int
    """How many trials may be the best."""
    standing: Standing | None = field(default=None, metadata=key(absent=True))
    """How the choice compares with the advice of other repositories; None without them."""


@dataclass(frozen=True)
class PriorChoice:
    """What own queries and those about other repositories say together."""

    trial: str
    """The choice: what own evidence shows to be within the margin, or else the choice by both."""
    standing: Standing
    elsewhere: str
    """What the other repositories advise alone, for the kinds of questions of the study."""
    lead: float
    """How much better than that the choice is expected to be."""
    regret: float | None
    """How much better than the choice the best is expected to be; None for a trial that the
    other repositories do not know."""
    decided: bool
    """Whether own evidence decides, or both: then the expected regret is below the margin, and no
    unknown trial is ahead by the margin."""
    share: float
    """What own queries count, 0 to 1."""
    own_queries: int
    queries: int
    """About other repositories."""
    repositories: int
    by: tuple[str, ...]
    """Whose queries these are."""
    unknown: tuple[str, ...] = ()
    """Trials that the other repositories do not know: own evidence alone judges them."""
    rival: str | None = None
    """The highest of them on own queries."""
    ahead: float = 0.0
    """By how much it is better than the choice on own queries; 0 if it is not."""
    changed: tuple[str, ...] = ()
    """Stages and retrievers whose version is another than when the others were measured."""


@dataclass(frozen=True)
class AdviceRecord:
    """The advice on a study in names, numbers and sentences."""

    sentences: tuple[str, ...] = ()
    highest: str | None = None
    fastest: str | None = None
    ship: str | None = None
    """The trial to ship: the cheapest that is not worse than any other, or the winner."""
    budgets: tuple[BudgetAdvice, ...] = ()
    """What to ship at each budget; empty where all trials show the same amount of text."""
    ruled_out: tuple[RuledOutTrial, ...] = ()
    exceptions: tuple[Exceptional, ...] = ()
    prior: PriorChoice | None = field(default=None, metadata=key(absent=True))
    """None where results on other repositories are not used."""
    tested: TrialTests | None = None
    """None where no test was run."""
