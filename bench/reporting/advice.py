"""What can be said of a study before anything is tested: who is highest, who is fastest."""

from collections.abc import Sequence
from dataclasses import dataclass

from bench.study import StudyResult, TrialResult


@dataclass(frozen=True)
class Advice:
    """Sentences, and the names they rest on."""

    sentences: tuple[str, ...]
    highest: str | None
    fastest: str | None


PRIMARY = "avg_ndcg_at_10"
"""The measure that names the highest."""


def advice(result: StudyResult) -> Advice:
    """Return who is highest and who is fastest; no test was made, and it says so."""
    done = [trial for trial in result.trials if not trial.failed]
    highest, fastest = _best(done, PRIMARY, sign=1), _best(done, "latency_p50_ms", sign=-1)
    sentences = [*_about_highest(highest, done, result), *_about_fastest(fastest, done)]
    if len(done) > 1:
        sentences.append("No test was made: a difference may be chance.")
    return Advice(
        tuple(sentences),
        highest.name if highest else None,
        fastest.name if fastest and len(done) > 1 else None,
    )


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
    score, queries = highest.summary[PRIMARY], highest.summary["judged_queries"]
    where = (
        f"over {plural(queries, 'query', 'queries')} "
        f"of {plural(len(highest.repositories), 'repository', 'repositories')}"
    )
    if len(done) == 1:
        return [f"NDCG@10 is {score:.4f} at {result.level} level, {where}."]
    level = [t.name for t in done if t.summary[PRIMARY] == score and t is not highest]
    also = f" (level with {', '.join(level)})" if level else ""
    return [
        f"Highest: {highest.name}{also} (NDCG@10 {score:.4f} at {result.level} level, {where})."
    ]


def _about_fastest(fastest: TrialResult | None, done: Sequence[TrialResult]) -> list[str]:
    if fastest is None or len(done) == 1:
        return []
    p50, p95 = fastest.summary["latency_p50_ms"], fastest.summary["latency_p95_ms"]
    return [f"Fastest: {fastest.name} ({p50:.1f} ms median, {p95:.1f} ms p95 a query)."]
