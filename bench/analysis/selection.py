"""The trial to ship: candidates for the best, a winner, and the cheapest that is not worse.

The error rates of all answers hold for any number of trials. Where they cannot, there is no
answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from bench.analysis.matrix import ScoreMatrix, Values
from bench.analysis.more_data import Forecast, forecast_winner
from bench.analysis.multipliers import Alongside, ControlLevels, Screen, against_control, screen
from bench.analysis.sampling import Sampling
from bench.analysis.spread import all_pairs, spread_of

_PROBABLE = ((0.02, 0.80), (0.01, 0.90))
"""Pairs of a margin and the least chance of being best that names a probable winner."""
_LIKELY = 0.95
_ROUNDING = 1e-6


class WinnerKind(StrEnum):
    """Evidence for a winner."""

    WITHIN_MARGIN = "winner within the margin"
    PROBABLE = "probable winner"


@dataclass(frozen=True, eq=False)
class Chances:
    """Share of resamples in which each trial is the best, or within the margin of the best.

    Neither is a guarantee. Never show the first without its margin.
    """

    best: Values
    within: Values


@dataclass(frozen=True, eq=False)
class Selection:
    """Results for a table with distinct columns; trials are column numbers."""

    best: int
    screen: Screen
    chances: Chances
    against_best: ControlLevels
    winner: WinnerKind | None
    cheapest: int | None
    """Cheapest trial that is not worse than any rival by the margin."""
    cheapest_regret: float | None
    likely: int | None
    """Cheapest trial within the margin in most resamples, without proof that it is."""
    forecast: Forecast

    @property
    def may_be_best(self) -> tuple[int, ...]:
        """Trials that no rival significantly beats."""
        return tuple(np.flatnonzero(self.screen.may_be_best).tolist())


def select(
    matrix: ScoreMatrix,
    costs: Sequence[float | None] | None,
    sampling: Sampling,
    *,
    margin: float,
    confidence: float,
    alongside: Alongside | None = None,
) -> Selection:
    """Answer all questions about a table with distinct columns from the same draws.

    Other tables in `alongside` share the error rate.
    """
    spread = spread_of(matrix)
    pairs = all_pairs(spread)
    best = int(np.argmax(matrix.means))
    level = against_control(spread, best, sampling, confidence=confidence, alongside=alongside)
    screened = screen(
        spread, pairs, sampling, margin=margin, confidence=confidence, alongside=alongside
    )
    # The screen may stop after fewer draws; for the best trial it must agree with `level`.
    screened.not_worse[best] = level.regret < margin
    screened.may_be_best[best] = True
    found = chances(matrix, sampling, margin=margin)
    cheapest = _cheapest(costs, screened.not_worse.tolist())
    regret = None
    if cheapest is not None:
        other = cheapest != best
        own = level
        if other:
            own = against_control(
                spread, cheapest, sampling, confidence=confidence, alongside=alongside
            )
        regret = own.regret
    return Selection(
        best=best,
        screen=screened,
        chances=found,
        against_best=level,
        winner=_winner(level.regret, float(found.best[best]), margin),
        cheapest=cheapest,
        cheapest_regret=regret,
        likely=_cheapest(costs, (found.within >= _LIKELY).tolist()) if cheapest is None else None,
        forecast=forecast_winner(spread, pairs, level, sampling, margin=margin),
    )


def chances(matrix: ScoreMatrix, sampling: Sampling, *, margin: float) -> Chances:
    """Resample queries within repositories, for all trials together. Equal trials share a win."""
    # The mean of all trials cancels in comparisons; without it, float32 suffices.
    common = matrix.values.mean(axis=1, keepdims=True)
    centred = ((matrix.values - common) * matrix.weights[:, None]).astype(np.float32)
    rounding = _ROUNDING * max(float(np.ptp(matrix.values)), np.finfo(np.float64).tiny)
    best, within = np.zeros(len(matrix.trials)), np.zeros(len(matrix.trials))
    for weights in sampling.resampled(matrix.starts, matrix.counts):
        means = weights @ centred
        behind = means.max(axis=1, keepdims=True) - means
        first = behind <= rounding
        best += (first / first.sum(axis=1, keepdims=True)).sum(axis=0)
        within += (behind <= margin + rounding).sum(axis=0)
    return Chances(best / sampling.draws, within / sampling.draws)


def probable_threshold(margin: float) -> float | None:
    """Return the chance of being best that names a probable winner at this margin, or None."""
    for least, chance in _PROBABLE:
        if margin >= least:
            return chance
    return None


def _winner(regret: float, chance: float, margin: float) -> WinnerKind | None:
    if regret < margin:
        return WinnerKind.WITHIN_MARGIN
    threshold = probable_threshold(margin)
    if threshold is not None and chance >= threshold:
        return WinnerKind.PROBABLE
    return None


def _cheapest(costs: Sequence[float | None] | None, allowed: Sequence[bool]) -> int | None:
    """Return the cheapest allowed trial, the first of equals; None if no cost is known."""
    priced = [
        (cost, place)
        for place, cost in enumerate(costs or ())
        if cost is not None and np.isfinite(cost) and allowed[place]
    ]
    return min(priced)[1] if priced else None
