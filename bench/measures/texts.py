"""How much of the text that is shown is right, and how much of the right text is shown.

Text is measured on a axis, in tokens or in characters, and each stretch counts once. A target
with alternatives stands for one of them: the one that was found, else the shortest.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from bench.measures.axes import Axis, whole
from bench.measures.formulas import Found, Values, share
from bench.measures.matching import Matches, Places, Targets, in_one_document
from bench.measures.measure import Measure, Results, Tokens
from bench.measures.ranges import Integers, merged
from bench.measures.shown_tokens import Shown


def right_text(targets: Targets, axis: Axis, matches: Matches | None = None) -> Places:
    """Return the stretches of text that are right, merged, one group a query and document."""
    places = targets.places
    chosen = _chosen(targets, matches)
    query, document = places.query[chosen], places.document[chosen]
    if targets.whole_files:
        start, stop = np.zeros(len(chosen), np.int64), whole(axis, document)
    else:
        start = axis.through(document, places.start[chosen] - 1)
        stop = axis.through(document, places.end[chosen])
    width = document.max(initial=0) + 1
    group, start, stop = merged(query * width + document, start, stop)
    return Places(np.arange(len(group)), group // width, group % width, start, stop)


def _chosen(targets: Targets, matches: Matches | None) -> Integers:
    """Return one place for each target."""
    places = targets.places
    found = np.zeros(len(places), np.bool_)
    if matches is not None:
        found[matches.won_place] = True
    order = np.lexsort((places.end - places.start, ~found, places.target))
    return np.asarray(order[np.diff(places.target[order], prepend=-1) != 0])


@dataclass(frozen=True)
class Texts:
    """The text that rankings show, against the text that is right."""

    reader: Shown
    right: Places
    axis: Axis

    @cached_property
    def sizes(self) -> Values:
        """How much text is right for each query."""
        length = self.right.end - self.right.start
        return self._added(self.right.query, length)

    def within(self, budgets: Integers) -> tuple[Values, Values]:
        """Return how much is shown, and how much of it is right, in each query's tokens."""
        hit, query = self.reader.hit, self.reader.hits.query[self.reader.hit]
        left = budgets[query] - self.reader.before
        rows = np.flatnonzero(left > 0)
        document = self.reader.hits.document[hit[rows]].astype(np.int64)
        end = np.minimum(self.reader.end[rows], self.reader.start[rows] + left[rows])
        start = self.axis.before(document, self.reader.start[rows])
        stop = self.axis.before(document, end)
        pieces, places = in_one_document(query[rows], document, self.right)
        common = np.minimum(stop[pieces], self.right.end[places])
        common = common - np.maximum(start[pieces], self.right.start[places])
        right = self._added(self.right.query[places], np.maximum(common, 0))
        return self._added(query[rows], stop - start), right

    def _added(self, query: np.ndarray[Any, Any], length: Integers) -> Values:
        count = len(self.reader.hits.rankings)
        return np.bincount(query, length, count).astype(np.float64)


def budgets_of(cutoff: Results | Tokens, reader: Shown, limit: int | None) -> Integers:
    """Return the tokens that each query's ranking shows before the cut-off."""
    if isinstance(cutoff, Tokens):
        return np.minimum(reader.totals(), cutoff.limit)
    depth = cutoff.limit if limit is None else min(cutoff.limit, limit)
    return reader.totals(depth)


def text_value(measure: Measure, texts: Texts, budgets: Integers) -> Values:
    """Return a measure of text of each query, NaN where no text is right."""
    shown, right = texts.within(budgets)
    formula = _FORMULAS[measure.name.partition("_")[2]]
    return np.where(texts.sizes > 0, formula(shown, right, texts.sizes), np.nan)


def efficiency(measure: Measure, texts: Texts, found: Found) -> Values:
    """Return the share of right text in what is shown until the last target is found."""
    last = np.zeros(found.query_count, np.int64)
    within = found.within(measure.cutoff or Results(1))
    np.maximum.at(last, found.query[within], found.tokens[within])
    shown, right = texts.within(last)
    return np.where(found.totals > 0, share(right, shown), np.nan)


_FORMULAS: dict[str, Callable[[Values, Values, Values], Values]] = {
    "precision": lambda shown, right, _: share(right, shown),
    "recall": lambda _, right, size: share(right, size),
    "iou": lambda shown, right, size: share(right, shown + size - right),
}
