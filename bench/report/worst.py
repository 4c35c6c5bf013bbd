"""The worst questions of the advised trial, for review before it ships."""

from bench.report.study_view import StudyView
from bench.results import Hit, QueryResult

MOST = 5
_HITS, _NAMES = 3, 4


def worst_queries(view: StudyView) -> tuple[QueryResult, ...]:
    """Return the judged queries with the lowest scores.

    Among equal scores, queries that another trial answers better come first, because they can be
    answered. Failed queries have no score and are excluded.
    """
    trial = view.chosen
    if trial is None:
        return ()
    judged = [
        (score, -_best(view, query), query.key, query)
        for query in trial.queries
        if not query.error and (score := query.numbers.get(view.objective)) is not None
    ]
    return tuple(query for *_, query in sorted(judged, key=lambda one: one[:3])[:MOST])


def _best(view: StudyView, query: QueryResult) -> float:
    """Return the highest score of any trial on a query."""
    others = (trial.by_key.get(query.key) for trial in view.done)
    return max(one.numbers.get(view.objective) or 0.0 for one in others if one)


def expected_of(query: QueryResult) -> str:
    """Return the expected symbols, or else the expected lines."""
    places = (
        f"{one.path}:{one.start}-{one.end}" if one.start else one.path for one in query.targets
    )
    names = query.expected or tuple(places)
    more = f" and {len(names) - _NAMES} more" if len(names) > _NAMES else ""
    return f"{', '.join(names[:_NAMES])}{more}" or "nothing"


def found_of(query: QueryResult) -> str:
    """Return the first hits and the rank of the first right one."""
    shown = ", ".join(map(_place, query.hits[:_HITS])) or "nothing"
    rank = query.first_rank
    return f"{shown} (the first right hit is number {rank})" if rank else shown


def _place(hit: Hit) -> str:
    return str(hit) if hit.start else hit.path
