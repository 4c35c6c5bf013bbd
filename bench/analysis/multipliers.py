"""Many comparisons at once: max-T with Gaussian multipliers on stratified residuals.

Every studentised difference is first mapped to the normal deviate that is as rare under
t with Satterthwaite's degrees of freedom; that is compared with the largest of the normal draws.
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
"""Standard errors of a share of draws beyond which more draws cannot change a verdict."""


@dataclass(frozen=True, eq=False)
class ControlLevels:
    """What comparing every trial with one control at once takes."""

    contrast: Contrast
    adjusted: Values
    """The single-step p value of each trial's difference, two-sided; 1 for the control.

    It belongs to the intervals: both ask for the largest of all comparisons. Step-down values are
    smaller, and would contradict intervals that contain 0.
    """
    one_sided: float
    """The normal deviate that the largest of all comparisons stays under, at the level."""
    two_sided: float

    def upper_bounds(self) -> Values:
        """Return how much better each trial may be than the control, all bounds together."""
        area = float(normal_area(self.one_sided))
        return self.contrast.value + self.contrast.half_widths(area)

    @cached_property
    def half_widths(self) -> Values:
        """Return the half width of each trial's two-sided interval, all together."""
        return self.contrast.half_widths(float(normal_area(self.two_sided)))

    @property
    def regret(self) -> float:
        """Return how much worse than some trial the control may be."""
        bounds = np.delete(self.upper_bounds(), self.contrast.control)
        return max(0.0, float(bounds.max(initial=0.0)))


@dataclass(frozen=True, eq=False)
class Alongside:
    """The largest comparisons of other tables of the same rows, which share the error rate.

    Tables of the same rows have the same draws, so that draw by draw the largest of all is known.
    """

    highest: Draws
    widest: Draws
    comparisons: int

    @classmethod
    def of(cls, spread: Spread, control: int, sampling: Sampling) -> "Alongside":
        """Return the largest comparison of each draw with one control of a table."""
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
        """Return the largest of several tables' comparisons."""
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

    The levels also hold for the comparisons `alongside`; the p values do not.
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
    """What holds of each trial as control, at the one-sided max-T level of its own."""

    may_be_best: Truths
    not_worse: Truths
    """Whether it is worse than no rival by the margin or more."""


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
    """Return the deviates at which a control is out, and at which it is not worse."""
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
    """Return which thresholds the largest of all comparisons passes in fewer draws than allowed.

    The level of one comparison and Bonferroni's enclose the max-T level, so that only controls
    in between need draws, and of those only the close ones need all.
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
    """Return the largest studentised difference to a control of each draw."""
    scale = np.divide(1, errors, out=np.zeros_like(errors), where=errors > 0).astype(np.float32)
    apart = draws - draws[:, [control]]
    apart *= scale
    apart[:, control] = -np.inf
    found: Draws = apart.max(axis=1)
    return found


def _studentised(spread: Spread, contrast: Contrast) -> Values:
    """Return the residuals of differences to the control, each over its standard error."""
    apart = spread.residuals - spread.residuals[:, [contrast.control]]
    known = contrast.error > 0
    return np.divide(apart, contrast.error, out=np.zeros_like(apart), where=known)
