"""Benefit of more queries: the predictive chance of a decision at several sizes.

The true difference is assumed to be normal around the observed one (a flat prior), with the
observed spread. In simulations such forecasts were slightly too optimistic, so a few points are
subtracted.
"""

from dataclasses import dataclass

import numpy as np

from bench.analysis.multipliers import ControlLevels
from bench.analysis.sampling import Sampling
from bench.analysis.spread import Pairs, Spread
from bench.analysis.student import normal_area, normal_quantile, t_quantile

FACTORS = (2, 4, 10)
_FAR = 20
_HOPE = 0.05
_ENOUGH = 0.8
"""The usual power of a planned study."""
_DRAWS = 2_000


@dataclass(frozen=True)
class Forecast:
    """Chance of a decision, by factor of more units."""

    chances: tuple[tuple[int, float], ...]
    treat_as_tied: bool
    """Whether even twenty times the units are unlikely to decide."""


def forecast_comparison(
    value: float, error: float, *, margin: float, confidence: float = 0.95
) -> Forecast:
    """Forecast whether the better of two trials will be shown to be within the margin."""
    return Forecast(
        tuple(
            (n, two_chance(value, error, n, margin=margin, confidence=confidence)) for n in FACTORS
        ),
        two_chance(value, error, _FAR, margin=margin, confidence=confidence) < _ENOUGH,
    )


def two_chance(
    value: float, error: float, factor: float, *, margin: float, confidence: float = 0.95
) -> float:
    """Return the chance that the upper bound on the other trial's lead falls below the margin."""
    if error == 0:
        return 1.0 - _HOPE
    needed = float(normal_quantile(1 - confidence)) * error / np.sqrt(factor) - margin
    if needed <= 0:
        return 1.0 - _HOPE
    # Future means vary around the observed one by the part of the error that new data remove.
    width = error * np.sqrt(1 - 1 / factor)
    # Either trial may lead with more data, hence two tails.
    above = float(normal_area((needed - value) / width))
    below = float(normal_area((needed + value) / width))
    return less_hopeful(above + below)


def forecast_gate(value: float, error: float, *, margin: float) -> Forecast:
    """Forecast whether an inconclusive gate will fail or pass on its overall difference."""
    return Forecast(
        tuple((factor, _gate_chance(value, error, factor, margin)) for factor in FACTORS),
        _gate_chance(value, error, _FAR, margin) < _ENOUGH,
    )


def forecast_winner(
    spread: Spread, pairs: Pairs, best: ControlLevels, sampling: Sampling, *, margin: float
) -> Forecast:
    """Forecast whether the future best trial will be shown within the margin of all rivals."""
    few = Sampling(sampling.seed, min(_DRAWS, sampling.draws), min(sampling.chunk, _DRAWS))
    factors = (*FACTORS, _FAR)
    decided = np.zeros(len(factors))
    area = normal_area(best.one_sided)
    degrees = float(np.median(np.delete(best.contrast.degrees, best.contrast.control)))
    # Critical values with the same tail area, but `factor` times the degrees of freedom.
    levels = [float(t_quantile(area, degrees * factor)) for factor in factors]
    for draws in few.multiplied(spread.residuals):
        for place, factor in enumerate(factors):
            means = pairs.means + draws * np.sqrt(1 - 1 / factor)
            leader = means.argmax(axis=1)
            lead = means.max(axis=1, keepdims=True) - means
            reach = levels[place] / np.sqrt(factor) * pairs.errors[leader]
            regret = (reach - lead).max(axis=1)
            decided[place] += (regret < margin).sum()
    shares = [less_hopeful(share) for share in (decided / few.draws).tolist()]
    return Forecast(tuple(zip(FACTORS, shares, strict=False)), shares[-1] < _ENOUGH)


def less_hopeful(chance: float) -> float:
    """Return a forecast corrected for the optimism seen in simulations."""
    return max(0.0, chance - _HOPE)


def _gate_chance(value: float, error: float, factor: float, margin: float) -> float:
    if error == 0:
        return less_hopeful(1.0)
    later = error / np.sqrt(factor)
    width = error * np.sqrt(1 - 1 / factor)
    fails = -float(normal_quantile(0.025)) * later
    passes = float(normal_quantile(0.05)) * later - margin
    # The gate fails below `fails` and passes above `passes`; without a gap it always decides.
    if passes <= fails:
        return less_hopeful(1.0)
    chance = float(normal_area((passes - value) / width) + normal_area((value - fails) / width))
    return less_hopeful(chance)
