"""What the targets that a study dropped mean for its numbers."""

from collections.abc import Sequence

from bench.errors import FixtureError
from bench.queries import LEVELS, states_of
from bench.results.model import MissingTargets
from bench.study import Study
from bench.study.repository_trial import Judged

_NAMED = 5


def missing_targets(study: Study, ends: Sequence[Judged]) -> MissingTargets:
    """Return the targets that were dropped, and the queries that are left out without them."""
    if study.corpus.missing == "refuse":
        return MissingTargets()
    dropped, left_out, answerable = 0, [], 0
    for end in ends:
        repository, judgements = end.repository, study.result_of(end.scores.judgements)
        at_level = judgements.level == LEVELS.index(study.corpus.level)
        judged = set(judgements.query[at_level].tolist())
        answerable += len(judged)
        states = states_of(judgements, query_count=len(repository.queries))
        for number, query in enumerate(repository.queries):
            lost = sum(bool(state.lost) for state in states[number])
            dropped += lost
            if lost and number not in judged:
                left_out.append((repository.place, query.id))
    if dropped and not answerable:
        message = (
            "missing=drop: none of the targets is in the source, so nothing could be measured. "
            "Check the repository and its version."
        )
        raise FixtureError(message)
    return MissingTargets("drop", dropped, tuple(left_out))


def notes_on_missing(missing: MissingTargets, *, asked: int) -> tuple[str, ...]:
    """Return a sentence on the dropped targets, if there are any."""
    if not missing.targets:
        return ()
    are = "target is" if missing.targets == 1 else "targets are"
    text = f"missing=drop: {missing.targets} {are} not in the source and not counted"
    left_out = [query for _, query in missing.queries_left_out]
    if left_out:
        more = ", …" if len(left_out) > _NAMED else ""
        text += (
            f"; {len(left_out)} of {asked} queries {'is' if len(left_out) == 1 else 'are'} left "
            f"out without them ({', '.join(left_out[:_NAMED])}{more})"
        )
    return (text,)
