"""Results of small studies, made from the ranks of their first right hits."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from bench.advice import advice_record, advise
from bench.measures import macro
from bench.results import (
    Hit,
    Place,
    QueryResult,
    RepositoryIdentity,
    StudyResult,
    TrialResult,
    completed,
    rounded,
)
from tests.unit.report.sample_study import QUERY, STUDY, TRIAL

Ranks = Mapping[str, int | None]
"""By "repository/query", the rank of the first right hit."""
HITS = tuple(Hit(f"file{number}.py", 1, 40, 10.0 - number) for number in range(10))


def numbers(rank: int | None) -> dict[str, float]:
    """Return the measures of a query with one right answer at this rank."""
    found = rank is not None
    return {
        "mrr": 1 / rank if rank else 0.0,
        "ndcg_at_10": 1 / math.log2(1 + rank) if rank else 0.0,
        "recall_at_10": float(found),
    }


def query(key: str, rank: int | None, **changes: Any) -> QueryResult:
    """Return a query whose right answer has this rank, and ten hits."""
    repository, _, name = key.partition("/")
    hits = tuple(
        replace(hit, credit="relevant" if place == rank else "nothing")
        for place, hit in enumerate(HITS, 1)
    )
    target = HITS[rank - 1].path if rank and rank <= len(HITS) else "elsewhere.py"
    made = replace(
        QUERY,
        id=name,
        repository=repository,
        text=f"question {name}",
        first_rank=rank,
        numbers=numbers(rank),
        hits=hits,
        expected=(f"{key}.Target",),
        targets=(Place(target, 1, 40),),
    )
    return replace(made, **changes)


def negative(
    key: str, *, hits: tuple[Hit, ...] = (), numbers: Mapping[str, float] | None = None
) -> QueryResult:
    """Return a query that nothing answers."""
    nothing = {"expected": (), "targets": (), "numbers": numbers or {}}
    return query(key, None, negative=True, hits=hits, **nothing)


def trial(queries: list[QueryResult], **changes: Any) -> TrialResult:
    """Return a trial with these queries and their macro means."""
    judged = [one for one in queries if not one.negative and not one.error]
    labels = [one.repository for one in judged]
    means = {
        name: macro(np.array([one.numbers[name] for one in judged]), labels)
        for name in ("mrr", "ndcg_at_10", "recall_at_10")
    }
    summary = {
        **TRIAL.summary,
        **{f"avg_{name}": mean for name, mean in means.items()},
        "total_queries": len(queries),
        "judged_queries": len(judged),
    }
    repositories = {label: {"count": labels.count(label)} for label in dict.fromkeys(labels)}
    made = replace(TRIAL, queries=tuple(queries), summary=summary, repositories=repositories)
    return replace(made, **changes)


def study(trials: list[TrialResult], **changes: Any) -> StudyResult:
    """Return a study of these trials on one corpus."""
    names = dict.fromkeys(one.repository for one in trials[0].queries)
    corpus = tuple(RepositoryIdentity(name, "d" * 16, "q" * 16, 1) for name in names)
    return replace(STUDY, trials=tuple(trials), corpus=corpus, **changes)


def results(made: StudyResult) -> StudyResult:
    """Return a study as its results file has it."""
    said = advice_record(advise(replace(made, trials=made.trials[:1]), seed=0))
    return rounded(completed(made, said, command="bench/run.py", seconds=0.0))


def stored(ranks: Ranks, **changes: Any) -> StudyResult:
    """Return a stored study of one trial with these ranks."""
    return results(study([trial([query(key, rank) for key, rank in ranks.items()], **changes)]))
