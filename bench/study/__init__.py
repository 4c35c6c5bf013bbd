"""Trials and the study that compares them: what to do, what was done, what came of it."""

from bench.study.choosing import WeightFamily
from bench.study.collect import collect
from bench.study.corpus import Corpus, PreparedRepository, prepare
from bench.study.identity import RepositoryIdentity
from bench.study.rates import measured_rates, remember_rates
from bench.study.result import QueryResult, StudyResult, TrialFailure, TrialResult
from bench.study.study import PlanAccount, Study
from bench.study.trial import Trial

__all__ = [
    "Corpus",
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
    "measured_rates",
    "prepare",
    "remember_rates",
]
