"""Two stored studies side by side: what changed, query by query, how surely, and why."""

from bench.comparison.aggregate import AggregateMetrics, aggregate
from bench.comparison.causes import Cause, CauseKind, known_causes, study_causes
from bench.comparison.deltas import Delta, score_matrix
from bench.comparison.markdown_page import as_markdown
from bench.comparison.pairing import Pair, Pairing, named_pair, paired
from bench.comparison.queries import Kind, Matched, QueryComparison, kind_of, match_queries
from bench.comparison.report import CompareReport, as_json, compare
from bench.comparison.text_page import as_text, side_by_side

__all__ = [
    "AggregateMetrics",
    "Cause",
    "CauseKind",
    "CompareReport",
    "Delta",
    "Kind",
    "Matched",
    "Pair",
    "Pairing",
    "QueryComparison",
    "aggregate",
    "as_json",
    "as_markdown",
    "as_text",
    "compare",
    "kind_of",
    "known_causes",
    "match_queries",
    "named_pair",
    "paired",
    "score_matrix",
    "side_by_side",
    "study_causes",
]
