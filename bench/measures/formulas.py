"""The formulas of rank measures, over arrays with one row a target."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from bench.errors import ArtifactError
from bench.measures.measure import Measure, Results, Tokens
from bench.measures.ranges import Integers, numbered
from bench.measures.shown_tokens import Shown

Values = np.ndarray[Any, np.dtype[np.float64]]
Cutoff = Results | Tokens
Truths = np.ndarray[Any, np.dtype[np.bool_]]


@dataclass(frozen=True)
class Returned:
    """All hits, whatever they found, and the rows of those that found nothing new again."""

    reader: Shown
    duplicate: Integers

    def counts(self, cutoff: Cutoff) -> Values:
        """Return the number of hits of each query that are shown, in part at least."""
        hits = self.reader.hits
        if isinstance(cutoff, Results):
            return np.minimum(hits.counts, cutoff.limit).astype(np.float64)
        shown = hits.query[self.reader.begins <= cutoff.limit]
        return np.bincount(shown, minlength=len(hits.rankings)).astype(np.float64)

    def duplicates(self, cutoff: Cutoff) -> Values:
        """Return the number of duplicates of each query that are shown."""
        hits, rows = self.reader.hits, self.duplicate
        depth = self.reader.begins[rows] if isinstance(cutoff, Tokens) else hits.ranks(rows)
        shown = hits.query[rows[depth <= cutoff.limit]]
        return np.bincount(shown, minlength=len(hits.rankings)).astype(np.float64)


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
    returned: Returned | None = None
    """None where only targets are looked at."""

    @cached_property
    def totals(self) -> Integers:
        """The number of targets of each query."""
        return np.bincount(self.query, minlength=self.query_count)

    @cached_property
    def found_order(self) -> Integers:
        """The found targets by query, rank and then best grade first."""
        rows = np.flatnonzero(self.rank > 0)
        order = np.lexsort((-self.grade[rows], self.rank[rows], self.query[rows]))
        return np.asarray(rows[order])

    @cached_property
    def ideal_order(self) -> Integers:
        """All targets by query and then best grade first."""
        return np.asarray(np.lexsort((-self.grade, self.query)))

    def limited(self, cutoff: Cutoff) -> Cutoff:
        """Return the cut-off, not beyond the limit of results."""
        if isinstance(cutoff, Tokens) or self.limit is None:
            return cutoff
        return Results(min(cutoff.limit, self.limit))

    def within(self, cutoff: Cutoff) -> Truths:
        """Tell which targets are found before the cut-off."""
        if isinstance(cutoff, Tokens):
            return np.asarray(self.tokens <= cutoff.limit)
        return np.asarray((self.rank > 0) & (self.rank <= self.limited(cutoff).limit))

    def per_query(self, weights: np.ndarray[Any, Any], rows: Any = slice(None)) -> Values:
        """Return the sums of weights of (some) targets by query."""
        return np.bincount(self.query[rows], weights, self.query_count).astype(np.float64)

    def hits(self, count: Callable[[Returned, Cutoff], Values], cutoff: Cutoff) -> Values:
        """Return a count of the hits of each query before the cut-off."""
        if self.returned is None:
            message = "hits are counted where they are known: give Found what was returned"
            raise ArtifactError(message)
        return count(self.returned, self.limited(cutoff))


def values_of(measure: Measure, found: Found) -> Values:
    """Return the rank measure of each query, NaN where it has no target."""
    cutoff = measure.cutoff or Results(1)
    values = FORMULAS[measure.name](found, found.within(cutoff), cutoff)
    return np.where(found.totals > 0, values, np.nan)


def first_ranks(found: Found, within: Truths) -> Integers:
    """Return the rank of the first relevant hit of each query, 0 for none."""
    nowhere = np.iinfo(np.int64).max
    first = np.full(found.query_count, nowhere)
    np.minimum.at(first, found.query[within], found.rank[within])
    return np.where(first < nowhere, first, 0)


def share(part: np.ndarray[Any, Any], whole: np.ndarray[Any, Any]) -> Values:
    """Return part over whole, 0 where there is no whole."""
    return np.asarray(np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0))


def _reciprocal_rank(found: Found, within: Truths, _cutoff: Cutoff) -> Values:
    first = first_ranks(found, within)
    return share(np.ones(len(first)), first)


def _hit(found: Found, within: Truths, _cutoff: Cutoff) -> Values:
    return (first_ranks(found, within) > 0).astype(np.float64)


def _all_found(found: Found, within: Truths, _cutoff: Cutoff) -> Values:
    return np.asarray(found.per_query(within) == found.totals, np.float64)


def _recall(found: Found, within: Truths, _cutoff: Cutoff) -> Values:
    return np.asarray(found.per_query(within) / np.maximum(found.totals, 1))


def _relevant(found: Found, within: Truths) -> tuple[Integers, Truths]:
    """Return the targets found, by rank, and which of them is the first of its hit."""
    order = found.found_order[within[found.found_order]]
    query, rank = found.query[order], found.rank[order]
    return order, (np.diff(query, prepend=-1) != 0) | (np.diff(rank, prepend=-1) != 0)


def _precision(found: Found, within: Truths, cutoff: Cutoff) -> Values:
    """Count hits, not targets: a hit that finds three targets is one relevant hit."""
    if isinstance(cutoff, Tokens):
        return _returned_precision(found, within, cutoff)
    order, fresh = _relevant(found, within)
    return np.asarray(found.per_query(fresh, order) / cutoff.limit)


def _returned_precision(found: Found, within: Truths, cutoff: Cutoff) -> Values:
    order, fresh = _relevant(found, within)
    return share(found.per_query(fresh, order), found.hits(Returned.counts, cutoff))


def _f1(found: Found, within: Truths, cutoff: Cutoff) -> Values:
    precision, recall = _precision(found, within, cutoff), _recall(found, within, cutoff)
    return share(2 * precision * recall, precision + recall)


def _average_precision(found: Found, within: Truths, _cutoff: Cutoff) -> Values:
    """Average, over all targets, the precision at the rank at which each is found."""
    order, fresh = _relevant(found, within)
    query, hits = found.query[order], np.cumsum(fresh)
    earlier: Integers = (hits - fresh)[np.searchsorted(query, query)]
    precision = (hits - earlier) / np.maximum(found.rank[order], 1)
    return np.asarray(found.per_query(precision, order) / np.maximum(found.totals, 1))


def _duplicates(found: Found, _within: Truths, cutoff: Cutoff) -> Values:
    repeated = found.hits(Returned.duplicates, cutoff)
    return share(repeated, found.hits(Returned.counts, cutoff))


def _ndcg(found: Found, within: Truths, cutoff: Cutoff) -> Values:
    order = found.found_order[within[found.found_order]]
    gained = _gain(found, order, _places(found.query[order], found.rank[order]), cutoff)
    numbers = numbered(found.query[found.ideal_order])
    return share(gained, _gain(found, found.ideal_order, numbers, cutoff))


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


FORMULAS: dict[str, Callable[[Found, Truths, Cutoff], Values]] = {
    "mrr": _reciprocal_rank,
    "map": _average_precision,
    "recall": _recall,
    "precision": _precision,
    "returned_precision": _returned_precision,
    "f1": _f1,
    "ndcg": _ndcg,
    "hit": _hit,
    "acc": _all_found,
    "duplicates": _duplicates,
}
