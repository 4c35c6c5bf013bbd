"""Recommendations from scores and costs, or the result that the data do not decide.

Numbers and names only; `bench.advice` writes the sentences.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from bench.analysis.caveats import Caveat, caveats_of, lone_queries, too_few_repositories
from bench.analysis.comparisons import (
    Comparison,
    against_control_of_few,
    compare_all,
    may_be_best_of_few,
)
from bench.analysis.matrix import ScoreMatrix
from bench.analysis.more_data import Forecast, forecast_winner
from bench.analysis.multipliers import Alongside
from bench.analysis.sampling import Sampling
from bench.analysis.selection import WinnerKind, select
from bench.analysis.spread import all_pairs, spread_of
from bench.errors import UsageError

Costs = Sequence[float | None]


@dataclass(frozen=True)
class Objective:
    """The goal of a recommendation: margin, baseline and number of looks."""

    margin: float = 0.02
    baseline: str | None = None
    """Trial to compare with; None for the first one."""
    looks: int = 1
    """Number of times that this question was asked, with queries added in between."""

    def __post_init__(self) -> None:
        if not self.margin > 0:
            raise UsageError(
                f"margin={self.margin}: give a difference above 0 that is too small to matter"
            )
        if self.looks < 1:
            raise UsageError(f"looks={self.looks}: the first look is 1")

    @property
    def confidence(self) -> float:
        """Confidence of each look, for 95 % across all looks."""
        return 1 - 0.05 / self.looks


@dataclass(frozen=True)
class Elsewhere:
    """The same questions for repositories like these, with a repository as the unit."""

    may_be_best: tuple[str, ...]
    regret_bound: float
    forecast: Forecast
    """Forecast for more repositories instead of more queries."""


@dataclass(frozen=True)
class Recommendation:
    """The trial to ship for an objective, or that the data do not decide yet."""

    objective: Objective
    baseline: str
    trials: int
    best: str
    """The trial with the highest macro mean on these queries. This is not a recommendation."""
    best_score: float
    queries: int
    repositories: tuple[str, ...]
    priced: bool
    """Whether the cost of any trial is known."""
    caveats: tuple[Caveat, ...]
    ties: tuple[tuple[str, ...], ...]
    """Trials with the same score on every query; the cheapest is first and represents them."""
    may_be_best: tuple[str, ...] = ()
    winner: str | None = None
    winner_kind: WinnerKind | None = None
    chance_best: float | None = None
    """Chance that `best` is the best trial; not meaningful without the margin."""
    cheapest: str | None = None
    """Cheapest trial shown not to be worse than any rival by the margin: the default advice."""
    cheapest_regret: float | None = None
    likely: str | None = None
    """Cheapest trial within the margin in 95 % of resamples; this is not a guarantee."""
    likely_chance: float | None = None
    regret_bound: float | None = None
    """Upper bound on the lead of any other trial over the best one."""
    forecast: Forecast | None = None
    elsewhere: Elsewhere | None = None
    against_best: tuple[Comparison, ...] = ()
    against_baseline: tuple[Comparison, ...] = ()

    @property
    def decided(self) -> bool:
        """Whether a trial can be named with the promised error rates."""
        return self.cheapest is not None or self.winner is not None


@dataclass(frozen=True, eq=False)
class _Distinct:
    """The table without repeated columns. Each column represents one or more trials."""

    matrix: ScoreMatrix
    costs: tuple[float | None, ...] | None
    groups: tuple[tuple[str, ...], ...]
    """Trials that each column represents; the cheapest is first and names the column."""

    def names_of(self, columns: Sequence[int]) -> tuple[str, ...]:
        """Return the names of all trials that these columns represent."""
        return tuple(name for column in columns for name in self.groups[column])

    @property
    def ties(self) -> tuple[tuple[str, ...], ...]:
        """Groups of two or more trials."""
        return tuple(group for group in self.groups if len(group) > 1)


def recommend(
    matrix: ScoreMatrix,
    objective: Objective,
    costs: Costs | None = None,
    *,
    seed: int,
    draws: int = 10_000,
) -> Recommendation:
    """Recommend a trial for an objective; abstain if the queries do not decide."""
    return recommend_each([matrix], objective, costs, seed=seed, draws=draws)[0]


def recommend_each(
    matrices: Sequence[ScoreMatrix],
    objective: Objective,
    costs: Costs | None = None,
    *,
    seed: int,
    draws: int = 10_000,
) -> tuple[Recommendation, ...]:
    """Recommend a trial for each of several scores of the same trials and queries.

    The error rates hold for all recommendations together: the chance that any of them is wrong is
    at most the promised rate.
    """
    sampling = Sampling(seed, draws, min(500, draws))
    questions = [_Question.of(matrix, objective, costs) for matrix in matrices]
    leaders = [one.leader(sampling) if len(questions) > 1 else None for one in questions]
    answers = []
    for place, question in enumerate(questions):
        others = [one for one in (*leaders[:place], *leaders[place + 1 :]) if one]
        alongside = Alongside.joined(others) if others else None
        answers.append(
            _decided(question, sampling, alongside) if question.open else question.facts
        )
    return tuple(answers)


@dataclass(frozen=True, eq=False)
class _Question:
    """A table of scores, the facts that need no test, and whether a test can add to them."""

    facts: Recommendation
    matrix: ScoreMatrix
    table: _Distinct

    @classmethod
    def of(cls, matrix: ScoreMatrix, objective: Objective, costs: Costs | None) -> "_Question":
        """Return the facts that need no test."""
        _check_costs(costs, matrix)
        priced = costs is not None and any(_known(cost) for cost in costs)
        table = _distinct(matrix, costs if priced else None)
        facts = _undecided(matrix, table, objective, priced=priced)
        if len(table.groups) == 1 and table.ties:
            cheapest = facts.best if priced else None
            facts = replace(facts, may_be_best=table.groups[0], cheapest=cheapest)
        return cls(facts, matrix, table)

    @property
    def open(self) -> bool:
        """Whether trials differ, on queries with an estimable error."""
        return len(self.table.groups) > 1 and not lone_queries(self.matrix)

    def leader(self, sampling: Sampling) -> Alongside | None:
        """Return the draws of all comparisons with the best trial, or None without a test."""
        if not self.open:
            return None
        means = self.table.matrix.means
        return Alongside.of(spread_of(self.table.matrix), int(np.argmax(means)), sampling)


def _check_costs(costs: Costs | None, matrix: ScoreMatrix) -> None:
    if costs is not None and len(costs) != len(matrix.trials):
        raise UsageError(
            f"costs: {len(costs)} for {len(matrix.trials)} trials;"
            " give one a trial, None where it is not known"
        )


def _known(cost: float | None) -> bool:
    return cost is not None and bool(np.isfinite(cost))


def _undecided(
    matrix: ScoreMatrix, table: _Distinct, objective: Objective, *, priced: bool
) -> Recommendation:
    """Return a recommendation with the facts that need no test."""
    baseline = objective.baseline or matrix.trials[0]
    matrix.place(baseline)
    best = int(np.argmax(table.matrix.means))
    return Recommendation(
        objective=objective,
        baseline=baseline,
        trials=len(matrix.trials),
        best=table.groups[best][0],
        best_score=float(table.matrix.means[best]),
        queries=matrix.queries,
        repositories=matrix.names,
        priced=priced,
        caveats=() if len(matrix.trials) == 1 else caveats_of(matrix),
        ties=table.ties,
    )


def _decided(
    question: _Question, sampling: Sampling, alongside: Alongside | None
) -> Recommendation:
    found, matrix, table = question.facts, question.matrix, question.table
    objective = found.objective
    chosen = select(
        table.matrix,
        table.costs,
        sampling,
        margin=objective.margin,
        confidence=objective.confidence,
        alongside=alongside,
    )
    against_best = _comparisons(matrix, found.best, sampling, objective)
    against_baseline = against_best
    if found.baseline != found.best:
        against_baseline = _comparisons(matrix, found.baseline, sampling, objective)
    return replace(
        found,
        may_be_best=table.names_of(chosen.may_be_best),
        winner=found.best if chosen.winner else None,
        winner_kind=chosen.winner,
        chance_best=float(chosen.chances.best[chosen.best]),
        cheapest=_name(table, chosen.cheapest),
        cheapest_regret=chosen.cheapest_regret,
        likely=_name(table, chosen.likely),
        likely_chance=None
        if chosen.likely is None
        else float(chosen.chances.within[chosen.likely]),
        regret_bound=chosen.against_best.regret,
        forecast=chosen.forecast,
        elsewhere=_elsewhere(table, objective, sampling),
        against_best=against_best,
        against_baseline=against_baseline,
    )


def _comparisons(
    matrix: ScoreMatrix, control: str, sampling: Sampling, objective: Objective
) -> tuple[Comparison, ...]:
    return compare_all(matrix, control, sampling, confidence=objective.confidence)


def _elsewhere(table: _Distinct, objective: Objective, sampling: Sampling) -> Elsewhere | None:
    if too_few_repositories(table.matrix):
        return None
    matrix = table.matrix.of_repositories()
    spread = spread_of(matrix)
    pairs = all_pairs(spread)
    best = int(np.argmax(matrix.means))
    margin, confidence = objective.margin, objective.confidence
    level = against_control_of_few(spread, best, confidence=confidence)
    may_be_best = may_be_best_of_few(pairs, confidence=confidence)
    return Elsewhere(
        may_be_best=table.names_of(np.flatnonzero(may_be_best).tolist()),
        regret_bound=level.regret,
        forecast=forecast_winner(spread, pairs, level, sampling, margin=margin),
    )


def _name(table: _Distinct, column: int | None) -> str | None:
    return None if column is None else table.groups[column][0]


def _distinct(matrix: ScoreMatrix, costs: Sequence[float | None] | None) -> _Distinct:
    """Merge trials with identical scores. The cheapest of them, or the first, represents all."""
    columns: dict[bytes, list[int]] = {}
    for place in range(len(matrix.trials)):
        scores = matrix.values[:, place] + 0.0  # the bytes of -0.0 differ from those of 0.0
        columns.setdefault(scores.tobytes(), []).append(place)
    prices = [_price(costs, place) for place in range(len(matrix.trials))]
    groups = [
        sorted(places, key=lambda place: (prices[place], place)) for places in columns.values()
    ]
    first = [places[0] for places in groups]
    return _Distinct(
        matrix.keep(first),
        None if costs is None else tuple(costs[place] for place in first),
        tuple(tuple(matrix.trials[place] for place in places) for places in groups),
    )


def _price(costs: Sequence[float | None] | None, place: int) -> float:
    """Return the cost of a trial, infinite if unknown."""
    cost = None if costs is None else costs[place]
    return float("inf") if cost is None or not np.isfinite(cost) else float(cost)
