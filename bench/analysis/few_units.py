"""Many comparisons on few units, such as repositories: Holm and Bonferroni instead of draws.

Draws learn from the residuals how comparisons hang together; a handful of units teaches that
wrongly (in simulations max-T was wrong in 18 % of studies of 5 repositories and 72 trials, and
in half of those of 3). These corrections need not know it.
"""

import numpy as np

from bench.analysis.matrix import Truths, Values
from bench.analysis.multipliers import ControlLevels
from bench.analysis.spread import Pairs, Spread
from bench.analysis.student import normal_area, normal_quantile


def against_control_of_few(spread: Spread, control: int, *, confidence: float) -> ControlLevels:
    """Compare every trial with one control: Holm's p values and Bonferroni's levels."""
    contrast = spread.contrast(control)
    rivals = np.delete(np.arange(len(spread.means)), control)
    area = (1 - confidence) / max(1, len(rivals))
    adjusted = np.ones(len(spread.means))
    adjusted[rivals] = _holm(2 * normal_area(np.abs(contrast.deviates()[rivals])))
    return ControlLevels(
        contrast, adjusted, float(normal_quantile(area)), float(normal_quantile(area / 2))
    )


def may_be_best_of_few(pairs: Pairs, *, confidence: float) -> Truths:
    """Return which trials are shown to be worse than no rival."""
    trials = len(pairs.means)
    level = float(normal_quantile((1 - confidence) / max(1, trials - 1)))
    behind = [pairs.contrast(control).deviates().max() for control in range(trials)]
    found: Truths = np.array(behind) < level
    return found


def _holm(areas: Values) -> Values:
    """Return p values corrected step by step, smallest first."""
    order = np.argsort(areas, kind="stable")
    left = len(areas) - np.arange(len(areas))
    corrected = np.empty_like(areas)
    corrected[order] = np.minimum(1, np.maximum.accumulate(areas[order] * left))
    return corrected
