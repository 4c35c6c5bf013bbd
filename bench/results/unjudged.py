"""The share of the first hits that nobody judged, and whether a comparison depends on them.

A hit is judged if it finds a target, half of it lies in one, or it lies in a place that somebody
judged. In a set without judged places everything but the targets is unjudged, which says nothing:
then there is no number.
"""

from collections.abc import Sequence

import numpy as np

from bench.measures import macro
from bench.queries import JudgedPlace, JudgedPlaces, Target
from bench.results.query_result import Numbers, QueryResult
from bench.results.trial_result import TrialResult

UNJUDGED = "unjudged_at_10"
ON_UNJUDGED = "the comparison depends on unjudged hits"
"""How the note begins."""
_FIRST = 10
_PRECISION = "avg_precision_at_10"


def unjudged_numbers(
    queries: Sequence[QueryResult], judged: Sequence[Sequence[JudgedPlace]]
) -> Numbers:
    """Return the macro mean of the share; nothing if no place of any query was judged."""
    if not any(judged):
        return {}
    shares = [_share(query, places) for query, places in zip(queries, judged, strict=True)]
    return {UNJUDGED: macro(np.array(shares), [query.repository for query in queries])}


def _share(query: QueryResult, judged: Sequence[JudgedPlace]) -> float:
    """Return the share of a query's first hits; NaN where nothing is right, or there are none."""
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
    """Return a sentence if the best trial is so only as long as unjudged hits are wrong.

    Another trial has more of them, by `margin` at least, and if what it has more were all right,
    it would have as many right hits among the first ten.
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
