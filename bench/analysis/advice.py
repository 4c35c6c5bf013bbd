"""From scores and costs to a recommendation, or to the statement that they do not decide."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bench.analysis.comparisons import Comparison, compare_all
from bench.analysis.few_units import against_control_of_few, may_be_best_of_few
from bench.analysis.matrix import ScoreMatrix
from bench.analysis.more_data import forecast_winner
from bench.analysis.recommendation import Elsewhere, Objective, Recommendation
from bench.analysis.refusals import lone_queries, no_generalising
from bench.analysis.sampling import Sampling
from bench.analysis.selection import select
from bench.analysis.spread import all_pairs, spread_of
from bench.analysis.ties import Distinct, distinct
from bench.analysis.wording import statements, warnings
from bench.errors import UsageError

Costs = Sequence[float | None]


def recommend(
    matrix: ScoreMatrix,
    objective: Objective,
    costs: Costs | None = None,
    *,
    seed: int,
    draws: int = 10_000,
) -> Recommendation:
    """Recommend a trial for an objective; abstain where the queries do not decide."""
    _check_costs(costs, matrix)
    priced = costs is not None and any(_known(cost) for cost in costs)
    table = distinct(matrix, costs if priced else None)
    found = _undecided(matrix, table, objective)
    if len(table.groups) == 1 and table.ties:
        found = replace(
            found, may_be_best=table.groups[0], cheapest=found.best if priced else None
        )
    elif len(table.groups) > 1 and lone_queries(matrix) is None:
        found = _decided(found, matrix, table, Sampling(seed, draws, min(500, draws)))
    return replace(
        found,
        statements=statements(found, priced=priced),
        warnings=warnings(found, matrix, priced=priced),
    )


def _check_costs(costs: Costs | None, matrix: ScoreMatrix) -> None:
    if costs is not None and len(costs) != len(matrix.trials):
        raise UsageError(
            f"costs: {len(costs)} for {len(matrix.trials)} trials;"
            " give one a trial, None where it is not known"
        )


def _known(cost: float | None) -> bool:
    return cost is not None and bool(np.isfinite(cost))


def _undecided(matrix: ScoreMatrix, table: Distinct, objective: Objective) -> Recommendation:
    """Return what holds without any test."""
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
        ties=table.ties,
    )


def _decided(
    found: Recommendation, matrix: ScoreMatrix, table: Distinct, sampling: Sampling
) -> Recommendation:
    objective = found.objective
    chosen = select(
        table.matrix,
        table.costs,
        sampling,
        margin=objective.margin,
        confidence=objective.confidence,
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


def _elsewhere(table: Distinct, objective: Objective, sampling: Sampling) -> Elsewhere | None:
    """Ask the whole grid on repositories like these: a repository is then a unit."""
    if no_generalising(table.matrix):
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


def _name(table: Distinct, column: int | None) -> str | None:
    return None if column is None else table.groups[column][0]
