"""Turns the finished stages of a study into its result."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from bench.judgements import Query, Target, together
from bench.measures import Scores, by_group, by_repository, chunk_numbers, macro, micro
from bench.pipeline import Fingerprint, Outcome, Plan
from bench.stages import HitList, MeasureLatency
from bench.study.branch import Judged
from bench.study.costs import costs_of, latency_numbers
from bench.study.credits import Place, Right
from bench.study.identity import chunking_of, identity_of, versions_of
from bench.study.result import Numbers, QueryResult, StudyResult, TrialFailure, TrialResult
from bench.study.study import Study
from bench.study.trial import Trial
from retrievers.rerankers import CrossEncoder

Values = np.ndarray[Any, np.dtype[np.float64]]


def collect(
    study: Study, outcomes: Mapping[Fingerprint, Outcome], notes: tuple[str, ...]
) -> StudyResult:
    """Return the result of every trial."""
    right = {
        end.repository.place: _right(study, end)
        for trial in study.trials[:1]
        for end in trial.judged
    }
    return StudyResult(
        id=study.id,
        suite=study.corpus.suite,
        level=study.corpus.level,
        trials=tuple(_trial_result(study, trial, outcomes, right) for trial in study.trials),
        account=study.account(outcomes),
        notes=(*notes, *study.corpus.notes),
        corpus=tuple(identity_of(repository) for repository in study.corpus.repositories),
        stage_versions=versions_of(study.whole.stages),
    )


@dataclass(frozen=True)
class _Answers:
    """All queries of a trial in one table: a row a query, over all repositories."""

    queries: tuple[Query, ...]
    repositories: tuple[str, ...]
    scores: tuple[Scores, ...]
    hits: tuple[HitList, ...]

    def column(self, level: str, column: str) -> Values:
        parts = [
            one.of(level, column) if level in one.levels else np.full(len(one.returned), np.nan)
            for one in self.scores
        ]
        return np.concatenate(parts)

    def judged(self, level: str) -> Values:
        return ~np.isnan(self.column(level, self.columns[0]))

    @property
    def columns(self) -> tuple[str, ...]:
        return self.scores[0].columns

    @property
    def levels(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(level for one in self.scores for level in one.levels))


def _right(study: Study, end: Judged) -> Right | None:
    """Return what is right in a repository: the same for every trial."""
    judgements = study.result_of(end.scores.judgements)
    documents = study.result_of(end.scores.documents)
    if judgements is None or documents is None:
        return None
    count = len(end.repository.queries)
    return Right.of(judgements, documents.paths, study.corpus.level, query_count=count)


def _trial_result(
    study: Study,
    trial: Trial,
    outcomes: Mapping[Fingerprint, Outcome],
    right: Mapping[str, Right | None],
) -> TrialResult:
    failures = _failures(trial, outcomes)
    answers = None if failures else _answers(study, trial)
    latency = study.result_of(trial.latency) if trial.latency else None
    level = study.corpus.level
    return TrialResult(
        name=trial.name,
        fingerprint=trial.fingerprint,
        axes=trial.settings.axes,
        is_bound=trial.settings.retrieval.is_bound,
        models=_models(trial),
        failures=failures,
        summary={
            **_counts(trial, answers, level),
            **(_averages(answers, level) if answers else _no_averages(trial)),
            **latency_numbers(latency),
            **costs_of(study, trial),
        },
        levels={name: _averages(answers, name) for name in answers.levels} if answers else {},
        categories=_grouped(answers, level, "category"),
        difficulties=_grouped(answers, level, "difficulty"),
        repositories=_per_repository(answers, level),
        queries=_query_results(answers, level, _noted(trial, answers, right)) if answers else (),
        latency_how=latency.how if latency else _why_not(trial, outcomes),
        chunking=chunking_of(trial.judged[0].scores.chunks),
        scored={end.repository.place: end.scores.quality for end in trial.judged},
        chunks={} if failures else _chunks(study, trial),
    )


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


def _answers(study: Study, trial: Trial) -> _Answers:
    ends = trial.judged
    return _Answers(
        queries=tuple(query for end in ends for query in end.repository.queries),
        repositories=tuple(end.repository.name for end in ends for _ in end.repository.queries),
        scores=tuple(study.result_of(end.scores) for end in ends),
        hits=tuple(study.result_of(end.hits) for end in ends),
    )


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
    if isinstance(reranker, CrossEncoder):
        return reranker.model
    return f"{reranker.embedder.model} (late interaction)"


def _counts(trial: Trial, answers: _Answers | None, level: str) -> Numbers:
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
        returned = np.concatenate([one.returned for one in answers.scores])
        counts["judged_queries"] = int(answers.judged(level).sum())
        counts["empty_result_rate"] = float((returned == 0).mean())
    return counts


def _no_averages(trial: Trial) -> Numbers:
    return {f"avg_{column}": None for end in trial.judged for column in end.scores.columns}


def _averages(answers: _Answers, level: str) -> Numbers:
    """Return macro means over repositories, and micro means over queries beside them."""
    numbers: dict[str, float | int | None] = {}
    for column in answers.columns:
        values = answers.column(level, column)
        numbers[f"avg_{column}"] = macro(values, answers.repositories)
        numbers[f"micro_{column}"] = micro(values)
    for place, budget in enumerate(answers.scores[0].budgets):
        ended = np.concatenate([one.ended_early[:, place] for one in answers.scores])
        numbers[f"ended_early_at_{budget}_tokens"] = float(ended.mean())
    return numbers


def _grouped(answers: _Answers | None, level: str, field: str) -> dict[str, Numbers]:
    if answers is None:
        return {}
    groups = [str(getattr(query, field)) for query in answers.queries]
    judged = answers.judged(level)
    found: dict[str, dict[str, float | int | None]] = {}
    for column in answers.columns:
        values = answers.column(level, column)
        for name, mean in by_group(values, answers.repositories, groups).items():
            count = sum(
                1 for group, counts in zip(groups, judged, strict=True) if group == name and counts
            )
            found.setdefault(name, {"count": count})[f"avg_{column}"] = mean
    return dict(found)


def _per_repository(answers: _Answers | None, level: str) -> dict[str, Numbers]:
    if answers is None:
        return {}
    judged = answers.judged(level)
    found: dict[str, dict[str, float | int | None]] = {
        name: {
            "count": sum(
                1
                for own, counts in zip(answers.repositories, judged, strict=True)
                if own == name and counts
            )
        }
        for name in dict.fromkeys(answers.repositories)
    }
    for column in answers.columns:
        means = by_repository(answers.column(level, column), answers.repositories)
        for name, mean in means.items():
            found[name][f"avg_{column}"] = mean
    return dict(found)


_Noted = tuple[tuple[Place, ...], tuple[str, ...]]


def _noted(trial: Trial, answers: _Answers, right: Mapping[str, Right | None]) -> list[_Noted]:
    """Return the right places of each query, and what its shown hits are credited with."""
    found: list[_Noted] = []
    for end, listed in zip(trial.judged, answers.hits, strict=True):
        known = right[end.repository.place]
        if known is None:
            found += [((), ())] * len(end.repository.queries)
        else:
            credited = known.credits(listed, end.scores.overlap)
            found += zip(known.places(), credited, strict=True)
    return found


def _query_results(
    answers: _Answers, level: str, noted: Sequence[_Noted]
) -> tuple[QueryResult, ...]:
    columns = {column: answers.column(level, column) for column in answers.columns}
    ranks = np.concatenate(
        [
            one.first_rank[one.levels.index(level)]
            if level in one.levels
            else np.zeros(len(one.returned), np.int32)
            for one in answers.scores
        ]
    )
    shown = [
        hits
        for scores, listed in zip(answers.scores, answers.hits, strict=True)
        for hits in _hits_by_query(listed, len(scores.returned))
    ]
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
            hits=shown[row],
            expected=tuple(
                " or ".join(map(_said, alternatives)) for alternatives in together(query.targets)
            ),
            places=noted[row][0],
            credits=noted[row][1],
        )
        for row, query in enumerate(answers.queries)
    )


def _hits_by_query(listed: HitList, queries: int) -> list[tuple[tuple[str, int, int, float], ...]]:
    columns = (listed.start.tolist(), listed.end.tolist(), listed.score.tolist())
    rows = list(zip(listed.path, *columns, strict=True))
    bounds = np.searchsorted(listed.query, np.arange(queries + 1)).tolist()
    return [tuple(rows[start:end]) for start, end in pairwise(bounds)]


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _said(target: Target) -> str:
    """Return a target as its file of queries says it."""
    if target.level == "symbol":
        return target.symbol
    if target.level == "span":
        return f"{target.path}:{target.start}-{target.end}"
    return target.path
