"""Weighted sums of the rankings of several retrievers, after normalisation to one scale.

Rankings are aligned once: there is a column for each chunk that any ranking has for a query. A
weighting is then arithmetic on this table, so a grid of weights costs little more than one.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from retrievers.errors import FusionError
from retrievers.interface import Integers, Rankings

Normalisation = Literal["relu_z", "z_score", "min_max", "rrf"]

Doubles = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class Aligned:
    """The chunks in any of several rankings, ordered by query and chunk.

    `values` and `held` have a row per ranking. The value is 0 if a ranking does not have the
    chunk.
    """

    queries: int
    query: Integers
    chunk: Integers
    values: Doubles
    held: np.ndarray[Any, np.dtype[np.bool_]]


def fuse(
    rankings: Sequence[Rankings],
    weights: Sequence[float],
    *,
    normalisation: Normalisation = "relu_z",
    depth: int,
    rank_constant: int = 60,
) -> Rankings:
    """Return the `depth` best chunks of each query by the weighted sum of their values."""
    aligned = align(rankings, normalisation=normalisation, rank_constant=rank_constant)
    return weigh(aligned, weights, depth)


def align(
    rankings: Sequence[Rankings],
    *,
    normalisation: Normalisation = "relu_z",
    rank_constant: int = 60,
) -> Aligned:
    """Return the chunks of all rankings with their values on one scale."""
    _check(rankings, normalisation, rank_constant)
    normalise = NORMALISATIONS[normalisation]
    query = np.concatenate([_query_of(ranking) for ranking in rankings])
    chunk = np.concatenate([ranking.chunk for ranking in rankings]).astype(np.int64)
    span = int(chunk.max(initial=0)) + 1
    # One key per query and chunk, in the order of queries and then chunks.
    keys, row = np.unique(query * span + chunk, return_inverse=True)
    values = np.zeros((len(rankings), len(keys)))
    held = np.zeros(values.shape, bool)
    source = np.repeat(np.arange(len(rankings)), [len(ranking.chunk) for ranking in rankings])
    held[source, row] = True
    values[source, row] = np.concatenate([normalise(each, rank_constant) for each in rankings])
    return Aligned(len(rankings[0]), keys // span, keys % span, values, held)


def weigh(aligned: Aligned, weights: Sequence[float], depth: int) -> Rankings:
    """Return the `depth` best chunks of each query by the weighted sum of their values.

    A ranking with weight 0 is ignored. A ranking without any hit passes its weight to the others
    (`given_out`). Mean and deviation cover only the chunks in rankings with a weight, since the
    scores of other chunks are unknown.
    """
    return weigh_each(aligned, [tuple(weights)] * aligned.queries, depth)


def weigh_each(aligned: Aligned, weights: Sequence[tuple[float, ...]], depth: int) -> Rankings:
    """Return the same as `weigh`, with different weights for each query."""
    rows = given_out(_rows_of(weights, aligned), aligned)
    weight = rows[aligned.query].T
    kept = np.flatnonzero((aligned.held & (weight > 0)).any(axis=0))
    query, chunk = aligned.query[kept], aligned.chunk[kept]
    # One product after the other: a matrix product rounds equal rows differently and breaks ties.
    total = np.zeros(len(kept))
    for own, values in zip(weight, aligned.values, strict=True):
        total += own[kept] * values[kept]
    score = total.astype(np.float32)
    order = np.lexsort((chunk, -score, query))
    order = order[_place_in_query(query[order], aligned.queries) < depth]
    mean, deviation = _moments(query, total, aligned.queries)
    return Rankings(
        chunk=chunk[order].astype(np.int32),
        score=score[order],
        stops=np.cumsum(np.bincount(query[order], minlength=aligned.queries), dtype=np.int64),
        mean=mean.astype(np.float32),
        deviation=deviation.astype(np.float32),
    )


def given_out(weights: Doubles, aligned: Aligned) -> Doubles:
    """Return weights, as a vector or rows, with 0 for rankings without any hits.

    The other rankings get these weights in proportion to their own. A retriever may find nothing
    in a repository, for example in an unknown language. Its scores then stay comparable with those
    of other repositories, and the order of the hits does not change. Weights stay unchanged if no
    other ranking has a weight.
    """
    holds = aligned.held.any(axis=1)
    if holds.all():
        return weights
    left = weights * holds
    sums: Doubles = left.sum(axis=-1, keepdims=True)
    shares = np.divide(weights.sum(axis=-1, keepdims=True), sums, where=sums > 0, out=sums * 0)
    return np.where(sums > 0, left * shares, weights)


def relu_z(ranking: Rankings, _rank_constant: int) -> Doubles:
    """Return z-scores, with 0 below the mean, divided by the best of each query."""
    query = _query_of(ranking)
    above = ranking.score.astype(np.float64) - ranking.mean[query]
    z = _ratio(np.maximum(above, 0), ranking.deviation[query])
    return _ratio(z, _best(z, query, len(ranking)))


def z_score(ranking: Rankings, _rank_constant: int) -> Doubles:
    """Return the distance from each score to the last score of its query, in deviations.

    Their sums give the same order as sums of plain z-scores in which a missing hit has the last
    score of the ranking.
    """
    query = _query_of(ranking)
    score = ranking.score.astype(np.float64)
    last = -_best(-score, query, len(ranking))
    return _ratio(score - last, ranking.deviation[query])


def min_max(ranking: Rankings, _rank_constant: int) -> Doubles:
    """Return the position of each score between the last (0) and the best (1) of its query."""
    query = _query_of(ranking)
    score = ranking.score.astype(np.float64)
    best = _best(score, query, len(ranking))
    last = -_best(-score, query, len(ranking))
    return np.where(best > last, _ratio(score - last, best - last), 1.0)


def rrf(ranking: Rankings, rank_constant: int) -> Doubles:
    """Return 1 / (rank_constant + rank) for each hit, with ranks from 1."""
    return 1 / (rank_constant + 1 + _place_in_query(_query_of(ranking), len(ranking)))


NORMALISATIONS: Mapping[str, Callable[[Rankings, int], Doubles]] = MappingProxyType(
    {"relu_z": relu_z, "z_score": z_score, "min_max": min_max, "rrf": rrf}
)
"""The normalisations by name."""


def _query_of(ranking: Rankings) -> Integers:
    """Return the query of each hit."""
    return np.repeat(np.arange(len(ranking)), np.diff(ranking.stops, prepend=0))


def _place_in_query(query: Integers, queries: int) -> Integers:
    """Return the position of each hit in its query, from 0. Hits are ordered by query."""
    counts = np.bincount(query, minlength=queries)
    return np.arange(len(query)) - (np.cumsum(counts) - counts)[query]


def _best(values: Doubles, query: Integers, queries: int) -> Doubles:
    """Return for each hit the highest value of its query."""
    best = np.full(queries, -np.inf)
    np.maximum.at(best, query, values)
    return best[query]


def _ratio(above: Doubles, below: np.ndarray[Any, Any]) -> Doubles:
    """Return the quotient, or 0 for a divisor of 0."""
    quotient = np.zeros_like(above)
    np.divide(above, below, out=quotient, where=below > 0)
    return quotient


def _moments(query: Integers, values: Doubles, queries: int) -> tuple[Doubles, Doubles]:
    """Return the mean and the standard deviation of each query's values."""
    counts = np.maximum(np.bincount(query, minlength=queries), 1)
    mean = np.bincount(query, values, minlength=queries) / counts
    squares = np.bincount(query, (values - mean[query]) ** 2, minlength=queries)
    return mean, np.sqrt(squares / counts)


