"""Every trial against one control, one by one and all together, under both questions."""

from dataclasses import dataclass

from bench.analysis.differences import (
    Difference,
    Interval,
    SignCount,
    difference_elsewhere,
    difference_here,
    sign_count,
)
from bench.analysis.few_units import against_control_of_few
from bench.analysis.matrix import ScoreMatrix
from bench.analysis.multipliers import ControlLevels, against_control
from bench.analysis.refusals import no_generalising
from bench.analysis.sampling import Sampling
from bench.analysis.spread import spread_of


@dataclass(frozen=True)
class Answer:
    """A difference by itself, and what is left of it when all comparisons count together."""

    alone: Difference
    together: Interval | None
    """Holds for all comparisons with the control at once; None where there is no spread."""
    adjusted_p: float
    """Two-sided: step-down max-T over queries, Holm over repositories."""


@dataclass(frozen=True)
class Comparison:
    """How much better a trial is than a control."""

    trial: str
    against: str
    here: Answer
    elsewhere: Answer | None
    """None where the repositories are too few to stand for others."""
    signs: SignCount


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
        )
        for column, trial in enumerate(matrix.trials)
        if column != place
    )


def _levels_elsewhere(matrix: ScoreMatrix, place: int, confidence: float) -> ControlLevels | None:
    if no_generalising(matrix):
        return None
    spread = spread_of(matrix.of_repositories())
    return against_control_of_few(spread, place, confidence=confidence)


def _answer(alone: Difference, levels: ControlLevels, column: int) -> Answer:
    together = None
    if alone.interval is not None:
        reach = float(levels.half_widths[column])
        together = Interval(alone.value - reach, alone.value + reach, alone.interval.level)
    return Answer(alone, together, float(levels.adjusted[column]))
