"""Collection of a study's finished stages into its result."""

from collections.abc import Iterator

from bench.engine import Plan
from bench.measures import Characters, Rule
from bench.queries import states_of
from bench.results.collected_trial import Collecting, Outcomes, failures_of, trial_result
from bench.results.copied_questions import notes_on_copies
from bench.results.engine_rankings import notes_on_engines
from bench.results.expansions import notes_on_expansions
from bench.results.following import notes_on_lost
from bench.results.identity import identity_of, question_of, versions_of
from bench.results.imported_runs import notes_on_runs
from bench.results.missing_targets import missing_targets, notes_on_missing
from bench.results.relevance import Relevance
from bench.results.stale_judgements import notes_on_stale
from bench.results.study_result import (
    AskedQuestion,
    GeneratedQuestions,
    LeftOut,
    PlanSummary,
    StudyResult,
)
from bench.results.unjudged import notes_on_unjudged
from bench.results.unmoved import notes_on_unmoved
from bench.results.withholding import withheld
from bench.settings import StudySettings
from bench.study import Study
from bench.study.copies import question_copies
from bench.study.corpus import Corpus
from bench.study.repository_trial import Judged


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
    sound = [trial for trial in study.trials if not failures_of(trial, outcomes)]
    relevance = {
        end.repository.place: _relevance(study, end) for trial in sound[:1] for end in trial.judged
    }
    ends = [end for trial in sound[:1] for end in trial.judged]
    copies = question_copies(study, ends)
    asked = sum(len(end.repository.queries) for end in ends)
    questions = tuple(one for end in ends for one in _questions(study, end))
    missing = missing_targets(study, ends)
    trials = tuple(
        trial_result(Collecting(study, trial, outcomes, settings), relevance)
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
