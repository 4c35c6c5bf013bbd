"""What is asked and what is right: queries, their targets in source, and files that hold them."""

from bench.judgements.query import LEVELS, Level, Query, Target
from bench.judgements.query_set import write_queries
from bench.judgements.readers import read_queries
from bench.judgements.resolution import (
    Problem,
    finest_level,
    levels_of,
    resolution_problems,
    resolve,
)
from bench.judgements.resolved import Judgements

__all__ = [
    "LEVELS",
    "Judgements",
    "Level",
    "Problem",
    "Query",
    "Target",
    "finest_level",
    "levels_of",
    "read_queries",
    "resolution_problems",
    "resolve",
    "write_queries",
]
