"""Application of the rules to a ranking of any retriever or fusion.

Scores are first scaled for the weights of the rules. A score above the floor becomes its share of
the best score, which is 1. A score at or below the floor counts as 0 and stays behind in its
order, unless a boost raises it. Boosts are shares of the best score before any boost. In the end,
the scores of a retriever are put back on its own scale, where scores of different queries are
comparable. Chunks that a query names are added to the ranking; otherwise rules only reorder it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from retrievers.errors import RulesError
from retrievers.interface import Chunks, Documents, Floats, Floor, Integers, Rankings
from retrievers.reading import Reading, read_query
from retrievers.rules.file_kinds import FILE_KINDS
from retrievers.rules.named import NamedChunks
from retrievers.rules.paths import PathNames, PathWords
from retrievers.rules.settings import Rules
from retrievers.source import Symbols

_Doubles = np.ndarray[Any, np.dtype[np.float64]]


def apply_rules(  # noqa: PLR0913 - three of them are what a repository is
    rankings: Rankings,
    queries: Sequence[str],
    chunks: Chunks,
    documents: Documents,
    *,
    symbols: Symbols,
    rules: Rules,
    depth: int,
    floor: Floor = "mean",
) -> Rankings:
    """Return the `depth` best chunks of each query under the rules."""
    book = RuleBook(chunks, PathWords.of(documents), symbols)
    return book.apply(rankings, queries, rules, depth=depth, floor=floor)


@dataclass(frozen=True)
class _Hits:
    """Hits of all queries, one row each."""

    query: Integers
    chunk: Integers
    document: Integers
    stops: Integers


class RuleBook:
    """Data of the rules about a repository, made once and applied to any ranking of its chunks."""

    def __init__(self, chunks: Chunks, path_words: PathWords, symbols: Symbols) -> None:
        self._chunks = chunks
        self._names, self._kind = PathNames(path_words), path_words.kind
        self._named = NamedChunks(path_words.paths, chunks, symbols)

    def apply(
        self,
        rankings: Rankings,
        queries: Sequence[str],
        rules: Rules,
        *,
        depth: int,
        floor: Floor = "mean",
    ) -> Rankings:
        """Return the `depth` best chunks of each query under the rules.

        Mean and deviation of fused scores are over all chunks; chunks without a hit count as 0.
        """
        if len(queries) != len(rankings):
            message = f"{len(queries)} queries for {len(rankings)} rankings; give one to each"
            raise RulesError(message)
        readings = [read_query(query) for query in queries]
        named = [self._named.boosts(reading, rules) for reading in readings]
        rankings = _with_named(rankings, named, floor)
        hits = self._hits(rankings)
        scale = _Scale.of(rankings, hits.query, floor)
        scaled = scale.shares(rankings.score)
        score = np.maximum(scaled, 0) + self._boosts(hits, queries, named, rules)
        score *= self._factors(hits, readings, rules)
        # A hit at or below the floor keeps its score, unless a boost made it positive.
        final = scale.scores(np.where(score > 0, score, np.minimum(scaled, 0)), floor)
        order = np.lexsort((hits.chunk, -final, hits.query))
        ruled = self._cut(hits, final, order, depth)
        if floor == "zero":
            return ruled
        # Scores on a retriever's own scale keep their floor, from which the next step counts.
        return replace(ruled, mean=rankings.mean, deviation=rankings.deviation)

    def _hits(self, rankings: Rankings) -> _Hits:
        query = np.repeat(np.arange(len(rankings)), np.diff(rankings.stops, prepend=0))
        chunk = rankings.chunk.astype(np.int64)
        document = self._chunks.document[chunk].astype(np.int64)
        return _Hits(query, chunk, document, rankings.stops)

    def _boosts(
        self, hits: _Hits, queries: Sequence[str], named: Sequence[_Doubles], rules: Rules
    ) -> _Doubles:
        boosts = np.zeros(len(hits.chunk))
        for query, own in _by_query(hits.stops):
            document, chunk = hits.document[own], hits.chunk[own]
            if rules.name_boost:
                boosts[own] += rules.name_boost * self._names.matches(queries[query])[document]
            boosts[own] += named[query][chunk]
        return boosts

    def _factors(self, hits: _Hits, readings: Sequence[Reading], rules: Rules) -> _Doubles:
        spared = np.array([reading.asks_for_tests for reading in readings], bool)
        of_kind = np.array([rules.factors.get(kind, 1.0) for kind in FILE_KINDS])
        kind = self._kind[hits.document]
        spares = (kind == FILE_KINDS.index("test")) & spared[hits.query]
        return np.where(spares, 1.0, of_kind[kind])

    def _cut(self, hits: _Hits, score: Any, order: Integers, depth: int) -> Rankings:
        """Return the first `depth` hits of each query in the given order."""
        queries, query = len(hits.stops), hits.query[order]
        counted = np.maximum(score[order].astype(np.float64), 0)
        everything = max(len(self._chunks), 1)
        mean = np.bincount(query, counted, minlength=queries) / everything
        squares = np.bincount(query, counted**2, minlength=queries) / everything
        counts = np.bincount(query, minlength=queries)
        # The rank of each hit within its query, because hits are sorted by query.
        kept = np.arange(len(query)) - (np.cumsum(counts) - counts)[query] < depth
        return Rankings(
            chunk=hits.chunk[order][kept].astype(np.int32),
            score=score[order][kept],
            stops=np.cumsum(np.minimum(counts, depth), dtype=np.int64),
            mean=mean.astype(np.float32),
            deviation=np.sqrt(np.maximum(squares - mean**2, 0)).astype(np.float32),
        )


def _with_named(rankings: Rankings, named: Sequence[_Doubles], floor: Floor) -> Rankings:
    """Return rankings with the chunks that queries name; added chunks have the floor as score."""
    hits: list[tuple[Any, Any]] = []
    for query, boosts in enumerate(named):
        chunk, score = rankings.of_query(query)
        new = np.setdiff1d(np.flatnonzero(boosts), chunk)
        low = float(rankings.mean[query]) if floor == "mean" else 0.0
        hits.append((np.append(chunk, new), np.append(score, np.full(len(new), low))))
    return Rankings.of(hits, rankings.mean, rankings.deviation)


@dataclass(frozen=True)
class _Scale:
    """Floor of each hit's score, and the distance of the best score from it.

    If the best score is not above the floor, scores stay at or below 0 and the rules alone decide.
    """

    floor: _Doubles
    best: _Doubles

    @classmethod
    def of(cls, rankings: Rankings, query: Integers, floor: Floor) -> "_Scale":
        low = rankings.mean.astype(np.float64) if floor == "mean" else np.zeros(len(rankings))
        best = np.zeros(len(rankings))
        np.maximum.at(best, query, rankings.score.astype(np.float64) - low[query])
        return cls(low[query], np.where(best > 0, best, 1.0)[query])

    def shares(self, scores: Floats) -> _Doubles:
        """Return scores as shares of the best."""
        return np.asarray((scores.astype(np.float64) - self.floor) / self.best)

    def scores(self, shares: _Doubles, floor: Floor) -> Floats:
        """Convert shares back to the retriever's own scores; fused scores stay shares."""
        own = shares * self.best + self.floor if floor == "mean" else shares
        return np.asarray(own, np.float32)


def _by_query(stops: Integers) -> list[tuple[int, slice]]:
    """Return each query with hits, and the slice of its hits."""
    edges = enumerate(pairwise([0, *stops.tolist()]))
    return [(query, slice(start, stop)) for query, (start, stop) in edges if stop > start]
