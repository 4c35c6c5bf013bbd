"""Results of a finished study: typed, stored in a file, found again and rescored."""

from bench.results.advice_record import (
    AdviceRecord,
    BudgetAdvice,
    Exceptional,
    PriorChoice,
    RuledOutTrial,
    Standing,
    Statement,
    TrialTests,
)
from bench.results.columns import COLUMNS, Column
from bench.results.document import (
    completed,
    parse_results,
    point_latest,
    read_results,
    read_trials,
    rounded,
    text_of,
    write_results,
)
from bench.results.find import BASELINES, TREE, Found
from bench.results.query_result import Hit, Numbers, Place, QueryKey, QueryResult
from bench.results.study_result import (
    AskedQuestion,
    GeneratedQuestions,
    LeftOut,
    PlanSummary,
    RepositoryIdentity,
    StudyResult,
)
from bench.results.trial_result import GROUPS, Failure, LatencyMethod, Refusal, TrialResult, Tuning

__all__ = [
    "BASELINES",
    "COLUMNS",
    "GROUPS",
    "TREE",
    "AdviceRecord",
    "AskedQuestion",
    "BudgetAdvice",
    "Column",
    "Exceptional",
    "Failure",
    "Found",
    "GeneratedQuestions",
    "Hit",
    "LatencyMethod",
    "LeftOut",
    "Numbers",
    "Place",
    "PlanSummary",
    "PriorChoice",
    "QueryKey",
    "QueryResult",
    "Refusal",
    "RepositoryIdentity",
    "RuledOutTrial",
    "Standing",
    "Statement",
    "StudyResult",
    "TrialResult",
    "TrialTests",
    "Tuning",
    "completed",
    "parse_results",
    "point_latest",
    "read_results",
    "read_trials",
    "rounded",
    "text_of",
    "write_results",
]
