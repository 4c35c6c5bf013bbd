"""Measures of rankings: pure arithmetic on arrays, independent of stages, stores and files."""

from bench.measures.answering import OF_ANSWERS, Given, Wanted, answer_numbers
from bench.measures.averages import macro, micro
from bench.measures.characters import Characters
from bench.measures.chunks import ChunkFacts, chunk_numbers
from bench.measures.matching import (
    DUPLICATE,
    NOTHING,
    RELEVANT,
    SYMBOL_CREDITS,
    Hits,
    Judged,
    Matches,
    Rule,
    SymbolCredit,
    Targets,
    match,
)
from bench.measures.measure import (
    LOWER_IS_BETTER,
    MOST_TOKENS,
    SHOWN_TOKENS,
    STANDARD,
    Measure,
    Results,
    Tokens,
    measures_of,
    parse_measure,
)
from bench.measures.oracle_rankings import Answers, oracle, popular
from bench.measures.refusals import best_threshold, refusal_gain, trade_off
from bench.measures.scores import Scores, score
from bench.measures.weightings import Wish, measure_of_ranks, scores_under

__all__ = [
    "DUPLICATE",
    "LOWER_IS_BETTER",
    "MOST_TOKENS",
    "NOTHING",
    "OF_ANSWERS",
    "RELEVANT",
    "SHOWN_TOKENS",
    "STANDARD",
    "SYMBOL_CREDITS",
    "Answers",
    "Characters",
    "ChunkFacts",
    "Given",
    "Hits",
    "Judged",
    "Matches",
    "Measure",
    "Results",
    "Rule",
    "Scores",
    "SymbolCredit",
    "Targets",
    "Tokens",
    "Wanted",
    "Wish",
    "answer_numbers",
    "best_threshold",
    "chunk_numbers",
    "macro",
    "match",
    "measure_of_ranks",
    "measures_of",
    "micro",
    "oracle",
    "parse_measure",
    "popular",
    "refusal_gain",
    "score",
    "scores_under",
    "trade_off",
]
