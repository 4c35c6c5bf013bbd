"""Tokens shown to a reader, down to any token of any hit.

Text that an earlier hit of the same query showed does not count twice. Every target gets the
number of tokens after which it is found, so that a budget is a comparison and no ranking is walked
once per budget.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from bench.measures.axes import InCharacters, InTokens
from bench.measures.matching import Hits, Matches, Pairs, Rule, Targets
from bench.measures.ranges import Integers, expand
from retrievers.interface import Chunks

NEVER = np.iinfo(np.int64).max
BLOCK_OF_HITS = 50_000
"""Number of overlapping hits that are cut into pieces at once; bounds the memory."""


@dataclass(frozen=True)
class Shown:
    """Pieces of text that each hit shows for the first time, in the order of the hits."""

    hits: Hits
    hit: Integers
    start: np.ndarray[Any, Any]
    end: np.ndarray[Any, Any]
    is_whole: bool = False
    """Whether each hit shows all of its text, so that piece n is hit n."""

    @cached_property
    def _headers(self) -> Integers | None:
        """Header tokens of each piece. Only the first piece of a hit has the header."""
        own = self.hits.chunks.header_tokens
        if not len(own):
            return None
        headed = (np.diff(self.hit, prepend=-1) != 0) & (self.end > self.start)
        return np.where(headed, own[self.hits.rankings.chunk[self.hit]], 0).astype(np.int64)

    @cached_property
    def _shown(self) -> Integers:
        """Tokens of pieces and headers before each piece; the last entry is the sum."""
        shown = np.zeros(len(self.hit) + 1, np.int64)
        lengths = self.end - self.start
        np.cumsum(lengths if self._headers is None else lengths + self._headers, out=shown[1:])
        return shown

    @cached_property
    def before(self) -> Integers:
        """Tokens that the query has shown before each piece, including the header of the piece."""
        begin = (self.hits.rankings.stops - self.hits.counts)[self.hits.query[self.hit]]
        before = np.asarray(self._shown[:-1] - self._shown[self._first(begin)])
        return before if self._headers is None else before + self._headers

    def _first(self, rows: Integers) -> Integers:
        """Return the number of the first piece of each hit, or of the next hit with a piece."""
        return rows if self.is_whole else np.searchsorted(self.hit, rows)

    def totals(self, depth: int | None = None) -> Integers:
        """Return the number of tokens of each ranking, or of its first `depth` hits."""
        begin = self.hits.rankings.stops - self.hits.counts
        count = self.hits.counts if depth is None else np.minimum(self.hits.counts, depth)
        first, last = (self._first(place) for place in (begin, begin + count))
        return np.asarray(self._shown[last] - self._shown[first])

    @cached_property
    def begins(self) -> Integers:
        """Tokens shown after the first token of each hit."""
        rows = np.arange(len(self.hits))
        start = self.hits.chunks.start_token[self.hits.rankings.chunk].astype(np.int64)
        return self.after(rows, start + 1)

    def after(self, rows: Integers, token: Integers) -> Integers:
        """Return the tokens shown when each hit is shown up to a token of its document."""
        begin = (self.hits.rankings.stops - self.hits.counts)[self.hits.query[rows]]
        first, last, base = (self._first(places) for places in (rows, rows + 1, begin))
        owner, pieces = expand(first, last)
        visible = np.clip(token[owner], self.start[pieces], self.end[pieces]) - self.start[pieces]
        inside = np.zeros(len(rows), np.int64)
        np.add.at(inside, owner, visible)
        tokens = np.asarray(self._shown[first] - self._shown[base] + inside)
        if self._headers is None:
            return tokens
        return tokens + np.where(last > first, np.append(self._headers, 0)[first], 0)


def shown(hits: Hits) -> Shown:
    """Return the text that each hit shows first."""
    return shown_apart(hits) if _are_apart(hits) else shown_overlapping(hits)


def shown_apart(hits: Hits) -> Shown:
    """Return all text of hits that do not overlap."""
    return Shown(hits, np.arange(len(hits)), *_token_bounds(hits), is_whole=True)


def shown_overlapping(hits: Hits) -> Shown:
    """Return the text of each hit that no better hit of its query showed."""
    blocks = [np.zeros((3, 0), np.int64)]
    blocks += [_new_pieces(hits, rows) for rows in _blocks_of_queries(hits)]
    return Shown(hits, *np.concatenate(blocks, axis=1))


def tokens_until_found(
    reader: Shown, targets: Targets, matches: Matches, rule: Rule, text: InTokens
) -> Integers:
    """Return the tokens shown when each target is found, or NEVER."""
    rows = matches.won_hit
    token = _token_needed(reader.hits, targets, matches, rule, text)
    tokens = np.full(len(targets), NEVER)
    np.minimum.at(tokens, targets.places.target[matches.won_place], reader.after(rows, token))
    return tokens


def _token_needed(
    hits: Hits, targets: Targets, matches: Matches, rule: Rule, text: InTokens
) -> Integers:
    """Return the token of the document at which each credited hit begins to match."""
    chunk = hits.rankings.chunk[matches.won_hit]
    first, last = (
        bound[chunk].astype(np.int64) for bound in (hits.chunks.start_token, hits.chunks.end_token)
    )
    if targets.whole_files:
        return first + 1
    pairs = Pairs.of(hits.chunks, chunk, targets, matches.won_place, rule)
    wanted, axis = pairs.start + pairs.needed(), InCharacters(text)
    document = hits.document[matches.won_hit].astype(np.int64)
    low, high = first + 1, np.maximum(last, first + 1)
    # The number of characters shown grows with every token, so bisection is valid.
    while np.any(low < high):
        middle = (low + high) // 2
        enough = axis.before(document, middle) >= wanted
        low, high = np.where(enough, low, middle + 1), np.where(enough, middle, high)
    return low


def _token_bounds(hits: Hits) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    chunk = hits.rankings.chunk
    return hits.chunks.start_token[chunk], hits.chunks.end_token[chunk]


def _are_apart(hits: Hits) -> bool:
    """Return whether hits of the same query never overlap."""
    return _chunks_are_apart(hits.chunks) and not _repeats(hits)


def _repeats(hits: Hits) -> bool:
    """Return whether a query has the same chunk twice."""
    chunk, depth = hits.rankings.chunk, int(hits.counts.max(initial=0))
    if np.all(hits.counts == depth):  # in rows, which takes a seventh of the time
        ordered = np.sort(chunk.reshape(-1, max(depth, 1)), axis=1)
        return bool(np.any(ordered[:, 1:] == ordered[:, :-1]))
    named = np.sort(hits.query * np.int64(len(hits.chunks)) + chunk)
    return bool(np.any(named[1:] == named[:-1]))


def _chunks_are_apart(chunks: Chunks) -> bool:
    onward = np.diff(chunks.document)
    follows = chunks.end_token[:-1] <= chunks.start_token[1:]
    return bool(np.all((onward > 0) | ((onward == 0) & follows)))


def _blocks_of_queries(hits: Hits) -> Iterator[slice]:
    """Cut the hits between queries, into blocks of about BLOCK_OF_HITS."""
    start = 0
    for stop in hits.rankings.stops.tolist():
        if stop - start >= BLOCK_OF_HITS or start < stop == len(hits):
            yield slice(start, stop)
            start = stop


def _new_pieces(hits: Hits, rows: slice) -> Integers:
    """Return hit, start and end of every stretch of text, owned by the first hit that shows it.

    The ends of all hits in a document cut it into stretches, and each hit covers a range of them.
    """
    start, end = (bound[rows] for bound in _token_bounds(hits))
    key = hits.query[rows] * (hits.document.max() + np.int64(1)) + hits.document[rows]
    width = end.max() + 1
    # One axis has a section for each query and document, so that one search serves all.
    place = np.unique(key, return_inverse=True)[1] * width
    edges = np.unique(np.concatenate([place + start, place + end]))
    owner, stretch = expand(
        np.searchsorted(edges, place + start), np.searchsorted(edges, place + end)
    )
    # Rows are in the order of the hits, so the lowest row shows a stretch first.
    first = np.full(len(edges), len(start))
    np.minimum.at(first, stretch, owner)
    covered = np.flatnonzero(first < len(start))
    covered = covered[np.argsort(first[covered], kind="stable")]
    begin = edges[covered] % width
    length = edges[covered + 1] - edges[covered]
    return np.stack([first[covered] + rows.start, begin, begin + length])
