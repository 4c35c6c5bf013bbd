"""A study's result made by hand, for reports and gates."""

from dataclasses import replace

from bench.results import (
    Failure,
    Hit,
    LatencyMethod,
    Place,
    PlanSummary,
    QueryResult,
    RepositoryIdentity,
    StudyResult,
    TrialResult,
)
from bench.results.trial_result import Evidence
from bench.settings import StudySettings
from bench.settings.study import AdviceSettings

QUERY = QueryResult(
    id="q1",
    repository="shop",
    text="how are prices added up",
    category="function_search",
    difficulty="easy",
    negative=False,
    first_rank=2,
    numbers={"mrr": 0.5, "recall_at_10": 1.0, "ndcg_at_10": 0.63092975},
    expected=("cart.Cart.total",),
    targets=(Place("cart.py", 11, 13),),
    hits=(Hit("cart.py", 1, 40, 1.23456789, "relevant"),),
)
NUMBERS = {"avg_mrr": 0.5, "avg_recall_at_5": 1.0, "avg_recall_at_10": 1.0}
TRIAL = TrialResult(
    name="chunk=512 reranker=on",
    embedding_model="all-MiniLM-L6-v2",
    dtype="float32",
    use_reranker=True,
    reranker_model="all-MiniLM-L6-v2 (late interaction)",
    axes={"suite": "own", "chunk": 512, "retriever": "hybrid", "reranker": "on", "weight": 0.55},
    fingerprint="f" * 64,
    summary={
        "total_queries": 2,
        "negative_queries": 1,
        "judged_queries": 1,
        "failed_queries": 0,
        **NUMBERS,
        "avg_ndcg_at_10": 0.63092975,
        "avg_latency_ms": 12.34567,
        "latency_p50_ms": 12.0,
        "latency_p95_ms": 14.0,
        "latency_p99_ms": None,
    },
    levels={"symbol": {**NUMBERS, "avg_ndcg_at_10": 0.63092975}},
    categories={"function_search": {"count": 1, **NUMBERS}},
    difficulties={"easy": {"count": 1, **NUMBERS}},
    repositories={"shop": {"count": 1, **NUMBERS}},
    queries=(QUERY,),
    latency=LatencyMethod(samples=2, threads=1, engine="edge"),
    chunking="c" * 16,
    scored={"shop": "e" * 64},
    evidence={
        "shop": Evidence(
            ranking=f"fuse/{'a' * 64}",
            chunks=f"cut/{'b' * 64}",
            documents=f"check-out/{'c' * 64}",
            tokens=f"count-tokens/{'d' * 64}",
            judgements=f"resolve-targets/{'e' * 64}",
            limit=10,
            overlap=0.5,
        )
    },
    chunks={"chunks": 9, "tokens_mean": 100.5, "cut_definition_share": None},
)
FAILED = replace(
    TRIAL,
    name="chunk=512 reranker=off",
    failures=(Failure("embed", "shop", "out of memory", "Traceback…"),),
    summary={"total_queries": 2, "failed_queries": 2, "avg_mrr": None},
    levels={},
    categories={},
    difficulties={},
    repositories={},
    queries=(),
    chunks={},
)
PLAN = PlanSummary(
    distinct=30,
    executed=28,
    reused=1,
    failed=1,
    skipped=0,
    separate=50,
    seconds=10.0,
    separate_seconds=16.00004,
)
SETTINGS = StudySettings(advice=AdviceSettings(objective="ndcg_at_10"))


STUDY = StudyResult(
    id="20260102-030405-abcdef",
    suite="own",
    level="symbol",
    trials=(TRIAL, FAILED),
    plan=PLAN,
    notes=("a note",),
    corpus=(RepositoryIdentity("shop", "d" * 16, "q" * 16, 2),),
    stage_versions={"cut": 1, "evaluate": 1},
    settings=SETTINGS,
)


def several(name: str, *, better: float, queries: int) -> TrialResult:
    """Return a trial of many queries, every other one of them better by something."""
    asked = tuple(
        replace(
            QUERY,
            id=f"q{n}",
            repository=f"r{n % 3}",
            numbers={"ndcg_at_10": 0.3 + 0.1 * (n % 5) + better * (n % 2)},
        )
        for n in range(queries)
    )
    mean = sum(query.numbers["ndcg_at_10"] or 0.0 for query in asked) / queries
    summary = {**TRIAL.summary, "avg_ndcg_at_10": mean, "judged_queries": queries}
    return replace(TRIAL, name=name, queries=asked, summary=summary)


def study_of(*trials: TrialResult) -> StudyResult:
    """Return a study of these trials."""
    return StudyResult(
        id="i", suite="own", level="symbol", trials=trials, plan=PLAN, settings=SETTINGS
    )


def with_failures() -> tuple[TrialResult, TrialResult]:
    """Return a trial, and a worse one whose mean is higher: it failed on the hard queries."""
    whole = several("whole", better=0.1, queries=60)
    part = several("part", better=0.0, queries=60)
    left = tuple(
        replace(query, numbers={}, error="timed out")
        if (query.numbers["ndcg_at_10"] or 0) < 0.45
        else query
        for query in part.queries
    )
    means = [query.numbers["ndcg_at_10"] for query in left if not query.error]
    easier = {"avg_ndcg_at_10": sum(mean or 0 for mean in means) / len(means)}
    part = replace(part, queries=left, summary={**part.summary, **easier, "judged_queries": 36})
    return whole, part
