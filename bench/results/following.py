"""Targets of an earlier study for a corpus, to follow them in changed code."""

from collections.abc import Iterator
from dataclasses import replace

from bench.queries import TargetState
from bench.results.identity import identity_of
from bench.results.study_result import AskedQuestion, StudyResult
from bench.study import Corpus, PreparedRepository

_LISTED = 5


def following(corpus: Corpus, earlier: StudyResult) -> Corpus:
    """Return a corpus whose changed repositories follow the targets of an earlier study.

    Older studies do not record targets. The targets of the corpus must then be in its source.
    """
    if not earlier.questions:
        return corpus
    return replace(
        corpus,
        repositories=tuple(_following(one, earlier) for one in corpus.repositories),
        choosing=tuple(_following(one, earlier) for one in corpus.choosing),
    )


def _following(repository: PreparedRepository, earlier: StudyResult) -> PreparedRepository:
    before = earlier.corpus_by_name.get(repository.place)
    if before is None or before.documents == identity_of(repository).documents:
        return repository
    return replace(repository, earlier=dict(_states(repository, earlier)))


def _states(
    repository: PreparedRepository, earlier: StudyResult
) -> Iterator[tuple[str, tuple[TargetState, ...]]]:
    """Yield the recorded targets of queries whose written targets are unchanged."""
    for query in repository.queries:
        before = earlier.question_by_key.get((repository.place, query.id))
        written = [target.as_written for target in query.targets]
        if before is not None and [one.written for one in before.targets] == written:
            yield query.id, before.targets


def notes_on_lost(questions: tuple[AskedQuestion, ...]) -> tuple[str, ...]:
    """Return a note on queries whose targets are no longer in the code, if there are any."""
    lost = [one.query for one in questions if one.is_lost]
    if not lost:
        return ()
    more = ", …" if len(lost) > _LISTED else ""
    count = "1 query is" if len(lost) == 1 else f"{len(lost)} queries are"
    names = ", ".join(lost[:_LISTED])
    return (f"{count} not scored, because a target is no longer in the code ({names}{more})",)
