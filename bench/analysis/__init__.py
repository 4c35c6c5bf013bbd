"""The statistics behind every claim: differences, winners, gates, forecasts.

The package writes no sentences and does not depend on stages, stores or files.
"""

from bench.analysis.caveats import (
    ENOUGH_QUERIES,
    Caveat,
    FewQueries,
    FewRepositories,
    LoneQueries,
    NoChange,
    NoSpread,
    TooFewRepositories,
    lone_queries,
    too_few_repositories,
)
from bench.analysis.comparisons import Answer, Comparison, compare_all
from bench.analysis.differences import (
    Difference,
    Interval,
    Question,
    SignCount,
    difference_elsewhere,
    difference_here,
    difference_in_one_further,
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
from bench.analysis.frontier import (
    ALIKE,
    Point,
    Reach,
    Standing,
    answering,
    frontier,
    mean_intervals,
)
from bench.analysis.gate import (
    GateState,
    GateTest,
    RepositoryDrop,
    default_margin,
    judge_change,
    queries_for,
    visible_drop,
)
from bench.analysis.halving import Round, Stopped, round_sizes, stop_trailing
from bench.analysis.matrix import ScoreMatrix
from bench.analysis.more_data import Forecast, forecast_comparison
from bench.analysis.prior import Asked, Posterior, combined, expected_regrets
from bench.analysis.recommendation import (
    Elsewhere,
    Objective,
    Recommendation,
    recommend,
    recommend_each,
)
from bench.analysis.sampling import Sampling
from bench.analysis.selection import Chances, Selection, WinnerKind, chances, select
from bench.analysis.tuning import OwnChoices, TunedScore, own_choices, tuned_score

__all__ = [
    "ALIKE",
    "ENOUGH_QUERIES",
    "Answer",
    "Asked",
    "Caveat",
    "Chances",
    "Comparison",
    "Contrast",
    "Difference",
    "Effect",
    "Elsewhere",
    "FewQueries",
    "FewRepositories",
    "Forecast",
    "GateState",
    "GateTest",
    "Interval",
    "LoneQueries",
    "NoChange",
    "NoSpread",
    "Objective",
    "OwnChoices",
    "Point",
    "Posterior",
    "Question",
    "Reach",
    "Recommendation",
    "RepositoryDrop",
    "Round",
    "Sampling",
    "ScoreMatrix",
    "Selection",
    "SignCount",
    "Standing",
    "Stopped",
    "TooFewRepositories",
    "TunedScore",
    "WinnerKind",
    "answering",
    "axis_contrasts",
    "chances",
    "combined",
    "compare_all",
    "default_margin",
    "difference_elsewhere",
    "difference_here",
    "difference_in_one_further",
    "effects_by_group",
    "effects_of",
    "expected_regrets",
    "forecast_comparison",
    "frontier",
    "interaction_contrasts",
    "judge_change",
    "lone_queries",
    "mean_intervals",
    "own_choices",
    "queries_for",
    "recommend",
    "recommend_each",
    "round_sizes",
    "select",
    "sign_count",
    "stop_trailing",
    "too_few_repositories",
    "tuned_score",
    "visible_drop",
]
