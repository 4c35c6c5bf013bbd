"""Collection of one trial's finished stages into its result."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bench.engine import Fingerprint, Outcome, Plan
from bench.measures import chunk_numbers
from bench.queries import together
from bench.results.answers import Answers, answers_of, prompt_of
from bench.results.costs import costs_of, latency_intervals, latency_numbers
from bench.results.decoding import decode
from bench.results.engine_rankings import engine_numbers, engine_of
from bench.results.expansions import expansion_numbers
from bench.results.groups import file_types_of, labels_of, languages_of, top_file_types
from bench.results.identity import chunking_of, evidence_of
from bench.results.negatives import curve, negative_numbers, no_negative_numbers
from bench.results.query_result import Numbers, Place, QueryResult
from bench.results.relevance import Credited, Relevance
from bench.results.scored_queries import ScoredQueries, scored_queries
from bench.results.trial_result import Failure, LatencyMethod, ThresholdPoint, TrialResult, Tuning
from bench.results.tuning import tuning_of
from bench.results.unjudged import unjudged_numbers
from bench.settings import StudySettings
from bench.settings.configuration import configuration_of
from bench.stages import Latency, MeasureLatency
from bench.study import Study, Trial
from bench.study.choosing import family_of
from retrievers.rerankers import CrossEncoder, RerankServer

Outcomes = Mapping[Fingerprint, Outcome]


@dataclass(frozen=True)
class Collecting:
    """A trial of a study, with the outcomes of its stages."""

    study: Study
    trial: Trial
    outcomes: Outcomes
    settings: StudySettings


def trial_result(of: Collecting, relevance: Mapping[str, Relevance]) -> TrialResult:
    """Return the configuration and costs of a trial, with scores unless it failed."""
    study, trial = of.study, of.trial
    failures = failures_of(trial, of.outcomes)
    timed = None if trial.latency is None or study.has_failed(trial.latency) else trial.latency
    latency: Latency | None = study.result_of(timed) if timed else None
    embedder, reranker = trial.settings.embedder, trial.settings.reranker
    queries = [query for end in trial.judged for query in end.repository.queries]
    result = TrialResult(
        name=trial.name,
        embedding_model=embedder.model if embedder else None,
        dtype=embedder.dtype if embedder else None,
        windows=embedder.windows if embedder else None,
        long_text=embedder.long_text if embedder else None,
        use_reranker=reranker is not None,
        reranker_model=_reranker_name(reranker),
        axes=trial.settings.axes,
        fingerprint=trial.fingerprint,
        configuration=configuration_of(trial.settings),
        prompt=prompt_of(trial.settings.answerer),
        chunking=chunking_of(trial.judged[0].scores.chunks),
        scored={end.repository.place: end.scores.fingerprint for end in trial.judged},
        evidence={end.repository.place: evidence_of(end.scores) for end in trial.judged},
        is_bound=trial.settings.retrieval.is_bound,
        ranked_by=engine_of(trial),
        failures=failures,
        summary={
            "total_queries": len(queries),
            "negative_queries": sum(query.negative for query in queries),
            "drafts_left_out": sum(end.repository.drafts for end in trial.judged),
            "judged_queries": None,
            "failed_queries": len(queries),
            "empty_result_rate": None,
            **{f"avg_{column}": None for end in trial.judged for column in end.scores.columns},
            **no_negative_numbers(),
        },
        levels={},
        queries=(),
        latency=_latency_method(latency, trial, of.outcomes),
    )
    if not failures:
        result = _scored(result, of, relevance)
    costs = {**latency_numbers(latency), **costs_of(study, trial)}
    return replace(result, summary={**result.summary, **costs})


def _scored(
    result: TrialResult, of: Collecting, relevance: Mapping[str, Relevance]
) -> TrialResult:
    """Return the result of a trial without failures, including its scores."""
    study, trial, level = of.study, of.trial, of.study.corpus.level
    ranked = scored_queries(study, trial)
    targets = [
        places for end in trial.judged for places in relevance[end.repository.place].places()
    ]
    credited = _credited(trial, ranked, relevance)
    answers = answers_of(study, trial, ranked, [one.credits for one in credited])
    # Measures of answers exist at the study's level only. Other levels have ranking measures.
    scored = replace(ranked, more=answers.values) if answers else ranked
    table = scored.table(level)
    queries = _query_results(scored, level, targets, credited, answers)
    judged = [places for end in trial.judged for places in end.repository.judged]
    return replace(
        result,
        chunks=chunk_numbers([study.result_of(end.chunks) for end in trial.judged]),
        summary={
            **result.summary,
            **_counts(scored, level, answers),
            **scored.averages(level),
            **_negatives(ranked, of.settings.negative_threshold),
            **(answers.numbers if answers else {}),
            **expansion_numbers(study, trial),
            **engine_numbers(study, trial),
            **unjudged_numbers(queries, judged),
        },
        levels={name: ranked.averages(name) for name in ranked.levels},
        categories=table.grouped(labels_of(ranked.queries, "category")),
        difficulties=table.grouped(labels_of(ranked.queries, "difficulty")),
        repositories=table.by_repository(),
        tags=table.grouped(labels_of(ranked.queries, "tags")),
        languages=table.grouped(languages_of(targets)),
        file_types=table.grouped(file_types_of(targets)),
        top_file_types=top_file_types(ranked.shown, targets),
        negative_curve=_curve(ranked),
        refusal=answers.refusal if answers else None,
        queries=queries,
        tuning=_tuning(of),
    )


def _credited(
    trial: Trial, ranked: ScoredQueries, relevance: Mapping[str, Relevance]
) -> list[Credited]:
    """Return the credits of each query's hits and the ranks of its targets."""
    found: list[Credited] = []
    for end, listed in zip(trial.judged, ranked.hits, strict=True):
        found += relevance[end.repository.place].credited(listed)
    return found


