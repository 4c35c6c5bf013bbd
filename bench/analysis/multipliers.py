"""Many comparisons at once: max-T with Gaussian multipliers on stratified residuals.

Every studentised difference is first mapped to the normal deviate that is equally rare under t
with Satterthwaite's degrees of freedom. The deviate is compared with the largest of the normal
draws.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bench.analysis.matrix import Counts, Truths, Values
from bench.analysis.sampling import Draws, Sampling
from bench.analysis.spread import Contrast, Pairs, Spread
from bench.analysis.student import normal_area, normal_quantile

_SURE = 5.0
"""Standard errors of a share of draws beyond which more draws cannot change a decision."""


@dataclass(frozen=True, eq=False)
class ControlLevels:
    """Critical values and p values for comparisons of every trial with one control."""

    contrast: Contrast
    adjusted: Values
    """Two-sided single-step p value of each trial's difference; 1 for the control.

    The p values agree with the intervals: both refer to the largest of all comparisons. Step-down
    p values are smaller and would contradict intervals that include 0.
    """
    one_sided: float
    """Normal deviate that the largest of all comparisons exceeds only with the error rate."""
    two_sided: float

    def upper_bounds(self) -> Values:
        """Return simultaneous upper bounds on the lead of each trial over the control."""
        area = float(normal_area(self.one_sided))
        return self.contrast.value + self.contrast.half_widths(area)

    @cached_property
    def half_widths(self) -> Values:
        """Half width of the simultaneous two-sided interval of each trial."""
        return self.contrast.half_widths(float(normal_area(self.two_sided)))

    @property
    def regret(self) -> float:
        """Upper bound on the lead of any trial over the control."""
        bounds = np.delete(self.upper_bounds(), self.contrast.control)
        return max(0.0, float(bounds.max(initial=0.0)))


@dataclass(frozen=True, eq=False)
class Alongside:
    """Largest comparisons of other tables with the same rows, which share the error rate.

    Tables with the same rows have the same draws, so their maxima can be joined draw by draw.
    """

    highest: Draws
    widest: Draws
    comparisons: int

    @classmethod
    def of(cls, spread: Spread, control: int, sampling: Sampling) -> "Alongside":
        """Return the largest comparison with one control of a table, for each draw."""
        rivals = np.delete(_studentised(spread, spread.contrast(control)), control, axis=1)
        largest = [
            (draws.max(axis=1), np.abs(draws).max(axis=1)) for draws in sampling.multiplied(rivals)
        ]
        return cls(
            highest=np.concatenate([highest for highest, _ in largest]),
            widest=np.concatenate([widest for _, widest in largest]),
            comparisons=rivals.shape[1],
        )

    @classmethod
    def joined(cls, parts: Sequence["Alongside"]) -> "Alongside":
        """Return the largest comparisons across several tables."""
        return cls(
            highest=np.max([one.highest for one in parts], axis=0),
            widest=np.max([one.widest for one in parts], axis=0),
            comparisons=sum(one.comparisons for one in parts),
        )


def against_control(
    spread: Spread,
    control: int,
    sampling: Sampling,
    *,
    confidence: float,
    alongside: Alongside | None = None,
) -> ControlLevels:
    """Compare every trial with one control: single-step p values and simultaneous levels.

    The levels also hold for the comparisons `alongside`. The p values do not.
    """
    contrast = spread.contrast(control)
    rivals = np.delete(np.arange(len(spread.means)), control)
    if not len(rivals):
        return ControlLevels(contrast, np.ones(1), 0.0, 0.0)
    observed = np.abs(contrast.deviates())[rivals]
    unit = _studentised(spread, contrast)[:, rivals]
    passed = np.zeros(len(rivals), np.int64)
    highest, widest = [], []
    for draws in sampling.multiplied(unit):
        highest.append(draws.max(axis=1))
        np.abs(draws, out=draws)
        widest.append(draws.max(axis=1))
        passed += (widest[-1][:, None] >= observed).sum(axis=0)
    adjusted = np.ones(len(spread.means))
    adjusted[rivals] = (1 + passed) / (1 + sampling.draws)
    adjusted[contrast.deviates() == 0] = 1.0
    largest, reach = np.concatenate(highest), np.concatenate(widest)
    if alongside is not None:
        largest = np.maximum(largest, alongside.highest)
        reach = np.maximum(reach, alongside.widest)
    return ControlLevels(
        contrast,
        adjusted,
        float(np.quantile(largest, confidence)),
        float(np.quantile(reach, confidence)),
    )


@dataclass(frozen=True, eq=False)
class Screen:
    """Decisions about each trial as control, at its own one-sided max-T level."""

    may_be_best: Truths
    not_worse: Truths
    """Whether no rival is better by the margin or more."""


def screen(
    spread: Spread,
    pairs: Pairs,
    sampling: Sampling,
    *,
    margin: float,
    confidence: float,
    alongside: Alongside | None = None,
) -> Screen:
    """Decide for every trial whether it may be the best, and whether it is not worse."""
    thresholds = np.array(
        [_thresholds(pairs, control, margin) for control in range(len(pairs.means))]
    )
    beyond = _beyond_level(
        spread, pairs, thresholds, sampling, area=1 - confidence, alongside=alongside
    )
    return Screen(may_be_best=~beyond[:, 0], not_worse=beyond[:, 1])


def _thresholds(pairs: Pairs, control: int, margin: float) -> tuple[float, float]:
    """Return the deviate that excludes a control, and the one that shows it is not worse."""
    contrast = pairs.contrast(control)
    behind = np.delete(contrast.deviates(), control)
    room = np.delete(-contrast.deviates(-margin), control)
    return float(behind.max(initial=-np.inf)), float(room.min(initial=np.inf))


def _beyond_level(
    spread: Spread,
    pairs: Pairs,
    thresholds: Values,
    sampling: Sampling,
    *,
    area: float,
    alongside: Alongside | None,
) -> Truths:
    """Return whether each threshold is above the max-T level of its control.

    The level of a single comparison and Bonferroni's level enclose the max-T level. Only controls
    in between need draws, and only close ones need all draws.
    """
    rivals = max(1, len(pairs.means) - 1) + (alongside.comparisons if alongside else 0)
    lowest, highest = float(normal_quantile(area)), float(normal_quantile(area / rivals))
    open_to_doubt = (thresholds > lowest) & (thresholds < highest)
    verdicts: Truths = thresholds >= highest
    unsettled = np.flatnonzero(open_to_doubt.any(axis=1))
    passed = np.zeros(thresholds.shape, np.int64)
    seen = 0
    for draws in sampling.multiplied(spread.residuals):
        if not len(unsettled):
            break
        others = alongside.highest[seen : seen + len(draws)] if alongside else -np.inf
        seen += len(draws)
        for control in unsettled.tolist():
            largest = np.maximum(_largest(draws, control, pairs.errors[control]), others)
            passed[control] += (largest[:, None] >= thresholds[control]).sum(axis=0)
        doubt = _in_doubt(passed[unsettled], seen, area) & open_to_doubt[unsettled]
        verdicts[unsettled] |= (
            open_to_doubt[unsettled] & ~doubt & (passed[unsettled] < area * seen)
        )
        open_to_doubt[unsettled] = doubt
        unsettled = unsettled[doubt.any(axis=1)]
    verdicts |= open_to_doubt & (passed < area * max(seen, 1))
    return verdicts


def _in_doubt(passed: Counts, seen: int, area: float) -> Truths:
    reach = _SURE * np.sqrt(area * (1 - area) * seen)
    found: Truths = np.abs(passed - area * seen) <= reach
    return found


def _largest(draws: Draws, control: int, errors: Values) -> Draws:
    """Return the largest studentised difference to a control, for each draw."""
    scale = np.divide(1, errors, out=np.zeros_like(errors), where=errors > 0).astype(np.float32)
    apart = draws - draws[:, [control]]
    apart *= scale
    apart[:, control] = -np.inf
    found: Draws = apart.max(axis=1)
    return found


def _studentised(spread: Spread, contrast: Contrast) -> Values:
    """Return the residuals of differences to the control, divided by their standard errors."""
    apart = spread.residuals - spread.residuals[:, [contrast.control]]
    known = contrast.error > 0
    return np.divide(apart, contrast.error, out=np.zeros_like(apart), where=known)
