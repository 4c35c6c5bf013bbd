"""Comparison of two stored studies: changes by query, their significance and their causes."""

from bench.compare.aggregate import AggregateMetrics, aggregate
from bench.compare.causes import Cause, CauseKind, known_causes, study_causes
from bench.compare.deltas import Delta, score_matrix
from bench.compare.markdown_page import as_markdown
from bench.compare.pairing import Pair, Pairing, against_one, named_pair, paired
from bench.compare.queries import Kind, Matched, QueryComparison, kind_of, match_queries
from bench.compare.questions import Dropped, Reason, dropped_lines, shared_questions
from bench.compare.report import CompareReport, as_json, compare
from bench.compare.text_page import as_text, side_by_side

__all__ = [
    "AggregateMetrics",
    "Cause",
    "CauseKind",
    "CompareReport",
    "Delta",
    "Dropped",
    "Kind",
    "Matched",
    "Pair",
    "Pairing",
    "QueryComparison",
    "Reason",
    "against_one",
    "aggregate",
    "as_json",
    "as_markdown",
    "as_text",
    "compare",
    "dropped_lines",
    "kind_of",
    "known_causes",
    "match_queries",
    "named_pair",
    "paired",
    "score_matrix",
    "shared_questions",
    "side_by_side",
    "study_causes",
]
