"""The ranks of targets under every weighting of a grid, computed together.

A hit that ten others beat under every weighting is never among the first ten. Such hits are
excluded before the arithmetic, so that a thousand weightings cost about as much as one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from retrievers.fusion.weighted import Aligned, Doubles, given_out
from retrievers.interface import Integers

_ABSENT = -1.0
"""The value of a hit that a ranking does not have. It is below all possible values."""
_CLEARLY = 1e-5
"""Minimum lead of a clearly better value. It survives rounding to single precision."""
_STRONGEST = 64
"""Number of best hits that all hits are compared with first, since they beat most others."""
_WEIGHTINGS_AT_ONCE = 64
"""Number of weightings per step, so that their scores stay in the processor's cache."""
_AT_ONCE = 256
"""Number of hits that are compared per step, to limit memory."""


@dataclass(frozen=True)
class Wanted:
    """Pairs of a target and an aligned hit that shows it, in ascending order of targets."""

    target: Integers
    row: Integers
    targets: int


def simplex(channels: int, steps: int) -> Doubles:
    """Return all weightings of the channels in steps of 1/`steps`. Each row sums to 1."""
    rows = np.array(list(_compositions(channels, steps)), np.float64)
    return rows / steps


def weightings_near(known: Sequence[float], steps: int) -> Doubles:
    """Return the simplex of `steps`, ordered by the distance to the `known` weighting."""
    rows = simplex(len(known), steps)
    # Rounded, so that floating-point errors do not order equal distances.
    far = np.round(((rows - np.array(known)) ** 2).sum(axis=1), 12)
    return rows[np.argsort(far, kind="stable")]


def _compositions(parts: int, total: int) -> Iterator[tuple[int, ...]]:
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _compositions(parts - 1, total - first):
            yield (first, *rest)


def ranks_under(aligned: Aligned, weights: Doubles, wanted: Wanted, depth: int) -> Integers:
    """Return weightings x targets: the rank of the first hit of a target, or 0 below `depth`.

    The ranks equal those in `weigh(aligned, weights[n], depth)`.
    """
    weights = given_out(weights, aligned)
    ranks = np.zeros((len(weights), wanted.targets), np.int64)
    values = np.where(aligned.held, aligned.values, _ABSENT)
    query = aligned.query[wanted.row]
    order = np.argsort(query, kind="stable")
    edges = [0, *(np.flatnonzero(np.diff(query[order])) + 1).tolist(), len(order)]
    for first, last in pairwise(edges):
        if first < last:
            chosen = order[first:last]
            begin, end = np.searchsorted(aligned.query, query[chosen[0]] + np.arange(2))
            of_query = Wanted(wanted.target[chosen], wanted.row[chosen] - begin, wanted.targets)
            targets, found = _ranks_in_query(values[:, begin:end], weights, of_query, depth)
            ranks[:, targets] = found
    return ranks


def _ranks_in_query(
    values: Doubles, weights: Doubles, wanted: Wanted, depth: int
) -> tuple[Integers, Integers]:
    order = _Order.of(values)
    # A wanted hit that `depth` others beat under every weighting is never within `depth`.
    hopeful = order.beaten_by(wanted.row, order.strongest[:_STRONGEST]).sum(axis=1) < depth
    own = wanted.row[hopeful]
    if not len(own):
        return own, np.zeros((len(weights), 0), np.int64)
    # Other hits that can rank before a wanted one are needed for its rank, and no more.
    kept = np.union1d(_rivals(order, _contenders(order, depth), own), own)
    scores = _scores(values[:, kept], weights)
    targets, place = np.unique(wanted.target[hopeful], return_inverse=True)
    ranks = np.zeros((len(weights), len(targets)), np.int64)
    for number in range(len(targets)):
        shows = np.searchsorted(kept, np.unique(own[place == number]))
        ranks[:, number] = _rank_of_best(scores, shows)
    return targets, np.where(ranks <= depth, ranks, 0)


def _rank_of_best(scores: Any, shows: Integers) -> Integers:
    """Return the rank of the best of these hits under each weighting. Ties go to the first."""
    best = shows[np.argmax(scores[:, shows], axis=1)]
    score = scores[np.arange(len(scores)), best][:, None]
    before = (scores > score).sum(axis=1)
    level = scores == score
    before += (level & (np.arange(scores.shape[1]) < best[:, None])).sum(axis=1)
    ranks: Integers = np.where(np.isfinite(score[:, 0]), before + 1, np.iinfo(np.int64).max)
    return ranks


def _scores(values: Doubles, weights: Doubles) -> Any:
    """Return weightings x hits; -inf if no ranking with a weight above 0 has the hit."""
    held = values >= 0
    shown = (weights > 0).astype(np.float32) @ held.astype(np.float32) > 0
    channels, scores = np.maximum(values, 0), np.empty(shown.shape, np.float32)
    for start in range(0, len(weights), _WEIGHTINGS_AT_ONCE):
        some = slice(start, start + _WEIGHTINGS_AT_ONCE)
        # One product after the other, as in `weigh`: a matrix product breaks ties by rounding.
        total = weights[some, :1] * channels[0]
        for number in range(1, len(channels)):
            total += weights[some, number : number + 1] * channels[number]
        scores[some] = total
    scores[~shown] = -np.inf
    return scores


@dataclass(frozen=True)
class _Order:
    """The order of the hits in every channel, as small integers that compare fast."""

    place: Any
    """Number of values below the hit's value."""
    clear: Any
    """Number of values that are not clearly above the hit's value."""
    strongest: Integers
    """The hits by the sum of their values, highest first. The first ones beat most others."""

    @classmethod
    def of(cls, values: Doubles) -> "_Order":
        small = np.int16 if values.shape[1] < np.iinfo(np.int16).max else np.int32
        ascending = np.sort(values, axis=1)
        pairs = list(zip(ascending, values, strict=True))
        place = [np.searchsorted(row, own) for row, own in pairs]
        clear = [np.searchsorted(row, own + _CLEARLY, "right") for row, own in pairs]
        strongest = np.argsort(-values.sum(axis=0), kind="stable")
        return cls(np.array(place, small), np.array(clear, small), strongest)

    def beaten_by(self, rows: Integers, others: Integers) -> Any:
        """Return a matrix: whether each of `others` (columns) beats each of `rows`."""
        as_good = others < rows[:, None]
        better = np.ones(as_good.shape, bool)
        for place, clear in zip(self.place, self.clear, strict=True):
            across = place[others]
            as_good &= across >= place[rows][:, None]
            better &= across >= clear[rows][:, None]
        return as_good | better


def _rivals(order: _Order, hits: Integers, wanted: Integers) -> Integers:
    """Return the hits without those that every wanted hit beats: they never rank before one."""
    beaten = order.beaten_by(hits, np.unique(wanted)).all(axis=1)
    return np.asarray(hits[~beaten])


def _contenders(order: _Order, depth: int) -> Integers:
    """Return the hits that fewer than `depth` others beat under every weighting.

    A hit beats another if it is at least as good in all channels and comes first, or clearly
    better in all channels. The relation is transitive, so excluded hits do not need to be counted.
    """
    hits, first = order.strongest, order.strongest[:_STRONGEST]
    hits = hits[order.beaten_by(hits, first).sum(axis=1) < depth]
    kept: Integers = np.zeros(0, np.int64)
    for start in range(0, len(hits), _AT_ONCE):
        new = hits[start : start + _AT_ONCE]
        others = np.concatenate([kept, new])
        kept = np.concatenate([kept, new[order.beaten_by(new, others).sum(axis=1) < depth]])
    return np.sort(kept)
