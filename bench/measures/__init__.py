"""How good rankings are: pure arithmetic on arrays, knowing no stage, store or file."""

from bench.measures.averages import by_group, by_repository, macro, micro
from bench.measures.matching import (
    DUPLICATE,
    NOTHING,
    RELEVANT,
    Hits,
    Judged,
    Matches,
    Targets,
    match,
)
from bench.measures.measure import STANDARD, Measure, Results, Tokens, parse_measure
from bench.measures.scores import Scores, score
from bench.measures.shown import TokenLines

__all__ = [
    "DUPLICATE",
    "NOTHING",
    "RELEVANT",
    "STANDARD",
    "Hits",
    "Judged",
    "Matches",
    "Measure",
    "Results",
    "Scores",
    "Targets",
    "TokenLines",
    "Tokens",
    "by_group",
    "by_repository",
    "macro",
    "match",
    "micro",
    "parse_measure",
    "score",
]
