"""What can be said of a study: who is highest and fastest, and what the queries decide."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bench.analysis import Objective, Recommendation, ScoreMatrix, recommend
from bench.study import StudyResult, TrialResult

FEWEST_QUERIES = 12
"""With fewer, the error rates of the tests are not known."""
PRIMARY = "ndcg_at_10"
"""The measure that trials are compared by."""


@dataclass(frozen=True)
class Advice:
    """Sentences, the names they rest on, and the tests behind them if there was a choice."""

    sentences: tuple[str, ...]
    highest: str | None
    fastest: str | None
    tested: Recommendation | None = None


def advice(result: StudyResult, *, seed: int) -> Advice:
    """Return what the results say; several trials are tested against each other."""
    done = [trial for trial in result.trials if not trial.failed]
    highest, fastest = (
        _best(done, f"avg_{PRIMARY}", sign=1),
        _best(done, "latency_p50_ms", sign=-1),
    )
    sentences = [*_about_highest(highest, done, result), *_about_fastest(fastest, done)]
    tested = _tested(done, result.level, seed) if len(done) > 1 else None
    sentences += _about_equal_text(highest, done)
    if len(done) > 1 and tested is None:
        sentences.append(f"No test was made: it takes {FEWEST_QUERIES} judged queries or more.")
    if tested:
        sentences += [statement.text for statement in tested.statements]
        sentences += [f"Note: {warning}" for warning in tested.warnings]
    return Advice(
        tuple(sentences),
        highest.name if highest else None,
        fastest.name if fastest and len(done) > 1 else None,
        tested,
    )


def _tested(done: Sequence[TrialResult], level: str, seed: int) -> Recommendation | None:
    """Compare all trials on the queries that count, latency being the cost."""
    columns = [[query.numbers.get(PRIMARY) for query in trial.queries] for trial in done]
    values = np.array(columns, np.float64).T
    judged = ~np.isnan(values).any(axis=1)
    if judged.sum() < FEWEST_QUERIES:
        return None
    queries = [done[0].queries[row] for row in np.flatnonzero(judged)]
    matrix = ScoreMatrix.of(
        values[judged],
        [query.repository for query in queries],
        [trial.name for trial in done],
    )
    objective = Objective(measure="NDCG@10", level=level, cost="median latency in ms")
    costs = [trial.summary.get("latency_p50_ms") for trial in done]
    return recommend(matrix, objective, costs, seed=seed)


def plural(count: float | None, one: str, many: str) -> str:
    """Return a count with the word that goes with it."""
    return f"{count} {one if count == 1 else many}"


def _best(trials: Sequence[TrialResult], column: str, *, sign: int) -> TrialResult | None:
    known = [(trial, trial.summary.get(column)) for trial in trials]
    valued = [(trial, value) for trial, value in known if value is not None]
    return max(valued, key=lambda pair: sign * pair[1], default=(None, 0))[0]


def _about_highest(
    highest: TrialResult | None, done: Sequence[TrialResult], result: StudyResult
) -> list[str]:
    if highest is None:
        return ["No trial has a result."]
    score, queries = highest.summary[f"avg_{PRIMARY}"], highest.summary["judged_queries"]
    where = (
        f"over {plural(queries, 'query', 'queries')} "
        f"of {plural(len(highest.repositories), 'repository', 'repositories')}"
    )
    if len(done) == 1:
        return [f"NDCG@10 is {score:.4f} at {result.level} level, {where}."]
    level = [t.name for t in done if t.summary[f"avg_{PRIMARY}"] == score and t is not highest]
    also = f" (level with {', '.join(level)})" if level else ""
    return [
        f"Highest: {highest.name}{also} (NDCG@10 {score:.4f} at {result.level} level, {where})."
    ]


_BUDGET = "avg_recall_at_4000_tokens"


def _about_equal_text(highest: TrialResult | None, done: Sequence[TrialResult]) -> list[str]:
    """Say so where another trial leads once all show equally much text."""
    leader = _best(done, _BUDGET, sign=1)
    if highest is None or leader is None or leader is highest:
        return []
    most, own = leader.summary[_BUDGET], highest.summary[_BUDGET]
    if own is None or most is None or most <= own:
        return []
    recalls = f"{leader.name} recalls {most:.4f} and {highest.name} {own:.4f}"
    return [f"At equal text the order is another: in 4,000 tokens {recalls}."]


def _about_fastest(fastest: TrialResult | None, done: Sequence[TrialResult]) -> list[str]:
    if fastest is None or len(done) == 1:
        return []
    p50, p95 = fastest.summary["latency_p50_ms"], fastest.summary["latency_p95_ms"]
    return [f"Fastest: {fastest.name} ({p50:.1f} ms median, {p95:.1f} ms p95 a query)."]
