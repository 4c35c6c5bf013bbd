"""Reports of trials that chose their weights or a threshold, made by hand."""

from typing import Any

from bench.results.tuning import weights_override
from retrievers.fusion import simplex

Results = dict[str, Any]


def with_weights(report: Results, channels: tuple[str, ...], steps: int) -> Results:
    """Return a report that chose weights: a score is 1 - the first weight - the last one / 10."""
    curve = [
        {"weights": weights, "score": round(1 - weights[0] - weights[-1] / 10, 4)}
        for weights in simplex(len(channels), steps).tolist()
    ]
    best = max(curve, key=lambda point: point["score"])
    own = {
        "queries": 4,
        "score": 0.5,
        "own_weights": weights_override(best["weights"]),
        "own_score": 0.6,
        "weights_without_it": weights_override(curve[0]["weights"]),
        "score_without_it": 0.4,
    }
    tuning = {
        "objective": "ndcg_at_10",
        "half": "tune",
        "chosen_before": [],
        "queries": 8,
        "steps": steps,
        "channels": list(channels),
        "weightings": len(curve),
        "chosen": dict(zip(channels, best["weights"], strict=True)),
        "override": weights_override(best["weights"]),
        "in_sample": best["score"],
        "expected_here": best["score"] - 0.1,
        "expected_on_a_new_repository": best["score"] - 0.2,
        "repositories": {"shop": own, "bank": own},
        "curve": curve,
    }
    return {**report, "tuning": tuning}


def with_answers(report: Results, threshold: float | None) -> Results:
    """Return a report of a trial that answers: at 2.0 half of the negatives are refused."""
    curve = [
        {
            "threshold": at,
            "refusal_correctness_tune": at / 4,
            "false_refusal_rate_tune": at / 8,
            "refusal_correctness_report": at / 5,
            "false_refusal_rate_report": at / 10,
        }
        for at in (0.0, 1.0, 2.0, 4.0)
    ]
    refusal = {"by": "calibrated on the tune half", "threshold": threshold, "curve": curve}
    numbers = {"avg_citation_coverage": 0.75, "answer_latency_p50_ms": 12.0, "negative_queries": 6}
    return {**report, "refusal": refusal, "summary": {**report["summary"], **numbers}}
