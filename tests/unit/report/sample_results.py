"""Results files made by hand for reports: a grid of two axes with hostile text in it."""

from collections.abc import Mapping
from itertools import product
from random import Random
from typing import Any

HOSTILE = "</script><script>document.title='owned'</script><img src=x onerror=alert(1)>"
REPOSITORIES = ("shop", "bank", "post")
BUDGETS = (1000, 2000, 4000, 8000)
Results = dict[str, Any]


def a_query(number: int, rank: int | None, *, good: float) -> Results:
    """Return a query whose first right hit is at a rank."""
    hits = [
        {
            "path": f"src/{HOSTILE}{place}.py" if number == 0 else f"src/file{place}.py",
            "start": 10 * place,
            "end": 10 * place + 9,
            "score": 1.0 / place,
            "credit": "relevant" if place == rank else "nothing",
        }
        for place in range(1, 6)
    ]
    scores = {"ndcg_at_10": good, "recall_at_10": float(rank is not None)}
    return {
        "id": f"q{number}",
        "repository": REPOSITORIES[number % 3],
        "query": HOSTILE if number == 0 else f"how does part {number} work",
        "category": ("function_search", "error_search")[number // 3 % 2],
        "difficulty": ("easy", "medium", "hard")[number // 3 % 3],
        "negative": False,
        "first_rank": rank,
        "mrr": 1 / rank if rank else 0.0,
        "precision_at_10": 0.1 if rank else 0.0,
        **scores,
        **{f"recall_at_{b}_tokens": good * (1 + n) / 5 for n, b in enumerate(BUDGETS)},
        "expected": [HOSTILE if number == 0 else f"part{number}.work"],
        "targets": [{"path": "src/file1.py", "start": 10, "end": 19}],
        "retrieved": hits,
        "error": None,
    }


def _means(queries: list[Results]) -> Results:
    columns = [name for name, value in queries[0].items() if isinstance(value, float)]
    means = {f"avg_{c}": sum(query[c] for query in queries) / len(queries) for c in columns}
    return {"count": len(queries), **means}


def _grouped(queries: list[Results], key: str) -> Results:
    names = dict.fromkeys(query[key] for query in queries)
    return {name: _means([q for q in queries if q[key] == name]) for name in names}


def a_report(name: str, config: Mapping[str, Any], queries: list[Results]) -> Results:
    """Return the report of one trial."""
    latency = {"latency_p50_ms": 4.0 * len(name), "latency_p95_ms": 9.0 * len(name)}
    return {
        "config": {"name": name, "chunk_size": config.get("chunk"), **config},
        "trial": "f" * 64,
        "status": "complete",
        "failures": [],
        "summary": {
            "total_queries": len(queries),
            "judged_queries": len(queries),
            "negative_queries": 0,
            "failed_queries": 0,
            **_means(queries),
            **latency,
            "index_seconds": 2.5 * len(name),
            "peak_memory_bytes": 4_000_000,
            **{f"ended_early_at_{budget}_tokens": 0.25 for budget in BUDGETS},
        },
        "levels": {},
        "category_metrics": _grouped(queries, "category"),
        "difficulty_metrics": _grouped(queries, "difficulty"),
        "repository_metrics": _grouped(queries, "repository"),
        "latency": {"samples": 20, "threads": 1, "engine": "edge", "machine": "two cores"},
        "query_results": queries,
    }


def failed(report: Results) -> Results:
    """Return the report of a trial that has no result."""
    cause = {"stage": "embed", "subject": "shop", "cause": f"out of memory {HOSTILE}"}
    none: Results = {"category_metrics": {}, "difficulty_metrics": {}, "repository_metrics": {}}
    return {
        **report,
        **none,
        "status": "failed",
        "failures": [cause],
        "summary": {"total_queries": 30, "failed_queries": 30, "avg_ndcg_at_10": None},
        "latency": {},
        "query_results": [],
    }


def the_results(reports: list[Results], **changes: Any) -> Results:
    """Return a results file of some trials."""
    return {
        "schema": 1,
        "study": "20260102-030405-abcdef",
        "timestamp": "2026-01-02T03:04:05Z",
        "seconds": 12.5,
        "num_configs": len(reports),
        "suite": "own",
        "level": "symbol",
        "git_sha": "0" * 40,
        "command": f"bench/run.py -m suite=own {HOSTILE}",
        "settings": {"seed": 0, "advice": {"objective": "ndcg_at_10"}},
        "notes": [f"a note {HOSTILE}"],
        "plan": {
            "distinct": 40,
            "executed": 38,
            "reused": 2,
            "failed": 0,
            "separate": 96,
            "seconds": 8.5,
            "separate_seconds": 20.0,
        },
        "reports": reports,
        "recommendation": {
            "sentences": ["Highest: chunk=64 rerank=on.", "Note: few queries."],
            "highest": "chunk=64 rerank=on",
            "ship": "chunk=64 rerank=on",
            "fastest": None,
            "tested": None,
        },
        **changes,
    }


def a_grid(queries: int = 30) -> Results:
    """Return a grid of two axes: bigger chunks lose .1, the reranker gains .05 or more."""
    reports = []
    for chunk, rerank in product((64, 512), ("off", "on")):
        gain = 0.5 - (0.1 if chunk == 512 else 0.0) + (0.05 if rerank == "on" else 0.0)
        asked = [
            a_query(
                number,
                None if number % 5 == 4 else 1 + (number + chunk + len(rerank)) % 4,
                good=round(gain + 0.02 * (number % 7), 4),
            )
            for number in range(queries)
        ]
        name = f"chunk={chunk} rerank={rerank}"
        reports.append(a_report(name, {"chunk": chunk, "rerank": rerank}, asked))
    return the_results(reports)


def a_big_grid(*, trials: int, queries: int, repositories: int = 3) -> Results:
    """Return many trials whose hits and scores are drawn by chance."""
    random = Random(1)  # noqa: S311 - nobody is to be kept from guessing it
    paths = [f"src/package{n % 37}/part_{n}/file_{n * 7919 % 1000}.py" for n in range(3000)]
    reports = []
    for trial in range(trials):
        asked = []
        for number in range(1, queries + 1):
            rank = random.choice((None, 1, 1, 2, 2, 3, 5, 8))
            query = a_query(number, rank, good=round(random.random(), 4))
            query["retrieved"] = [_a_hit(random, paths, relevant=n == rank) for n in range(1, 11)]
            if repositories > len(REPOSITORIES):
                query["repository"] = f"repository-{number % repositories}"
            asked.append(query)
        config = {"chunk": 2 ** (5 + trial % 10), "weight": trial // 10}
        name = f"chunk={config['chunk']} weight={config['weight']}"
        reports.append(a_report(name, config, asked))
    return the_results(reports)


def _a_hit(random: Random, paths: list[str], *, relevant: bool) -> Results:
    start = random.randrange(1, 3000)
    return {
        "path": random.choice(paths),
        "start": start,
        "end": start + random.randrange(20, 90),
        "score": round(random.random() * 10, 4),
        "credit": "relevant" if relevant else "nothing",
    }
