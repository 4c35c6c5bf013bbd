"""Trials and the study that compares them: what to do, what was done, what came of it."""

from bench.study.choosing import WeightFamily
from bench.study.collect import collect
from bench.study.corpus import Corpus, PreparedRepository, prepare
from bench.study.identity import RepositoryIdentity
from bench.study.rates import measured_rates, remember_rates
from bench.study.result import LeftOut, QueryResult, StudyResult, TrialFailure, TrialResult
from bench.study.rungs import first_queries, most_queries, scores_of
from bench.study.study import PlanAccount, Study
from bench.study.trial import Trial

__all__ = [
    "Corpus",
    "LeftOut",
    "PlanAccount",
    "PreparedRepository",
    "QueryResult",
    "RepositoryIdentity",
    "Study",
    "StudyResult",
    "Trial",
    "TrialFailure",
    "TrialResult",
    "WeightFamily",
    "collect",
    "first_queries",
    "measured_rates",
    "most_queries",
    "prepare",
    "remember_rates",
    "scores_of",
]
