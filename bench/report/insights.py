"""Contents of a report besides the table: curves, frontiers, effects and the tuned score."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bench.analysis import (
    ALIKE,
    Contrast,
    Effect,
    Interval,
    Point,
    Reach,
    Sampling,
    ScoreMatrix,
    TunedScore,
    answering,
    axis_contrasts,
    effects_by_group,
    effects_of,
    frontier,
    interaction_contrasts,
    mean_intervals,
    tuned_score,
)
from bench.report.query_groups import groups_of, tagged
from bench.report.study_view import StudyView
from bench.results import TrialResult

COSTS = {
    "latency_p50_ms": ("median latency of a query", "ms", 1.0),
    "latency_p95_ms": ("95th percentile of the latency of a query", "ms", 1.0),
    "index_seconds": ("time to make the index", "s", 1.0),
    "peak_memory_bytes": ("memory of the largest stage", "MB", 1e6),
    "avg_shown_tokens_at_10": ("text shown in the first 10 hits", "tokens", 1.0),
}
"""Description, unit and size of the unit for each cost column."""
_ALWAYS = ("latency_p50_ms", "index_seconds", "avg_shown_tokens_at_10")
_FEWEST = 2
_MOST_INTERACTIONS = 24


@dataclass(frozen=True)
class Curve:
    """Recall or coverage of a trial at growing token budgets."""

    trial: str
    budgets: tuple[int, ...]
    shares: tuple[float, ...]
    intervals: tuple[Interval | None, ...]


@dataclass(frozen=True)
class Frontier:
    """Quality against one cost."""

    cost: str
    unit: str
    points: tuple[Point, ...]
    without: tuple[str, ...]
    """Trials with an unknown cost."""
    silent: tuple[str, ...] = ()
    """Trials that return no hits for more queries than others, so their costs are not
    comparable."""

    @property
    def is_flat(self) -> bool:
        """Return True if all costs are equal within measurement error."""
        costs = [point.cost for point in self.points]
        return max(costs) <= min(costs) * (1 + ALIKE)


@dataclass(frozen=True)
class Insights:
    """Results of the report's analyses; an analysis without enough data is empty."""

    intervals: Mapping[str, Interval | None]
    curves: Mapping[str, tuple[Curve, ...]]
    """Curves of every trial for `recall` and `coverage`."""
    frontiers: tuple[Frontier, ...]
    effects: tuple[Effect, ...]
    interactions: tuple[Effect, ...]
    by_group: Mapping[str, Mapping[str, tuple[Effect, ...]]]
    """Effects by kind of group (such as category or difficulty), and by group."""
    tuned: TunedScore | None


def insights(view: StudyView) -> Insights:
    """Return the analyses of a study."""
    matrix = view.matrix(view.objective)
    if matrix is None:
        return Insights({}, {}, (), (), (), {}, None)
    sampling = Sampling(view.study.settings.seed)
    settings = [_known_axes(trial) for trial in view.done]
    contrasts = axis_contrasts(settings)
    interactions = effects_of(interaction_contrasts(settings), matrix, sampling)
    several = len(view.done) > 1 and matrix.units >= _FEWEST
    return Insights(
        intervals=dict(zip(matrix.trials, mean_intervals(matrix), strict=True)),
        curves={name: _curves(view, name) for name in ("recall", "coverage")},
        frontiers=tuple(_frontiers(view, matrix)) if several else (),
        effects=effects_of(contrasts, matrix, sampling),
        interactions=tuple(sorted(interactions, key=_strength)[:_MOST_INTERACTIONS]),
        by_group=_by_group(view, matrix, contrasts, sampling),
        tuned=_tuned(view, matrix, sampling) if several else None,
    )


def _known_axes(trial: TrialResult) -> dict[str, object]:
    return {name: value for name, value in trial.axes.items() if value is not None}


def _curves(view: StudyView, measure: str) -> tuple[Curve, ...]:
    matrices = [view.matrix(f"{measure}_at_{budget}_tokens") for budget in view.budgets]
    known = [matrix for matrix in matrices if matrix is not None]
    if len(known) < len(matrices) or len(known) < _FEWEST:
        return ()
    means = [matrix.means.tolist() for matrix in known]
    intervals = [mean_intervals(matrix) for matrix in known]
    return tuple(
        Curve(
            trial.name,
            view.budgets,
            tuple(mean[place] for mean in means),
            tuple(interval[place] for interval in intervals),
        )
        for place, trial in enumerate(view.done)
    )


def _frontiers(view: StudyView, matrix: ScoreMatrix) -> list[Frontier]:
    found = []
    kept = answering([trial.summary.get("empty_result_rate") or 0.0 for trial in view.done])
    silent = tuple(t.name for place, t in enumerate(view.done) if place not in kept)
    for column in dict.fromkeys((*_ALWAYS, *({view.study.settings.advice.cost} & set(COSTS)))):
        cost, unit, size = COSTS[column]
        prices = [trial.price(column) for trial in view.done]
        known = [place for place in kept if prices[place] is not None]
        if len(known) < _FEWEST:
            continue
        reaches = _reaches(view, column)
        points = frontier(
            matrix.keep(known),
            [(prices[place] or 0.0) / size for place in known],
            reaches=[reaches[place] for place in known],
        )
        without = tuple(view.done[p].name for p, price in enumerate(prices) if price is None)
        found.append(Frontier(cost, unit, points, without, silent))
    return found


def _reaches(view: StudyView, column: str) -> list[Reach | None]:
    """Return the interval of each trial's cost, or None for a single sample."""
    if column.startswith("avg_"):
        matrix = view.matrix(column.removeprefix("avg_"))
        if matrix is None:
            return [None] * len(view.done)
        found = mean_intervals(matrix, most=math.inf)
        return [(one.low, one.high) if one else None for one in found]
    if column == "latency_p50_ms":
        return [trial.latency.p50_interval_ms for trial in view.done]
    if column == "latency_p95_ms":
        return [trial.latency.p95_interval_ms for trial in view.done]
    return [None] * len(view.done)


def _tuned(view: StudyView, matrix: ScoreMatrix, sampling: Sampling) -> TunedScore | None:
    """Return the cross-validated score of the choice among the trials within the limits."""
    allowed = [place for place, name in enumerate(matrix.trials) if name not in view.ruled_out]
    return tuned_score(matrix.keep(allowed), sampling) if len(allowed) > 1 else None


def _by_group(
    view: StudyView, matrix: ScoreMatrix, contrasts: Sequence[Contrast], sampling: Sampling
) -> dict[str, dict[str, tuple[Effect, ...]]]:
    found = {}
    for kind, groups in groups_of(view.questions).items():
        if contrasts and len(set(groups) - {""}) > 1:
            found[kind] = effects_by_group(contrasts, matrix, groups, sampling)
    found["tag"] = {
        tag: effects
        for labels in tagged(view.questions).values()
        for tag, effects in effects_by_group(contrasts, matrix, labels, sampling).items()
        if effects
    }
    return {kind: of for kind, of in found.items() if of}


def _strength(effect: Effect) -> float:
    """Return a sort key that puts the most significant effects first."""
    return 1.0 if effect.here is None else effect.here.adjusted_p
