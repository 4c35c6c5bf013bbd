"""Aggregated numbers of a trial for comparisons, computed from the stored results."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from bench.measures import OF_ANSWERS, macro
from bench.results import QueryResult, TrialResult

LIMITS = (1, 3, 5, 10)
_DEEPEST = 10
_DECIMALS = 4


@dataclass(frozen=True)
class AggregateMetrics:
    """Means over repositories, None if undefined."""

    hit_at_k: dict[str, float | None]
    mrr: float | None
    recall_at_k_doc: dict[str, float | None]
    citation_coverage: float | None
    groundedness: float | None
    empty_result_rate: float | None
    refusal_correctness: float | None
    """Share of negative queries that were refused or found nothing."""
    total_queries: int
    failed_queries: int


def aggregate(trial: TrialResult) -> AggregateMetrics:
    """Return a trial's numbers from its stored rankings and the measures of its answers."""
    queries = list(trial.by_key.values())
    judged = [query for query in queries if query.is_judged]
    placed = [query for query in judged if query.documents]
    return AggregateMetrics(
        hit_at_k={str(limit): _mean(judged, _hits(judged, limit)) for limit in LIMITS},
        mrr=_mean(judged, [_reciprocal(query.first_rank) for query in judged]),
        recall_at_k_doc={str(limit): _mean(placed, _recalls(placed, limit)) for limit in LIMITS},
        citation_coverage=_of_answers(queries, "citation_coverage"),
        groundedness=_of_answers(queries, "groundedness"),
        empty_result_rate=_share([not query.hits for query in queries]),
        refusal_correctness=_refusals(queries),
        total_queries=int(trial.summary.get("total_queries") or 0),
        failed_queries=int(trial.summary.get("failed_queries") or 0),
    )


def aggregate_deltas(a: AggregateMetrics, b: AggregateMetrics) -> dict[str, Any]:
    """Return b - a of every field by name, None if one side has no number."""
    return _differences(asdict(a), asdict(b))


def _differences(a: Mapping[str, Any], b: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: _differences(value, b[name])
        if isinstance(value, dict)
        else _difference(value, b[name])
        for name, value in a.items()
    }


def _difference(a: float | None, b: float | None) -> float | None:
    return None if a is None or b is None else round(b - a, _DECIMALS)


def _of_answers(queries: Sequence[QueryResult], name: str) -> float | None:
    """Return the mean over the answers with this number; None without an answerer."""
    having = [query for query in queries if name in query.known]
    return _mean(having, [query.known[name] for query in having])


def _refusals(queries: Sequence[QueryResult]) -> float | None:
    """Return the share of correct refusals. Without an answerer, an empty result is a refusal."""
    if any(name in query.known for query in queries for name in OF_ANSWERS):
        return _of_answers(queries, "refusal_correctness")
    return _share([not query.hits for query in queries if query.negative])


def _hits(judged: Sequence[QueryResult], limit: int) -> list[float]:
    return [float(query.first_rank is not None and query.first_rank <= limit) for query in judged]


def _recalls(placed: Sequence[QueryResult], limit: int) -> list[float]:
    """Return the share of each query's documents among its first hits."""
    shown = [{hit.path for hit in query.hits[:limit]} for query in placed]
    return [
        len(paths.intersection(query.documents)) / len(query.documents)
        for query, paths in zip(placed, shown, strict=True)
    ]


def _reciprocal(rank: int | None) -> float:
    return 1 / rank if rank is not None and rank <= _DEEPEST else 0.0


def _mean(queries: Sequence[QueryResult], values: Sequence[float]) -> float | None:
    found = macro(np.array(values, np.float64), [query.repository for query in queries])
    return None if found is None else round(found, _DECIMALS)


def _share(truths: Sequence[bool]) -> float | None:
    return round(sum(truths) / len(truths), _DECIMALS) if truths else None
