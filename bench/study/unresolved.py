"""Early refusal of targets that are not in the source."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from bench.commands import command, shown_path
from bench.corpora import EVERY_FILE, LocalSource
from bench.engine import Fingerprint, Outcome, Plan
from bench.errors import UsageError
from bench.queries import Problem
from bench.settings import RepositorySettings, SuiteSettings
from bench.study.repository_trial import Judged
from bench.study.study import Study

_SHOWN = 2
CarryOut = Callable[[Plan], Mapping[Fingerprint, Outcome]]


def refuse_unresolved(
    study: Study, suite: SuiteSettings, carry_out: CarryOut
) -> dict[Fingerprint, Outcome]:
    """Refuse targets that are not in the source before the long stages; return the outcomes.

    All trials share the same targets, so a single wrong target would leave every trial without a
    result. An unreadable source is a different error, which its trials report.
    """
    ends = study.trials[0].judged
    outcomes = study.carry_out(carry_out, early=[end.scores.judgements for end in ends])
    for end in ends:
        problems = _problems(study, end) if _is_unusable(study, end, ends) else ()
        if problems:
            raise UsageError(_refusal(end, problems, suite))
    return outcomes


def _is_unusable(study: Study, end: Judged, ends: Sequence[Judged]) -> bool:
    """Return True if a repository's targets are wrong, or if no query has targets left."""
    documents, symbols = end.scores.judgements.documents, end.scores.judgements.symbols
    if study.has_failed(end.scores.judgements):
        return not study.has_failed(documents) and not study.has_failed(symbols)
    return _is_outside(study, end) and not any(_has_answers(study, one) for one in ends)


def _is_outside(study: Study, end: Judged) -> bool:
    return "outside" in study.result_of(end.scores.judgements).state_lost


def _has_answers(study: Study, end: Judged) -> bool:
    judgements = end.scores.judgements
    return study.has_failed(judgements) or len(study.result_of(judgements).query) > 0


def _problems(study: Study, end: Judged) -> tuple[Problem, ...]:
    stage = end.scores.judgements
    return stage.problems(study.result_of(stage.documents), study.result_of(stage.symbols))


def _refusal(end: Judged, problems: Sequence[Problem], suite: SuiteSettings) -> str:
    """Return an error with the number of wrong queries, the first problems and the remedy."""
    asked = [query for query in end.repository.queries if not query.negative]
    wrong = {problem.query for problem in problems}
    place = end.repository.place
    (settings,) = (one for one in suite.repositories if one.name == end.repository.name)
    more = len(problems) - _SHOWN
    shown = "; ".join(map(str, problems[:_SHOWN])) + (f"; and {more} more" if more > 0 else "")
    drop = "; or pass missing=drop to score the others" if len(wrong) < len(asked) else ""
    return (
        f"queries={shown_path(settings.queries)}: the targets of {len(wrong)} of {len(asked)} "
        f"queries are not in the source of {place}{_left_out(end)} ({shown}). "
        f"Correct them: `{_verify(settings, suite)}` lists all{drop}."
    )


def _left_out(end: Judged) -> str:
    """Return a hint at the selection of files, which may exclude the targets."""
    files = end.repository.files
    return "" if files == EVERY_FILE else f" without the files that {files} leaves out"


def _verify(settings: RepositorySettings, suite: SuiteSettings) -> str:
    """Return the command that lists every problem."""
    if suite.name == "own" and isinstance(settings.source, LocalSource):
        folder = shown_path(Path(settings.source.path))
        return command(f"fixtures verify {shown_path(settings.queries)} --repository {folder}")
    if suite.name == "own":
        return command(f"fixtures verify {shown_path(settings.queries)}")
    return command(f"fixtures verify {shown_path(suite.file) if suite.file else suite.name}")
