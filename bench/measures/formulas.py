"""The formula of each measure, over arrays with one row a target."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from bench.measures.measure import Measure, Results, Tokens
from bench.measures.ranges import Integers, numbered

Values = np.ndarray[Any, np.dtype[np.float64]]
Cutoff = Results | Tokens
Truths = np.ndarray[Any, np.dtype[np.bool_]]


@dataclass(frozen=True)
class Found:
    """Every target of one level, in the order of the queries, and how far down it was found."""

    query_count: int
    query: Integers
    grade: Integers
    rank: Integers
    """From 1; 0 for never."""
    tokens: Integers
    """Shown when it was found; more than any budget for never."""
    limit: int | None = None
    """How many hits count where results are counted."""

    @cached_property
    def totals(self) -> Integers:
        """The number of targets of each query."""
        return np.bincount(self.query, minlength=self.query_count)

    @cached_property
    def found_order(self) -> Integers:
        """The found targets by query, rank and then best grade first."""
        order = np.lexsort((-self.grade, self.rank, self.query))
        return np.asarray(order[self.rank[order] > 0])

    @cached_property
    def ideal_order(self) -> Integers:
        """All targets by query and then best grade first."""
        return np.asarray(np.lexsort((-self.grade, self.query)))

    def within(self, cutoff: Cutoff) -> Truths:
        """Tell which targets are found before the cut-off."""
        if isinstance(cutoff, Tokens):
            return np.asarray(self.tokens <= cutoff.limit)
        depth = cutoff.limit if self.limit is None else min(cutoff.limit, self.limit)
        return np.asarray((self.rank > 0) & (self.rank <= depth))

    def per_query(self, weights: np.ndarray[Any, Any], rows: Any = slice(None)) -> Values:
        """Return the sums of weights of (some) targets by query."""
        return np.bincount(self.query[rows], weights, self.query_count).astype(np.float64)


def values_of(measure: Measure, found: Found) -> Values:
    """Return the measure of each query, NaN where it has no target."""
    values = _FORMULAS[measure.name](found, found.within(measure.cutoff), measure.cutoff)
    return np.where(found.totals > 0, values, np.nan)


def first_ranks(found: Found, within: Truths) -> Integers:
    """Return the rank of the first relevant hit of each query, 0 for none."""
    nowhere = np.iinfo(np.int64).max
    first = np.full(found.query_count, nowhere)
    np.minimum.at(first, found.query[within], found.rank[within])
    return np.where(first < nowhere, first, 0)


def _reciprocal_rank(found: Found, within: Truths, _cutoff: Cutoff) -> Values:
    first = first_ranks(found, within)
    return np.divide(1, first, out=np.zeros(len(first)), where=first > 0)


def _hit(found: Found, within: Truths, _cutoff: Cutoff) -> Values:
    return (first_ranks(found, within) > 0).astype(np.float64)


def _recall(found: Found, within: Truths, _cutoff: Cutoff) -> Values:
    return np.asarray(found.per_query(within) / np.maximum(found.totals, 1))


def _precision(found: Found, within: Truths, cutoff: Cutoff) -> Values:
    """Count hits, not targets: a hit that finds three targets is one relevant hit."""
    order = found.found_order[within[found.found_order]]
    query, rank = found.query[order], found.rank[order]
    fresh = (np.diff(query, prepend=-1) != 0) | (np.diff(rank, prepend=-1) != 0)
    return np.asarray(found.per_query(fresh, order) / cutoff.limit)


def _ndcg(found: Found, within: Truths, cutoff: Cutoff) -> Values:
    order = found.found_order[within[found.found_order]]
    gained = _gain(found, order, _places(found.query[order], found.rank[order]), cutoff)
    numbers = numbered(found.query[found.ideal_order])
    ideal = _gain(found, found.ideal_order, numbers, cutoff)
    return np.divide(gained, ideal, out=np.zeros(len(ideal)), where=ideal > 0)


def _places(query: Integers, rank: Integers) -> Integers:
    """Give each target a place of its own: its rank, or the next place that is free.

    place = max(rank, place before + 1) is a running maximum of rank - number; adding a step per
    query that outweighs everything keeps the queries apart.
    """
    number = numbered(query)
    step = query * (rank.max(initial=0) + len(query) + 1)
    return np.asarray(np.maximum.accumulate(rank - number + step) - step + number)


def _gain(found: Found, order: Integers, places: Integers, cutoff: Cutoff) -> Values:
    gain = found.grade[order] / np.log2(1 + places)
    if isinstance(cutoff, Results):
        gain = np.where(places <= cutoff.limit, gain, 0)
    return found.per_query(gain, order)


_FORMULAS: dict[str, Callable[[Found, Truths, Cutoff], Values]] = {
    "mrr": _reciprocal_rank,
    "recall": _recall,
    "precision": _precision,
    "ndcg": _ndcg,
    "hit": _hit,
}
