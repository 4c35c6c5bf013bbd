"""The numbers that a comparison quotes, worked out by hand."""

import json
from dataclasses import asdict, replace

import pytest

from bench.compare import AggregateMetrics, aggregate
from bench.compare.aggregate import aggregate_deltas
from bench.results import Place
from tests.unit.compare.sample_results import (
    HITS,
    negative,
    query,
    results,
    stored,
    study,
    trial,
)

ONE = [query("shop/one", 1)]
RANKS = {"shop/one": 1, "shop/two": 4, "shop/three": None}


def test_every_field_has_a_difference_and_none_where_one_side_has_none() -> None:
    """A number of one side alone has no difference."""
    a = AggregateMetrics(
        hit_at_k={"1": 0.25, "3": None},
        mrr=0.5,
        recall_at_k_doc={},
        citation_coverage=None,
        groundedness=0.5,
        empty_result_rate=0.0,
        refusal_correctness=None,
        total_queries=6,
        failed_queries=1,
    )
    b = replace(a, hit_at_k={"1": 0.5, "3": 0.5}, mrr=0.4, groundedness=None, failed_queries=0)

    assert aggregate_deltas(a, b) == {
        "hit_at_k": {"1": 0.25, "3": None},
        "mrr": -0.1,
        "recall_at_k_doc": {},
        "citation_coverage": None,
        "groundedness": None,
        "empty_result_rate": 0.0,
        "refusal_correctness": None,
        "total_queries": 0,
        "failed_queries": -1,
    }


def test_hits_at_ranks_one_and_four_and_a_miss() -> None:
    found = aggregate(stored(RANKS).trials[0])

    assert found.hit_at_k == {"1": 0.3333, "3": 0.3333, "5": 0.6667, "10": 0.6667}


def test_reciprocal_ranks_of_one_and_four_and_a_miss() -> None:
    found = aggregate(stored(RANKS).trials[0])

    assert found.mrr == pytest.approx((1 + 1 / 4 + 0) / 3, abs=5e-5)


def test_a_hit_beyond_the_tenth_gives_no_reciprocal_rank() -> None:
    found = aggregate(stored({"shop/one": 11}).trials[0])

    assert found.mrr == 0.0


def test_means_are_over_repositories_not_over_queries() -> None:
    found = aggregate(stored({"a/one": 1, "a/two": 1, "a/three": 1, "b/one": None}).trials[0])

    assert found.mrr == 0.5


def test_recall_of_documents_counts_each_document_once() -> None:
    lines = ((HITS[0].path, 1, 9), (HITS[0].path, 20, 30), (HITS[3].path, 1, 2), ("no.py", 1, 2))
    targets = tuple(Place(*one) for one in lines)
    made = study([trial([query("shop/one", 1, targets=targets)])])

    found = aggregate(results(made).trials[0])

    assert found.recall_at_k_doc == {"1": 0.3333, "3": 0.3333, "5": 0.6667, "10": 0.6667}


def test_refusing_is_returning_nothing_for_what_nothing_answers() -> None:
    right = [query("shop/one", 1), negative("shop/none")]
    half = [*right, negative("shop/never", hits=HITS[:1])]

    found = [aggregate(results(study([trial(queries)])).trials[0]) for queries in (right, half)]

    assert [one.refusal_correctness for one in found] == [1.0, 0.5]
    assert [one.empty_result_rate for one in found] == [0.5, 0.3333]


def test_what_has_no_denominator_is_null_in_json() -> None:
    found = aggregate(stored({"shop/one": 1}).trials[0])

    text = json.dumps(asdict(found), allow_nan=False)

    kept = json.loads(text)
    assert kept["refusal_correctness"] is None
    assert kept["citation_coverage"] is None
    assert kept["groundedness"] is None


def test_computing_twice_gives_the_same() -> None:
    one = stored(RANKS).trials[0]

    assert aggregate(one) == aggregate(one)


def test_answers_are_quoted_as_they_were_measured() -> None:
    """A citation that leads nowhere is 0, what was not measured of an answer is in no mean."""
    made = [
        query("x/one", 1, numbers={"mrr": 1.0, "citation_coverage": 0.0, "groundedness": 1.0}),
        query("x/two", 1, numbers={"mrr": 1.0, "citation_coverage": 1.0}),
        query("y/one", 1, numbers={"mrr": 1.0, "citation_coverage": 1.0}),
    ]
    unanswerable = [
        negative("x/none", hits=HITS, numbers={"refusal_correctness": 1.0}),
        negative("x/never", hits=HITS, numbers={"refusal_correctness": 0.0}),
    ]
    means = {"avg_mrr": 1.0}

    found = aggregate(
        results(
            study([replace(trial(ONE), queries=(*made, *unanswerable), summary=means)])
        ).trials[0]
    )

    assert found.citation_coverage == 0.75
    assert found.groundedness == 1.0
    assert found.refusal_correctness == 0.5


def test_queries_that_were_calibrated_on_leave_nothing_to_say_of_refusing() -> None:
    """Though nothing was returned for them: somebody answers, and was not judged by them."""
    made = [query("x/one", 1, numbers={"mrr": 1.0, "citation_coverage": 1.0})]

    found = aggregate(
        results(study([replace(trial(ONE), queries=(*made, negative("x/none")))])).trials[0]
    )

    assert found.refusal_correctness is None
