"""Notes on judgements that no longer match the searched code."""

from collections.abc import Sequence

from bench.commands import command
from bench.queries import Tree, stale_places
from bench.study import Study
from bench.study.repository_trial import Judged

_NAMED = 3


def notes_on_stale(study: Study, ends: Sequence[Judged]) -> tuple[str, ...]:
    """Return a note on judged spans that are gone or have changed, if there are any."""
    stale = [name for end in ends if any(end.repository.judged) for name in _stale(study, end)]
    if not stale:
        return ()
    queries = list(dict.fromkeys(stale))
    named = ", ".join(queries[:_NAMED]) + (", …" if len(queries) > _NAMED else "")
    count = "1 judgement does" if len(stale) == 1 else f"{len(stale)} judgements do"
    remedy = f"{command('fixtures update')} brings them to this code"
    return (f"{count} not describe the code any more ({named}); {remedy}",)


def _stale(study: Study, end: Judged) -> list[str]:
    """Return the query ID of each stale judgement."""
    resolved = end.scores.judgements
    documents, symbols = study.result_of(resolved.documents), study.result_of(resolved.symbols)
    tree = Tree.of(documents, symbols, resolved.most_matches)
    pairs = zip(end.repository.queries, end.repository.judged, strict=True)
    return [query.id for query, judged in pairs for _ in stale_places(query, judged, tree)]
