"""Tests of a change for a regression: fail, pass, or too few queries to decide."""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from bench.analysis.caveats import Caveat, few_queries, lone_queries
from bench.analysis.differences import Difference, difference_here
from bench.analysis.matrix import ScoreMatrix, Values
from bench.analysis.more_data import Forecast, forecast_gate
from bench.analysis.sampling import Sampling
from bench.analysis.student import normal_quantile, t_quantile

_FAIL, _PASS = 0.025, 0.05
_CAUGHT = 0.842
"""Normal deviate of 80 % power."""
_POWER = 6.18
"""(1.645 + 0.842) squared: one-sided 5 % at 80 % power."""
_MANY_QUERIES, _NARROW, _WIDE = 450, 0.02, 0.05


class GateState(StrEnum):
    """The state of a gate."""

    FAIL = "fail"
    PASS = "pass"  # noqa: S105 - a verdict, not a secret
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True)
class RepositoryDrop:
    """A repository in which the change is worse, corrected for the number of repositories."""

    repository: str
    value: float
    p_worse: float
    waived: bool


@dataclass(frozen=True)
class GateTest:
    """The state of a gate with its evidence."""

    state: GateState
    margin: float
    overall: Difference | None
    """None if a repository has a single query."""
    lower_bound: float | None
    """One-sided 95 % lower bound of the change."""
    drops: tuple[RepositoryDrop, ...]
    visible_drop: float | None
    """Smallest drop that this many queries detect in 80 % of runs."""
    forecast: Forecast | None
    caveats: tuple[Caveat, ...]
    trials: int = 1
    """Number of trials that are tested together and share the error rates."""

    @property
    def overall_fails(self) -> bool:
        """Whether the overall difference fails the gate, not only a single repository."""
        return self.overall is not None and self.overall.p_worse <= _FAIL / self.trials


def judge_change(  # noqa: PLR0913 - the table, what is compared in it, and how
    matrix: ScoreMatrix,
    change: str,
    baseline: str,
    sampling: Sampling,
    *,
    margin: float,
    waived: Collection[str] = (),
    trials: int = 1,
) -> GateTest:
    """Test whether a trial is worse than its baseline by the margin, or in some repository.

    The error rates are divided by `trials`, the number of trials that are tested together.
    """
    drops = repository_drops(
        matrix, change, baseline, sampling, waived=waived, area=_FAIL / trials
    )
    lone = lone_queries(matrix)
    if lone:
        state = GateState.FAIL if _blamed(drops) else GateState.INCONCLUSIVE
        return GateTest(state, margin, None, None, drops, None, None, (lone,), trials)
    overall = difference_here(matrix, change, baseline)
    bound = _lower_bound(overall, _PASS / trials)
    state = _state(overall, bound, drops, margin=margin, trials=trials)
    error = overall.standard_error
    forecast = None
    if state is GateState.INCONCLUSIVE:
        forecast = forecast_gate(overall.value, error, margin=margin)
    visible = visible_drop(error, trials) if error > 0 else None
    caveats = few_queries(matrix)
    return GateTest(state, margin, overall, bound, drops, visible, forecast, caveats, trials)


def repository_drops(
    matrix: ScoreMatrix,
    change: str,
    baseline: str,
    sampling: Sampling,
    *,
    waived: Collection[str] = (),
    area: float = _FAIL,
) -> tuple[RepositoryDrop, ...]:
    """Return the repositories that got worse, by a max-T test with sign flips of differences."""
    apart = matrix.values[:, matrix.place(change)] - matrix.values[:, matrix.place(baseline)]
    # Each repository is scaled to unit length, so that none dominates the maximum.
    lengths = np.sqrt(np.add.reduceat(apart**2, matrix.starts))
    scale = np.repeat(
        np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 0), matrix.counts
    )
    falls = -apart * scale
    observed = np.add.reduceat(falls, matrix.starts)
    by_repository = np.zeros((len(apart), len(matrix.names)))
    by_repository[
        np.arange(len(apart)), np.repeat(np.arange(len(matrix.names)), matrix.counts)
    ] = falls
    adjusted = _flip_areas(by_repository, observed, sampling)
    means = np.add.reduceat(apart, matrix.starts) / matrix.counts
    return tuple(
        RepositoryDrop(name, float(mean), float(chance), name in waived)
        for name, mean, chance in zip(matrix.names, means, adjusted, strict=True)
        if chance <= area
    )


def visible_drop(standard_error: float, trials: int = 1) -> float:
    """Return the drop that is detected in 80 % of runs (one-sided 5 %, shared by the trials)."""
    return (float(normal_quantile(_PASS / trials)) + _CAUGHT) * standard_error


def queries_for(drop: float, deviation: float) -> int:
    """Return the number of queries that detect a drop in 80 % of runs.

    `deviation` is the standard deviation, over queries, of the difference between the trials.
    """
    return int(np.ceil(_POWER * (deviation / drop) ** 2))


def default_margin(queries: int) -> float:
    """Return the default of the largest allowed drop: wider below 450 queries."""
    return _NARROW if queries >= _MANY_QUERIES else _WIDE


def _flip_areas(columns: Values, observed: Values, sampling: Sampling) -> Values:
    """Return each repository's chance that the largest of all drops reaches its own."""
    narrow = columns.astype(np.float32)
    # Slightly lower, because rounding in float32 must not break ties with the observed signs.
    least = observed.astype(np.float32) - 1e-5
    passed = np.zeros(len(observed), np.int64)
    for signs in sampling.flipped(len(columns)):
        largest = (signs @ narrow).max(axis=1, keepdims=True)
        passed += (largest >= least).sum(axis=0)
    found: Values = (1 + passed) / (1 + sampling.draws)
    return found


def _lower_bound(overall: Difference, area: float) -> float:
    if overall.standard_error == 0:
        return overall.value
    return overall.value - float(t_quantile(area, overall.degrees)) * overall.standard_error


def _blamed(drops: Collection[RepositoryDrop]) -> bool:
    return any(not drop.waived for drop in drops)


def _state(
    overall: Difference,
    bound: float,
    drops: Collection[RepositoryDrop],
    *,
    margin: float,
    trials: int,
) -> GateState:
    if _blamed(drops) or overall.p_worse <= _FAIL / trials:
        return GateState.FAIL
    alike = overall.value != 0 and overall.standard_error == 0
    if alike and min(overall.p_worse, overall.p_better) > _PASS:
        return GateState.INCONCLUSIVE
    return GateState.PASS if bound > -margin else GateState.INCONCLUSIVE
