"""A small study's results, as the results file holds them."""

from typing import Any

import pytest


@pytest.fixture
def results() -> dict[str, Any]:
    """Return two trials, one of them failed."""
    config = {
        "name": "chunk=512 reranker=on",
        "chunk_size": 512,
        "use_reranker": True,
        "chunk": 512,
        "reranker": "on",
        "retriever": "hybrid",
        "weight": 0.55,
        "level": None,
        "tokens": [1000, 4000],
    }
    summary = {
        "total_queries": 42,
        "avg_mrr": 0.71,
        "avg_recall_at_10": 0.9,
        "avg_ndcg_at_10": None,
        "avg_recall_at_1000_tokens": 0.5,
        "avg_recall_at_4000_tokens": 0.75,
        "micro_mrr": 0.7,
        "latency_p95_ms": float("nan"),
        "avg_latency_ms": 12.5,
    }
    complete = {
        "config": config,
        "trial": "f1",
        "status": "complete",
        "failures": [],
        "summary": summary,
        "category_metrics": {"function_search": {"count": 10, "avg_mrr": 0.8}},
        "repository_metrics": {"jinja2": {"count": 14, "avg_mrr": 0.6}},
    }
    failed = {
        "config": {"name": "chunk=1024", "chunk": 1024},
        "trial": "f2",
        "status": "failed",
        "failures": [{"stage": "Embed", "subject": "jinja2", "cause": "the model is gone"}],
    }
    return {
        "schema": 1,
        "study": "20261118-120102-ab12cd",
        "timestamp": "2026-11-18T12:01:02Z",
        "suite": "quick",
        "git_sha": "0" * 40,
        "command": "bench/run.py -m chunk=512,1024",
        "settings": {"execution": {"kind": "ray"}, "advice": {"objective": "mrr"}},
        "plan": {"distinct": 70, "executed": 60, "reused": 9, "failed": 1, "seconds": 170.0},
        "seconds": 91.5,
        "reports": [complete, failed],
        "recommendation": {"sentences": ["Ship chunk=512."]},
    }