def _negatives(ranked: ScoredQueries, threshold: float | None) -> Numbers:
    kept = ~ranked.failed
    negative = ranked.negative[kept]
    return negative_numbers(ranked.best_scores[kept], ranked.returned[kept], negative, threshold)


def _curve(ranked: ScoredQueries) -> tuple[ThresholdPoint, ...]:
    kept = ~ranked.failed
    return curve(ranked.best_scores[kept], ranked.negative[kept])


def _tuning(of: Collecting) -> Tuning | None:
    family = family_of(of.study, of.trial)
    return tuning_of(family, seed=of.settings.seed) if family else None


def _latency_method(latency: Latency | None, trial: Trial, outcomes: Outcomes) -> LatencyMethod:
    """Return the method of the latency measurement, or the reason for its failure."""
    if latency:
        return decode(LatencyMethod, {**latency.how, **latency_intervals(latency)})
    outcome = outcomes.get(trial.latency.fingerprint) if trial.latency else None
    cause = outcome.failure.cause if outcome and outcome.failure else None
    return LatencyMethod(failed=cause)


def failures_of(trial: Trial, outcomes: Outcomes) -> tuple[Failure, ...]:
    """Return the failures of a trial. A failed latency does not count, because scores do not need
    it."""
    goals = [goal for goal in trial.goals if not isinstance(goal, MeasureLatency)]
    found = []
    for stage in Plan.reaching(goals).stages:
        outcome = outcomes.get(stage.fingerprint)
        if outcome and outcome.failure and not outcome.failure.skipped:
            failure = outcome.failure
            found.append(Failure(stage.kind, stage.subject, failure.cause, failure.details))
    return tuple(found)


def _reranker_name(reranker: Any) -> str | None:
    if reranker is None:
        return None
    if isinstance(reranker, CrossEncoder | RerankServer):
        return reranker.model or reranker.revision or "server"
    return f"{reranker.embedder.model} (late interaction)"


def _counts(scored: ScoredQueries, level: str, answers: Answers | None) -> Numbers:
    answerable = scored.returned[~scored.negative & ~scored.failed]
    return {
        "judged_queries": int(scored.judged(level).sum()),
        "failed_queries": sum(map(bool, answers.errors if answers else scored.errors)),
        "empty_result_rate": float((answerable == 0).mean()) if len(answerable) else None,
    }


def _query_results(
    scored: ScoredQueries,
    level: str,
    targets: Sequence[tuple[Place, ...]],
    credited: Sequence[Credited],
    answers: Answers | None,
) -> tuple[QueryResult, ...]:
    errors = answers.errors if answers else scored.errors
    ranks, numbers = scored.first_ranks(level).tolist(), scored.numbers(level)
    return tuple(
        QueryResult(
            id=query.id,
            repository=scored.repositories[row],
            text=query.text,
            category=query.category,
            difficulty=query.difficulty,
            tags=query.tags,
            negative=query.negative,
            first_rank=ranks[row] or None,
            numbers=numbers[row],
            expected=tuple(
                " or ".join(one.as_written for one in alternatives)
                for alternatives in together(query.targets)
            ),
            targets=targets[row],
            target_grades=credited[row].grades,
            target_ranks=credited[row].ranks,
            hits=tuple(
                replace(hit, credit=credit)
                for hit, credit in zip(scored.shown[row], credited[row].credits, strict=True)
            ),
            answer=answers.of_queries[row] if answers else None,
            error=errors[row] or None,
        )
        for row, query in enumerate(scored.queries)
    )