def _check(rankings: Sequence[Rankings], normalisation: str, rank_constant: int) -> None:
    if normalisation not in NORMALISATIONS:
        known = ", ".join(NORMALISATIONS)
        raise FusionError(f"normalisation={normalisation} is not known; choose one of {known}")
    if rank_constant < 0:
        raise FusionError(f"rank_constant={rank_constant} is negative; choose 0 or more")
    queries = {len(ranking) for ranking in rankings}
    if len(queries) != 1:
        message = (
            f"fusing {len(rankings)} rankings of {sorted(queries)} queries; "
            "give at least one ranking, and all of the same queries"
        )
        raise FusionError(message)


def _rows_of(weights: Sequence[tuple[float, ...]], aligned: Aligned) -> Doubles:
    """Return a row of weights for each query."""
    if len(weights) != aligned.queries:
        message = f"{len(weights)} rows of weights for {aligned.queries} queries; give one to each"
        raise FusionError(message)
    for row in set(weights):
        _check_weights(row, len(aligned.values))
    return np.array(weights, np.float64).reshape(-1, len(aligned.values))


def _check_weights(weights: Sequence[float], rankings: int) -> None:
    if len(weights) != rankings:
        raise FusionError(f"{len(weights)} weights for {rankings} rankings; give one to each")
    if not all(0 <= weight < math.inf for weight in weights) or not any(weights):
        message = f"weights={list(weights)}: give finite weights from 0 up, not all of them 0"
        raise FusionError(message)
