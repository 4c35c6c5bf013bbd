"""Collection of a study's finished stages into its result."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bench.engine import Fingerprint, Outcome, Plan
from bench.measures import Characters, Rule, chunk_numbers
from bench.queries import states_of, together
from bench.results.answers import Answers, answers_of, prompt_of
from bench.results.copied_questions import notes_on_copies
from bench.results.costs import costs_of, latency_intervals, latency_numbers
from bench.results.decoding import decode
from bench.results.engine_rankings import engine_numbers, engine_of, notes_on_engines
from bench.results.expansions import expansion_numbers, notes_on_expansions
from bench.results.following import notes_on_lost
from bench.results.groups import file_types_of, labels_of, languages_of, top_file_types
from bench.results.identity import (
    chunking_of,
    evidence_of,
    identity_of,
    question_of,
    versions_of,
)
from bench.results.imported_runs import notes_on_runs
from bench.results.missing_targets import missing_targets, notes_on_missing
from bench.results.negatives import curve, negative_numbers, no_negative_numbers
from bench.results.query_result import Numbers, Place, QueryResult
from bench.results.relevance import Credited, Relevance
from bench.results.scored_queries import ScoredQueries, scored_queries
from bench.results.stale_judgements import notes_on_stale
from bench.results.study_result import (
    AskedQuestion,
    GeneratedQuestions,
    LeftOut,
    PlanSummary,
    StudyResult,
)
from bench.results.trial_result import Failure, LatencyMethod, ThresholdPoint, TrialResult, Tuning
from bench.results.tuning import tuning_of
from bench.results.unjudged import notes_on_unjudged, unjudged_numbers
from bench.results.unmoved import notes_on_unmoved
from bench.results.withholding import withheld
from bench.settings import StudySettings
from bench.settings.configuration import configuration_of
from bench.stages import Latency, MeasureLatency
from bench.study import Study, Trial
from bench.study.choosing import family_of
from bench.study.copies import question_copies
from bench.study.corpus import Corpus
from bench.study.repository_trial import Judged
from retrievers.rerankers import CrossEncoder, RerankServer

Outcomes = Mapping[Fingerprint, Outcome]


def collect(
    study: Study,
    outcomes: Outcomes,
    notes: tuple[str, ...],
    *,
    settings: StudySettings | None = None,
    left_out: tuple[LeftOut, ...] = (),
) -> StudyResult:
    """Return the results of all trials; `completed` adds the advice, the command and the time."""
    settings = settings or StudySettings()
    sound = [trial for trial in study.trials if not _failures(trial, outcomes)]
    relevance = {
        end.repository.place: _relevance(study, end) for trial in sound[:1] for end in trial.judged
    }
    ends = [end for trial in sound[:1] for end in trial.judged]
    copies = question_copies(study, ends)
    asked = sum(len(end.repository.queries) for end in ends)
    questions = tuple(one for end in ends for one in _questions(study, end))
    missing = missing_targets(study, ends)
    trials = tuple(
        _trial_result(_Collecting(study, trial, outcomes, settings), relevance)
        for trial in study.trials
    )
    advice = settings.advice
    result = StudyResult(
        id=study.id,
        suite=study.corpus.suite,
        level=study.corpus.level,
        symbol_credit=study.trials[0].settings.symbol_credit,
        half=study.corpus.half,
        half_of=study.corpus.half_of,
        only=str(study.corpus.only),
        trials=trials,
        plan=plan_summary(study, outcomes),
        settings=settings,
        notes=(
            *notes,
            *study.corpus.notes,
            *notes_on_missing(missing, asked=asked),
            *(notes_on_lost(questions) if missing.setting == "refuse" else ()),
            *notes_on_copies(copies, asked=asked),
            *notes_on_runs(study, sound),
            *notes_on_expansions(study, sound),
            *notes_on_engines(study, sound),
            *notes_on_stale(study, ends),
            *notes_on_unjudged(trials, advice.measure, margin=advice.margin),
            *notes_on_unmoved(trials),
        ),
        corpus=tuple(identity_of(repository) for repository in study.corpus.repositories),
        questions=questions,
        generated=_generated(study.corpus),
        stage_versions=versions_of(study.whole.stages),
        left_out=left_out,
        copies=copies,
        missing=missing,
    )
    return result if settings.share.text else withheld(result)


def _generated(corpus: Corpus) -> GeneratedQuestions | None:
    count = sum(one.generated for one in corpus.repositories)
    asked = sum(len(one.queries) for one in corpus.repositories)
    uncalibrated = sum(one.uncalibrated for one in corpus.repositories)
    wider = sum(one.wider for one in corpus.repositories)
    return GeneratedQuestions(count, asked, uncalibrated, wider) if count else None


def plan_summary(study: Study, outcomes: Outcomes) -> PlanSummary:
    """Return counts and costs of the stages, compared with trials that share nothing."""
    apart = [Plan.reaching(trial.goals) for trial in study.trials]
    own = {stage.fingerprint for stage in study.whole.stages}
    done = [one for name, one in outcomes.items() if name in own]
    failures = [one.failure for one in done if one.failure]
    skipped = sum(failure.skipped for failure in failures)
    return PlanSummary(
        distinct=len(study.whole.stages),
        executed=len(done) - len(failures),
        reused=len(study.whole.stages) - len(study.remaining.stages),
        failed=len(failures) - skipped,
        skipped=skipped,
        separate=sum(len(plan.stages) for plan in apart),
        seconds=sum(study.cost_of(stage).seconds for stage in study.whole.stages),
        separate_seconds=sum(
            study.cost_of(stage).seconds for plan in apart for stage in plan.stages
        ),
    )


def _relevance(study: Study, end: Judged) -> Relevance:
    """Return the targets in a repository, which are the same for every trial."""
    judgements = study.result_of(end.scores.judgements)
    documents = study.result_of(end.scores.documents)
    count = len(end.repository.queries)
    rule = Rule(Characters(documents), end.scores.overlap, end.scores.symbol_credit)
    return Relevance.of(judgements, rule, study.corpus.level, query_count=count)


def _questions(study: Study, end: Judged) -> Iterator[AskedQuestion]:
    """Yield the queries of a repository with the states of their targets."""
    repository, judgements = end.repository, study.result_of(end.scores.judgements)
    states = states_of(judgements, query_count=len(repository.queries))
    for query, found in zip(repository.queries, states, strict=True):
        yield AskedQuestion(repository.place, query.id, question_of(query), found)


@dataclass(frozen=True)
class _Collecting:
    study: Study
    trial: Trial
    outcomes: Outcomes
    settings: StudySettings


def _trial_result(of: _Collecting, relevance: Mapping[str, Relevance]) -> TrialResult:
    """Return the configuration and costs of a trial, with scores unless it failed."""
    study, trial = of.study, of.trial
    failures = _failures(trial, of.outcomes)
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
    result: TrialResult, of: _Collecting, relevance: Mapping[str, Relevance]
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


def _tuning(of: _Collecting) -> Tuning | None:
    family = family_of(of.study, of.trial)
    return tuning_of(family, seed=of.settings.seed) if family else None


def _latency_method(latency: Latency | None, trial: Trial, outcomes: Outcomes) -> LatencyMethod:
    """Return the method of the latency measurement, or the reason for its failure."""
    if latency:
        return decode(LatencyMethod, {**latency.how, **latency_intervals(latency)})
    outcome = outcomes.get(trial.latency.fingerprint) if trial.latency else None
    cause = outcome.failure.cause if outcome and outcome.failure else None
    return LatencyMethod(failed=cause)


def _failures(trial: Trial, outcomes: Outcomes) -> tuple[Failure, ...]:
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
