"""What scores say: differences, winners, gates, forecasts; it knows no stage, store or file."""

from bench.analysis.advice import recommend
from bench.analysis.bootstrap import Chances, chances
from bench.analysis.comparisons import Answer, Comparison, compare_all
from bench.analysis.differences import (
    Difference,
    Interval,
    Question,
    SignCount,
    difference_elsewhere,
    difference_here,
    sign_count,
)
from bench.analysis.effects import (
    Contrast,
    Effect,
    axis_contrasts,
    effects_by_group,
    effects_of,
    interaction_contrasts,
)
from bench.analysis.frontier import ALIKE, Point, Reach, Standing, frontier, mean_intervals
from bench.analysis.gate import (
    GateState,
    GateTest,
    RepositoryDrop,
    default_margin,
    judge_change,
    queries_for,
    visible_drop,
)
from bench.analysis.halving import Rung, Stopped, look, rung_sizes
from bench.analysis.matrix import ScoreMatrix
from bench.analysis.more_data import Forecast, forecast_comparison
from bench.analysis.recommendation import Elsewhere, Objective, Recommendation, Statement
from bench.analysis.sampling import Sampling
from bench.analysis.selection import Selection, WinnerKind, select
from bench.analysis.tuning import TunedScore, tuned_score

__all__ = [
    "ALIKE",
    "Answer",
    "Chances",
    "Comparison",
    "Contrast",
    "Difference",
    "Effect",
    "Elsewhere",
    "Forecast",
    "GateState",
    "GateTest",
    "Interval",
    "Objective",
    "Point",
    "Question",
    "Reach",
    "Recommendation",
    "RepositoryDrop",
    "Rung",
    "Sampling",
    "ScoreMatrix",
    "Selection",
    "SignCount",
    "Standing",
    "Statement",
    "Stopped",
    "TunedScore",
    "WinnerKind",
    "axis_contrasts",
    "chances",
    "compare_all",
    "default_margin",
    "difference_elsewhere",
    "difference_here",
    "effects_by_group",
    "effects_of",
    "forecast_comparison",
    "frontier",
    "interaction_contrasts",
    "judge_change",
    "look",
    "mean_intervals",
    "queries_for",
    "recommend",
    "rung_sizes",
    "select",
    "sign_count",
    "tuned_score",
    "visible_drop",
]
