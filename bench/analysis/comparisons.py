"""Every trial against one control, one by one and all together, under both questions.

Queries are corrected for by max-T draws, repositories by Bonferroni. Draws learn from
the residuals how comparisons hang together, and a handful of units teaches that wrongly: in
simulations max-T was wrong in 18 % of studies of 5 repositories and 72 trials, and in half of
those of 3. Bonferroni does not need to know it.
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
    """A difference by itself, and what is left of it when all comparisons count together."""

    alone: Difference
    together: Interval | None
    """Holds for all comparisons with the control at once; None where there is no spread."""
    adjusted_p: float
    """Two-sided, of the same procedure: max-T over queries, Bonferroni over repositories."""


@dataclass(frozen=True)
class Comparison:
    """How much better a trial is than a control."""

    trial: str
    against: str
    here: Answer
    elsewhere: Answer | None
    """None where the repositories are too few to represent others."""
    signs: SignCount
    further: Interval | None = None
    """Where the difference in one further repository would lie; it is not corrected."""


def compare_all(
    matrix: ScoreMatrix, control: str, sampling: Sampling, *, confidence: float = 0.95
) -> tuple[Comparison, ...]:
    """Compare every other trial with a control, correcting for their number."""
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
    """Compare every trial with one control: Bonferroni's p values and levels."""
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
    """Return the trials that no rival is shown to beat."""
    trials = len(pairs.means)
    level = float(normal_quantile((1 - confidence) / max(1, trials - 1)))
    behind = [pairs.contrast(control).deviates().max() for control in range(trials)]
    may_be_best: Truths = np.array(behind) < level
    return may_be_best
