"""The formulas of rank measures, over arrays with one row per target."""

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
    """All hits, and the rows of duplicates: hits that match only targets found earlier."""

    reader: Shown
    duplicate: Integers

    def counts(self, cutoff: Cutoff) -> Values:
        """Return the number of hits of each query that are shown at least in part."""
        hits = self.reader.hits
        if isinstance(cutoff, Results):
            return np.minimum(hits.counts, cutoff.limit).astype(np.float64)
        shown = hits.query[self.reader.begins <= cutoff.limit]
        return np.bincount(shown, minlength=len(hits.rankings)).astype(np.float64)

    def duplicates(self, cutoff: Cutoff) -> Values:
        """Return the number of each query's duplicates that are shown."""
        hits, rows = self.reader.hits, self.duplicate
        depth = self.reader.begins[rows] if isinstance(cutoff, Tokens) else hits.ranks(rows)
        shown = hits.query[rows[depth <= cutoff.limit]]
        return np.bincount(shown, minlength=len(hits.rankings)).astype(np.float64)


@dataclass(frozen=True)
class Found:
    """Every target of one level, in the order of the queries, with the rank that found it."""

    query_count: int
    query: Integers
    grade: Integers
    rank: Integers
    """Rank of the first match, from 1; 0 if the target was not found."""
    tokens: Integers
    """Tokens shown when the target was found; above any budget if it was not."""
    limit: int | None = None
    """Number of hits that count at cut-offs in results."""
    returned: Returned | None = None
    """None if only targets are counted."""

    @cached_property
    def totals(self) -> Integers:
        """The number of targets of each query."""
        return np.bincount(self.query, minlength=self.query_count)

    @cached_property
    def found_order(self) -> Integers:
        """Found targets, sorted by query, rank and descending grade."""
        rows = np.flatnonzero(self.rank > 0)
        order = np.lexsort((-self.grade[rows], self.rank[rows], self.query[rows]))
        return np.asarray(rows[order])

    @cached_property
    def ideal_order(self) -> Integers:
        """All targets, sorted by query and descending grade."""
        return np.asarray(np.lexsort((-self.grade, self.query)))

    def limited(self, cutoff: Cutoff) -> Cutoff:
        """Return the cut-off, reduced to the limit of results."""
        if isinstance(cutoff, Tokens) or self.limit is None:
            return cutoff
        return Results(min(cutoff.limit, self.limit))

    def within(self, cutoff: Cutoff) -> Truths:
        """Return whether each target is found before the cut-off."""
        if isinstance(cutoff, Tokens):
            return np.asarray(self.tokens <= cutoff.limit)
        return np.asarray((self.rank > 0) & (self.rank <= self.limited(cutoff).limit))

    def per_query(self, weights: np.ndarray[Any, Any], rows: Any = slice(None)) -> Values:
        """Return the sum of weights of each query, over all targets or some rows."""
        return np.bincount(self.query[rows], weights, self.query_count).astype(np.float64)

    def hits(self, count: Callable[[Returned, Cutoff], Values], cutoff: Cutoff) -> Values:
        """Return the count of each query's hits before the cut-off."""
        if self.returned is None:
            message = "hits are counted where they are known: give Found what was returned"
            raise ArtifactError(message)
        return count(self.returned, self.limited(cutoff))


def values_of(measure: Measure, found: Found) -> Values:
    """Return the rank measure of each query, NaN without targets."""
    cutoff = measure.cutoff or Results(1)
    values = FORMULAS[measure.name](found, found.within(cutoff), cutoff)
    return np.where(found.totals > 0, values, np.nan)


def first_ranks(found: Found, within: Truths) -> Integers:
    """Return the rank of the first relevant hit of each query, 0 without one."""
    nowhere = np.iinfo(np.int64).max
    first = np.full(found.query_count, nowhere)
    np.minimum.at(first, found.query[within], found.rank[within])
    return np.where(first < nowhere, first, 0)


def share(part: np.ndarray[Any, Any], whole: np.ndarray[Any, Any]) -> Values:
    """Return part / whole, 0 where whole is 0."""
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
    """Return the found targets by rank, and whether each is the first of its hit."""
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
    """Average the precision at the rank of each target over all targets of the query."""
    order, fresh = _relevant(found, within)
    query, hits = found.query[order], np.cumsum(fresh)
    # `hits` runs on over all queries; `earlier` is its value before each query.
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
    """Give each target its own place: its rank, or the next free place.

    place = max(rank, previous place + 1) is a running maximum of rank - number. Adding a step per
    query that exceeds all ranks keeps the queries apart.
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
