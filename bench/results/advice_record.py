"""The advice of a study in results.json."""

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
"""Relation of a choice to the advice of other repositories."""


@dataclass(frozen=True)
class RuledOutTrial:
    """A trial that exceeds a limit, with the limit in words."""

    trial: str
    why: str


@dataclass(frozen=True)
class Exceptional:
    """A repository on which another trial than the advised one is clearly better."""

    repository: str
    trial: str
    difference: float
    low: float
    high: float


@dataclass(frozen=True)
class Statement:
    """A sentence with the numbers that it is based on."""

    text: str
    evidence: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, kw_only=True)
class TrialTests:
    """Tests of the trials against each other. Fields are typed if rankgrid reads them again."""

    baseline: str
    best: str
    may_be_best: tuple[str, ...] = ()
    statements: tuple[Statement, ...] = ()
    warnings: tuple[str, ...] = ()
    rest: Mapping[str, Json] = field(default_factory=dict, metadata=key(rest=True))
    """All other numbers of the tests, which rankgrid only shows."""


@dataclass(frozen=True)
class BudgetAdvice:
    """The advised trial for a token budget."""

    tokens: int | None
    """Number of tokens, or None for ten hits of any size."""
    trial: str
    """The trial to ship, or the trial with the highest coverage if nothing is decided."""
    coverage: float
    """Share of the right text that the trial shows."""
    low: float | None
    high: float | None
    """95 % interval of the coverage, or None if it is unknown."""
    latency_p50_ms: float | None
    decided: bool
    may_be_best: int
    """Number of trials that may be the best."""
    standing: Standing | None = field(default=None, metadata=key(absent=True))
    """Relation to the advice of other repositories, or None without them."""


@dataclass(frozen=True)
class PriorChoice:
    """Combined advice of own queries and of queries about other repositories."""

    trial: str
    """The choice: a trial within the margin by own evidence, or else the combined choice."""
    standing: Standing
    elsewhere: str
    """Choice of the other repositories alone, for the study's kinds of questions."""
    lead: float
    """Expected lead of the choice over `elsewhere`."""
    regret: float | None
    """Expected lead of the best trial over the choice, or None for a trial that the other
    repositories do not know."""
    decided: bool
    """True if own or combined evidence decides. Combined evidence decides if the expected regret
    is below the margin and no unknown trial leads by the margin."""
    share: float
    """Weight of the own queries, from 0 to 1."""
    own_queries: int
    queries: int
    """Number of queries about other repositories."""
    repositories: int
    by: tuple[str, ...]
    """Authors of these queries."""
    unknown: tuple[str, ...] = ()
    """Trials that the other repositories do not know. Only own evidence judges them."""
    rival: str | None = None
    """The unknown trial with the highest score on own queries."""
    ahead: float = 0.0
    """Lead of `rival` over the choice on own queries, or 0."""
    changed: tuple[str, ...] = ()
    """Stages and retrievers whose version has changed since the other repositories were
    measured."""


@dataclass(frozen=True)
class AdviceRecord:
    """Advice on a study as names, numbers and sentences."""

    sentences: tuple[str, ...] = ()
    highest: str | None = None
    fastest: str | None = None
    ship: str | None = None
    """The trial to ship: the cheapest trial that is not worse than any other, or the winner."""
    budgets: tuple[BudgetAdvice, ...] = ()
    """Advice for each budget; empty if all trials show the same amount of text."""
    ruled_out: tuple[RuledOutTrial, ...] = ()
    exceptions: tuple[Exceptional, ...] = ()
    prior: PriorChoice | None = field(default=None, metadata=key(absent=True))
    """None if results on other repositories are not used."""
    tested: TrialTests | None = None
    """None if no test was run."""
