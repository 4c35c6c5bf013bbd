"""A study and its trials, from planned stages to their results."""

from bench.study.choosing import WeightFamily
from bench.study.copies import refuse_copies
from bench.study.corpus import Corpus, PreparedRepository, prepare
from bench.study.equal_cuts import DistinctCuts, distinct_cuts
from bench.study.estimate import Estimate
from bench.study.left_out import refuse_left_out
from bench.study.query_samples import first_queries, most_queries
from bench.study.rates import remember_rates
from bench.study.study import Study
from bench.study.trial import Trial
from bench.study.unexpanded import refuse_unexpanded
from bench.study.unresolved import refuse_unresolved

__all__ = [
    "Corpus",
    "DistinctCuts",
    "Estimate",
    "PreparedRepository",
    "Study",
    "Trial",
    "WeightFamily",
    "distinct_cuts",
    "first_queries",
    "most_queries",
    "prepare",
    "refuse_copies",
    "refuse_left_out",
    "refuse_unexpanded",
    "refuse_unresolved",
    "remember_rates",
]
