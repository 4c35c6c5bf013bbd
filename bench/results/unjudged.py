"""Share of unjudged hits, and its effect on a comparison.

A hit is judged if it finds a target, if half of it lies in a target, or if it lies in a judged
place. Without judged places, all other hits would be unjudged. There is no number in this case.
"""

from collections.abc import Sequence

import numpy as np

from bench.measures import macro
from bench.queries import JudgedPlace, JudgedPlaces, Target
from bench.results.query_result import Numbers, QueryResult
from bench.results.trial_result import TrialResult

UNJUDGED = "unjudged_at_10"
ON_UNJUDGED = "the comparison depends on unjudged hits"
"""Prefix of the note."""
_FIRST = 10
_PRECISION = "avg_precision_at_10"


def unjudged_numbers(
    queries: Sequence[QueryResult], judged: Sequence[Sequence[JudgedPlace]]
) -> Numbers:
    """Return the macro mean of the share, or nothing without any judged place."""
    if not any(judged):
        return {}
    shares = [_share(query, places) for query, places in zip(queries, judged, strict=True)]
    return {UNJUDGED: macro(np.array(shares), [query.repository for query in queries])}


def _share(query: QueryResult, judged: Sequence[JudgedPlace]) -> float:
    """Return the share among a query's first hits; NaN for a negative query or without hits."""
    hits = query.hits[:_FIRST]
    if query.negative or not hits:
        return float("nan")
    targets = [
        Target("span", place.path, start=place.start, end=place.end)
        if place.start
        else Target("file", place.path)
        for place in query.targets
    ]
    known = JudgedPlaces((*judged, *(JudgedPlace(one, relevant=True) for one in targets)))
    unknown = [
        hit.credit in (None, "nothing")
        and not known.hold(hit.path, hit.start, hit.end, hit.symbol)
        for hit in hits
    ]
    return sum(unknown) / len(hits)


def notes_on_unjudged(
    trials: Sequence[TrialResult], measure: str, *, margin: float
) -> tuple[str, ...]:
    """Return a note if the best trial may only lead because unjudged hits count as wrong.

    A rival has at least `margin` more unjudged hits. If these were right, its precision at 10
    would be at least that of the best trial.
    """
    done = [one for one in trials if not one.is_bound and one.summary.get(UNJUDGED) is not None]
    best = max(done, key=lambda one: one.mean(measure) or 0.0, default=None)
    rivals = [] if best is None else [one for one in done if _may_turn(one, best, margin)]
    if best is None or not rivals:
        return ()
    most = max(rivals, key=_unjudged)
    shares = f"{_unjudged(most):.0%} of the first 10 of {most.name} and {_unjudged(best):.0%}"
    remedy = "`rankgrid judge` asks about them"
    return (f"{ON_UNJUDGED}: {shares} of {best.name}; {remedy}",)


def _may_turn(rival: TrialResult, best: TrialResult, margin: float) -> bool:
    more = _unjudged(rival) - _unjudged(best)
    right, of_best = (one.summary.get(_PRECISION) or 0.0 for one in (rival, best))
    return rival is not best and more >= margin and right + more >= of_best


def _unjudged(trial: TrialResult) -> float:
    return trial.summary.get(UNJUDGED) or 0.0
