"""Removal of sources' and questions' text from results, for `share.text=false`.

Numbers, IDs of queries, paths, lines and names of definitions stay, because comparisons need them.
Identities of questions are digests, so studies with and without text can be compared.
"""

from dataclasses import replace

from bench.results.query_result import Answer, QueryResult
from bench.results.study_result import StudyResult
from bench.results.trial_result import Failure, LatencyMethod, TrialResult

NOT_SHARED = "(not shared: share.text=false)"


def withheld(result: StudyResult) -> StudyResult:
    """Return a study without texts. Error messages are removed because they may quote texts."""
    return replace(result, trials=tuple(map(_trial, result.trials)))


def _trial(trial: TrialResult) -> TrialResult:
    return replace(
        trial,
        queries=tuple(map(_query, trial.queries)),
        failures=tuple(map(_failure, trial.failures)),
        latency=_latency(trial.latency),
    )


def _query(query: QueryResult) -> QueryResult:
    error = NOT_SHARED if query.error else query.error
    answer = query.answer and _answer(query.answer)
    return replace(query, text=NOT_SHARED, answer=answer, error=error)


def _answer(answer: Answer) -> Answer:
    error = NOT_SHARED if answer.error else answer.error
    return replace(answer, text=NOT_SHARED if answer.text else "", error=error)


def _failure(failure: Failure) -> Failure:
    return replace(failure, cause=NOT_SHARED, details="")


def _latency(latency: LatencyMethod) -> LatencyMethod:
    return replace(latency, failed=NOT_SHARED) if latency.failed else latency
