"""Notes and counts of targets that are not in the source."""

from collections.abc import Sequence

from bench.errors import FixtureError
from bench.queries import LEVELS, states_of
from bench.results.study_result import MissingTargets
from bench.study import Study
from bench.study.repository_trial import Judged

_NAMED = 5


def missing_targets(study: Study, ends: Sequence[Judged]) -> MissingTargets:
    """Return the missing targets that a study ignores, and the queries that are left out.

    With `missing=refuse`, queries with lines beyond the end of their file are left out. Queries
    that a changed tree has lost are not included.
    """
    setting = study.corpus.missing
    lost_by: tuple[str, ...] = ("outside",) if setting == "refuse" else ("gone", "ambiguous")
    dropped, left_out, answerable = 0, [], 0
    for end in ends:
        repository, judgements = end.repository, study.result_of(end.scores.judgements)
        at_level = judgements.level == LEVELS.index(study.corpus.level)
        judged = set(judgements.query[at_level].tolist())
        answerable += len(judged)
        states = states_of(judgements, query_count=len(repository.queries))
        for number, query in enumerate(repository.queries):
            lost = sum(state.lost in lost_by for state in states[number])
            dropped += lost
            if lost and number not in judged:
                left_out.append((repository.place, query.id))
    if dropped and not answerable:
        message = (
            f"missing={setting}: none of the targets is in the source, so nothing could be "
            "measured. Check the repository and its version."
        )
        raise FixtureError(message)
    return MissingTargets(setting, dropped, tuple(left_out))


def notes_on_missing(missing: MissingTargets, *, asked: int) -> tuple[str, ...]:
    """Return a note on dropped targets and queries that are left out, if there are any."""
    if not missing.targets:
        return ()
    left_out = [query for _, query in missing.queries_left_out]
    are = "is" if len(left_out) == 1 else "are"
    named = ", ".join(left_out[:_NAMED]) + (", …" if len(left_out) > _NAMED else "")
    out = f"{len(left_out)} of {asked} queries {are} left out"
    if missing.setting == "refuse":
        whose = "its" if len(left_out) == 1 else "their"
        return (f"{out}, because {whose} lines are beyond the end of the file ({named})",)
    are = "target is" if missing.targets == 1 else "targets are"
    text = f"missing=drop: {missing.targets} {are} not in the source and not counted"
    return (f"{text}; {out} without them ({named})" if left_out else text,)
