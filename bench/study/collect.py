"""Turns the finished stages of a study into its result."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bench.judgements import Target, together
from bench.measures import chunk_numbers
from bench.pipeline import Fingerprint, Outcome, Plan
from bench.stages import MeasureLatency
from bench.study.answers import Answers, answers_of
from bench.study.branch import Judged
from bench.study.choosing import family_of
from bench.study.costs import costs_of, latency_intervals, latency_numbers
from bench.study.credits import Place, Right
from bench.study.groups import (
    file_types_of,
    labels_of,
    languages_of,
    top_file_types,
)
from bench.study.identity import chunking_of, evidence_of, identity_of, versions_of
from bench.study.negatives import curve, negative_numbers, no_negative_numbers
from bench.study.replied import Replied, replied_of
from bench.study.result import (
    LeftOut,
    Numbers,
    QueryResult,
    StudyResult,
    TrialFailure,
    TrialResult,
)
from bench.study.study import Study
from bench.study.trial import Trial
from retrievers.rerankers import CrossEncoder, RerankServer


def collect(
    study: Study,
    outcomes: Mapping[Fingerprint, Outcome],
    notes: tuple[str, ...],
    *,
    negative_threshold: float | None = None,
    left_out: tuple[LeftOut, ...] = (),
) -> StudyResult:
    """Return the result of every trial.

    From `negative_threshold` on a score counts as an answer to a query that has none.
    """
    sound = [trial for trial in study.trials if not _failures(trial, outcomes)]
    right = {
        end.repository.place: _right(study, end) for trial in sound[:1] for end in trial.judged
    }
    return StudyResult(
        id=study.id,
        suite=study.corpus.suite,
        level=study.corpus.level,
        half=study.corpus.half,
        trials=tuple(
            _trial_result(_Collecting(study, trial, outcomes, negative_threshold), right)
            for trial in study.trials
        ),
        account=study.account(outcomes),
        notes=(*notes, *study.corpus.notes),
        corpus=tuple(identity_of(repository) for repository in study.corpus.repositories),
        stage_versions=versions_of(study.whole.stages),
        left_out=left_out,
    )


def _right(study: Study, end: Judged) -> Right:
    """Return what is right in a repository: the same for every trial."""
    judgements = study.result_of(end.scores.judgements)
    documents = study.result_of(end.scores.documents)
    count = len(end.repository.queries)
    return Right.of(judgements, documents.paths, study.corpus.level, query_count=count)


@dataclass(frozen=True)
class _Collecting:
    study: Study
    trial: Trial
    outcomes: Mapping[Fingerprint, Outcome]
    negative_threshold: float | None


def _trial_result(of: _Collecting, right: Mapping[str, Right]) -> TrialResult:
    study, trial, outcomes = of.study, of.trial, of.outcomes
    failures = _failures(trial, outcomes)
    answers = None if failures else answers_of(study, trial)
    timed = None if trial.latency is None or study.has_failed(trial.latency) else trial.latency
    latency = study.result_of(timed) if timed else None
    level = study.corpus.level
    noted = _noted(trial, answers, right) if answers else []
    replied = replied_of(study, trial, answers, [own for _, own in noted]) if answers else None
    ranked = answers  # at each level; what is made of rankings is judged at one
    if answers and replied:
        answers = replace(answers, more=replied.values)
    return TrialResult(
        name=trial.name,
        fingerprint=trial.fingerprint,
        axes=trial.settings.axes,
        is_bound=trial.settings.retrieval.is_bound,
        models=_models(trial),
        failures=failures,
        summary={
            **_counts(trial, answers, level, replied),
            **(answers.averages(level) if answers else _no_averages(trial)),
            **(_negatives(answers, of.negative_threshold) if answers else no_negative_numbers()),
            **(replied.numbers if replied else {}),
            **latency_numbers(latency),
            **costs_of(study, trial),
        },
        levels={name: ranked.averages(name) for name in ranked.levels} if ranked else {},
        queries=_query_results(answers, level, noted, replied) if answers else (),
        latency_how={**latency.how, **latency_intervals(latency)}
        if latency
        else _why_not(trial, outcomes),
        chunking=chunking_of(trial.judged[0].scores.chunks),
        evidence={end.repository.place: evidence_of(end.scores) for end in trial.judged},
        scored={end.repository.place: end.scores.fingerprint for end in trial.judged},
        chunks={} if failures else _chunks(study, trial),
        family=None if failures else family_of(study, trial),
        refusal=replied.refusal if replied else {},
        negative_curve=_curve(answers) if answers else (),
        **(_breakdowns(answers, level, [places for places, _ in noted]) if answers else {}),
    )


def _breakdowns(
    answers: Answers, level: str, places: Sequence[tuple[Place, ...]]
) -> dict[str, dict[str, Numbers]]:
    """Return the numbers of groups of queries, and what files were shown."""
    table = answers.table(level)
    return {
        "categories": table.grouped(labels_of(answers.queries, "category")),
        "difficulties": table.grouped(labels_of(answers.queries, "difficulty")),
        "tags": table.grouped(labels_of(answers.queries, "tags")),
        "languages": table.grouped(languages_of(places)),
        "file_types": table.grouped(file_types_of(places)),
        "repositories": table.by_repository(),
        "top_file_types": top_file_types(answers.shown, places),
    }


def _negatives(answers: Answers, threshold: float | None) -> Numbers:
    said = ~answers.failed
    negative = answers.negative[said]
    return negative_numbers(answers.best_scores[said], answers.returned[said], negative, threshold)


def _curve(answers: Answers) -> Sequence[Numbers]:
    said = ~answers.failed
    return curve(answers.best_scores[said], answers.negative[said])


def _chunks(study: Study, trial: Trial) -> Numbers:
    return chunk_numbers([study.result_of(end.chunks) for end in trial.judged])


def _why_not(trial: Trial, outcomes: Mapping[Fingerprint, Outcome]) -> dict[str, object]:
    """Return why there is no latency, if it was asked for."""
    outcome = outcomes.get(trial.latency.fingerprint) if trial.latency else None
    return {"failed": outcome.failure.cause} if outcome and outcome.failure else {}


def _failures(trial: Trial, outcomes: Mapping[Fingerprint, Outcome]) -> tuple[TrialFailure, ...]:
    """Return what failed of the trial itself; a missing latency takes no quality number away."""
    goals = [goal for goal in trial.goals if not isinstance(goal, MeasureLatency)]
    found = []
    for stage in Plan.reaching(goals).stages:
        outcome = outcomes.get(stage.fingerprint)
        if outcome and outcome.failure and not outcome.failure.skipped:
            failure = outcome.failure
            found.append(TrialFailure(stage.kind, stage.subject, failure.cause, failure.details))
    return tuple(found)


def _models(trial: Trial) -> dict[str, object]:
    settings = trial.settings
    reranker = settings.reranker
    return {
        "embedding_model": settings.embedder.model if settings.embedder else None,
        "dtype": settings.embedder.dtype if settings.embedder else None,
        "use_reranker": reranker is not None,
        "reranker_model": _reranker_name(reranker),
    }


def _reranker_name(reranker: Any) -> str | None:
    if reranker is None:
        return None
    if isinstance(reranker, CrossEncoder | RerankServer):
        return reranker.model or reranker.revision or "server"
    return f"{reranker.embedder.model} (late interaction)"


def _counts(trial: Trial, answers: Answers | None, level: str, replied: Replied | None) -> Numbers:
    queries = [query for end in trial.judged for query in end.repository.queries]
    counts: dict[str, float | int | None] = {
        "total_queries": len(queries),
        "negative_queries": sum(query.negative for query in queries),
        "drafts_left_out": sum(end.repository.drafts for end in trial.judged),
        "judged_queries": None,
        "failed_queries": 0 if answers else len(queries),
        "empty_result_rate": None,
    }
    if answers:
        counts["failed_queries"] = sum(map(bool, _errors(answers, replied)))
        counts["judged_queries"] = int(answers.judged(level).sum())
        answerable = answers.returned[~answers.negative & ~answers.failed]
        empty = float((answerable == 0).mean()) if len(answerable) else None
        counts["empty_result_rate"] = empty
    return counts


def _no_averages(trial: Trial) -> Numbers:
    return {f"avg_{column}": None for end in trial.judged for column in end.scores.columns}


_Noted = tuple[tuple[Place, ...], tuple[str, ...]]


def _noted(trial: Trial, answers: Answers, right: Mapping[str, Right]) -> list[_Noted]:
    """Return the right places of each query, and what its shown hits are credited with."""
    found: list[_Noted] = []
    for end, listed in zip(trial.judged, answers.hits, strict=True):
        known = right[end.repository.place]
        credited = known.credits(listed, end.scores.overlap)
        found += zip(known.places(), credited, strict=True)
    return found


def _errors(answers: Answers, replied: Replied | None) -> tuple[str, ...]:
    """Return why each query failed: it was not found for, or not answered."""
    if replied is None:
        return answers.errors
    causes = (one.cause for one in replied.answers)
    return tuple(error or cause for error, cause in zip(answers.errors, causes, strict=True))


def _query_results(
    answers: Answers, level: str, noted: Sequence[_Noted], replied: Replied | None
) -> tuple[QueryResult, ...]:
    errors = _errors(answers, replied)
    columns = {column: answers.column(level, column) for column in answers.columns}
    ranks = np.concatenate(
        [
            one.first_rank[one.levels.index(level)]
            if level in one.levels
            else np.zeros(len(one.returned), np.int32)
            for one in answers.scores
        ]
    )
    return tuple(
        QueryResult(
            id=query.id,
            repository=answers.repositories[row],
            text=query.text,
            category=query.category,
            difficulty=query.difficulty,
            negative=query.negative,
            first_rank=int(ranks[row]) or None,
            numbers={name: _number(values[row]) for name, values in columns.items()},
            hits=answers.shown[row],
            expected=tuple(
                " or ".join(map(_said, alternatives)) for alternatives in together(query.targets)
            ),
            places=noted[row][0],
            credits=noted[row][1],
            tags=query.tags,
            error=errors[row] or None,
            answer=replied.answers[row].as_json() if replied else None,
        )
        for row, query in enumerate(answers.queries)
    )


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _said(target: Target) -> str:
    """Return a target as its file of queries says it."""
    if target.level == "symbol":
        return target.symbol
    if target.level == "span":
        return f"{target.path}:{target.start}-{target.end}"
    return target.path
