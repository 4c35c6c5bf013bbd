"""Comparisons of every trial with one control, alone and corrected for their number.

Over queries the correction is max-T, over repositories Bonferroni. Max-T estimates the correlation
of the comparisons from the residuals, which fails with few units: in simulations, max-T was wrong
in 18 % of studies of 5 repositories and 72 trials, and in half of the studies of 3 repositories.
Bonferroni does not need the correlation.
"""

from dataclasses import dataclass

import numpy as np

from bench.analysis.caveats import too_few_repositories
from bench.analysis.differences import (
    Difference,
    Interval,
    SignCount,
    difference_elsewhere,
    difference_here,
    difference_in_one_further,
    sign_count,
)
from bench.analysis.matrix import ScoreMatrix, Truths
from bench.analysis.multipliers import ControlLevels, against_control
from bench.analysis.sampling import Sampling
from bench.analysis.spread import Pairs, Spread, spread_of
from bench.analysis.student import normal_area, normal_quantile


@dataclass(frozen=True)
class Answer:
    """A difference alone, and its interval and p value corrected for all comparisons."""

    alone: Difference
    together: Interval | None
    """Interval that holds for all comparisons with the control at once; None without spread."""
    adjusted_p: float
    """Two-sided p value of the same method: max-T over queries, Bonferroni over repositories."""


@dataclass(frozen=True)
class Comparison:
    """The difference between a trial and a control, under both questions."""

    trial: str
    against: str
    here: Answer
    elsewhere: Answer | None
    """None with too few repositories to generalise to others."""
    signs: SignCount
    further: Interval | None = None
    """Prediction interval for one more repository, not corrected for the number of comparisons."""


def compare_all(
    matrix: ScoreMatrix, control: str, sampling: Sampling, *, confidence: float = 0.95
) -> tuple[Comparison, ...]:
    """Compare every other trial with a control, corrected for the number of comparisons."""
    place = matrix.place(control)
    here = against_control(spread_of(matrix), place, sampling, confidence=confidence)
    elsewhere = _levels_elsewhere(matrix, place, confidence)
    return tuple(
        Comparison(
            trial,
            control,
            _answer(difference_here(matrix, trial, control, confidence=confidence), here, column),
            None
            if elsewhere is None
            else _answer(
                difference_elsewhere(matrix, trial, control, confidence=confidence),
                elsewhere,
                column,
            ),
            sign_count(matrix, trial, control),
            difference_in_one_further(matrix, trial, control, confidence=confidence),
        )
        for column, trial in enumerate(matrix.trials)
        if column != place
    )


def _levels_elsewhere(matrix: ScoreMatrix, place: int, confidence: float) -> ControlLevels | None:
    if too_few_repositories(matrix):
        return None
    spread = spread_of(matrix.of_repositories())
    return against_control_of_few(spread, place, confidence=confidence)


def _answer(alone: Difference, levels: ControlLevels, column: int) -> Answer:
    together = None
    if alone.interval is not None:
        reach = float(levels.half_widths[column])
        together = Interval(alone.value - reach, alone.value + reach, alone.interval.level)
    return Answer(alone, together, float(levels.adjusted[column]))


def against_control_of_few(spread: Spread, control: int, *, confidence: float) -> ControlLevels:
    """Compare every trial with one control, with Bonferroni's p values and levels."""
    contrast = spread.contrast(control)
    rivals = np.delete(np.arange(len(spread.means)), control)
    area = (1 - confidence) / max(1, len(rivals))
    adjusted = np.ones(len(spread.means))
    areas = 2 * normal_area(np.abs(contrast.deviates()[rivals]))
    adjusted[rivals] = np.minimum(1, len(rivals) * areas)
    return ControlLevels(
        contrast, adjusted, float(normal_quantile(area)), float(normal_quantile(area / 2))
    )


def may_be_best_of_few(pairs: Pairs, *, confidence: float) -> Truths:
    """Return whether each trial may be the best: no rival is significantly better."""
    trials = len(pairs.means)
    level = float(normal_quantile((1 - confidence) / max(1, trials - 1)))
    behind = [pairs.contrast(control).deviates().max() for control in range(trials)]
    may_be_best: Truths = np.array(behind) < level
    return may_be_best
