"""What a change amounts to, worked out by hand."""

from dataclasses import replace
from typing import Any

import pytest

from bench.advice import sign_count_text
from bench.compare import match_queries
from bench.compare.deltas import CostDelta, Delta, cost_deltas, measure_deltas, score_matrix
from bench.results import QueryResult, TrialResult
from tests.unit.compare.sample_results import numbers, query, results, study, trial


def stored(made: TrialResult) -> TrialResult:
    """Return a trial as its results file has it."""
    return results(study([made])).trials[0]


def shared(*ranks: int) -> TrialResult:
    """Return a trial of three queries, of which the first two have the same answers."""
    same: dict[str, Any] = {"expected": ("shop.Cart", "shop.total")}
    turned = {"expected": ("shop.total", "shop.Cart")}
    made = [query("x/one", ranks[0], **same), query("x/two", ranks[1], **turned)]
    return stored(trial([*made, query("x/three", ranks[2])]))


def test_queries_with_the_same_answers_are_one_unit_of_a_comparison() -> None:
    """Reciprocal ranks change by -1/2 and 0 in the first unit, by +1/2 in the second."""
    before, after = shared(1, 2, 2), shared(2, 2, 1)

    matrix = score_matrix(before, after, match_queries(before, after), "mrr")

    assert matrix is not None
    assert (matrix.queries, matrix.units) == (3, 2)
    assert (matrix.values[:, 1] - matrix.values[:, 0]).tolist() == [-0.25, 0.5]


def repeated(*shares: float) -> list[QueryResult]:
    """Return two queries a repository, of which this share of the hits is duplicates."""
    return [
        query(
            f"{name}/{number}",
            1,
            expected=(f"{number}",),
            numbers={**numbers(1), "duplicates_at_10": share},
        )
        for name, share in zip("xyz", shares, strict=True)
        for number in (1, 2)
    ]


def test_a_repository_with_fewer_duplicates_is_better() -> None:
    """Duplicates fall in x and y and rise in z; the reciprocal ranks are level."""
    before, after = stored(trial(repeated(0.5, 0.5, 0.1))), stored(trial(repeated(0.2, 0.4, 0.2)))

    deltas = measure_deltas(before, after, match_queries(before, after))

    found: dict[str, Delta] = {delta.measure: delta for delta in deltas}
    assert sign_count_text(found["duplicates_at_10"].signs) == "better in 2 of 3"
    assert found["duplicates_at_10"].value == pytest.approx(-0.1)
    assert sign_count_text(found["mrr"].signs) == "better in 0 of 3, level in 3"


def test_a_cost_that_only_one_trial_knows_has_no_change() -> None:
    made = trial([query("x/one", 1)])
    costs = {"index_seconds": 3.0, "latency_p50_ms": 8.0, "latency_p95_ms": None}
    timed = stored(replace(made, summary={**made.summary, **costs}))
    slower = stored(
        replace(made, summary={**made.summary, **costs, "index_seconds": 5.0, "latency_p95_ms": 9})
    )

    found = {delta.name: delta for delta in cost_deltas(timed, slower)}

    assert found["index_seconds"] == CostDelta("index_seconds", 3.0, 5.0)
    assert "latency_p95_ms" not in found
