"""Scores of many weightings of several rankings: fused ranks by arithmetic, then the formulas."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from bench.errors import SettingError
from bench.measures.answering import OF_ANSWERS
from bench.measures.formulas import Found, Values, values_of
from bench.measures.matching import LEVELS, Hits, Judged, Rule, Targets, matching_pairs
from bench.measures.measure import Measure, Results, parse_measure
from bench.measures.ranges import Integers
from retrievers.fusion import Aligned, Wanted, ranks_under
from retrievers.interface import Chunks, Rankings

_OF_RANKS = ("mrr", "map", "recall", "precision", "f1", "ndcg", "hit", "acc")
_ROWS_AT_ONCE = 1_000_000


@dataclass(frozen=True)
class Wish:
    """The objective of a choice of weights: queries, measure and level."""

    measure: Measure
    level: str
    limit: int
    queries: tuple[int, ...]
    rule: Rule


def measure_of_ranks(column: str) -> Measure:
    """Return a measure that depends only on the ranks of the targets; refuse others."""
    measure = None if column in OF_ANSWERS else parse_measure(column)
    if measure is None or measure.name not in _OF_RANKS or not isinstance(measure.cutoff, Results):
        message = (
            f"objective={column}: weights={{steps: N}} chooses by the ranks of the targets;"
            " use ndcg_at_10, mrr, recall_at_10 or the like"
        )
        raise SettingError(message)
    return measure


def scores_under(
    aligned: Aligned, weights: Values, chunks: Chunks, judgements: Judged, wish: Wish
) -> Values:
    """Return the measure as queries x weightings, NaN for queries without targets."""
    targets = Targets.at(judgements, LEVELS.index(wish.level))
    # The place of each wished query among the wished ones; -1 for others.
    number = np.full(aligned.queries, -1)
    number[list(wish.queries)] = np.arange(len(wish.queries))
    kept = number[targets.query] >= 0
    cutoff = wish.measure.cutoff
    depth = min(wish.limit, cutoff.limit) if cutoff else wish.limit
    ranks = ranks_under(aligned, weights, _wanted(aligned, chunks, targets, kept, wish), depth)
    query, grade = number[targets.query[kept]], targets.grade[kept]
    blocks = _blocks(ranks, query, grade, wish)
    return np.concatenate([np.zeros((0, len(wish.queries))), *blocks]).T


def _wanted(
    aligned: Aligned,
    chunks: Chunks,
    targets: Targets,
    kept: np.ndarray[tuple[int], np.dtype[np.bool_]],
    wish: Wish,
) -> Wanted:
    rows, places = matching_pairs(Hits(_as_rankings(aligned), chunks), targets, wish.rule)
    owner = targets.places.target[places]
    counted = kept[owner]
    return Wanted((np.cumsum(kept) - 1)[owner[counted]], rows[counted], int(kept.sum()))


def _as_rankings(aligned: Aligned) -> Rankings:
    """Return the aligned hits as rankings in arbitrary order."""
    nothing = np.zeros(aligned.queries, np.float32)
    return Rankings(
        chunk=aligned.chunk.astype(np.int32),
        score=np.zeros(len(aligned.chunk), np.float32),
        stops=np.searchsorted(aligned.query, np.arange(aligned.queries), "right"),
        mean=nothing,
        deviation=nothing,
    )


def _blocks(ranks: Integers, query: Integers, grade: Integers, wish: Wish) -> Iterator[Values]:
    """Yield arrays of weightings x queries, some weightings at a time, to bound the memory.

    The queries of each weighting are numbered separately, so that one call scores them all.
    """
    count = len(wish.queries)
    step = max(1, _ROWS_AT_ONCE // max(1, len(query)))
    for start in range(0, len(ranks), step):
        block = ranks[start : start + step]
        own = (np.arange(len(block)) * count)[:, None] + query
        rank = block.reshape(-1)
        found = Found(
            query_count=len(block) * count,
            query=own.reshape(-1),
            grade=np.tile(grade, len(block)),
            rank=rank,
            tokens=rank,
            limit=wish.limit,
        )
        yield values_of(wish.measure, found).reshape(len(block), count)
