"""How many tokens a reader has been shown, down to any line of any hit.

Text that an earlier hit of the same query showed does not count again. Instead of walking each
ranking once per budget, every target gets the number of tokens after which it is found; a
budget is then a comparison.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from bench.measures.matching import Hits, Matches, Targets, line_needed
from bench.measures.ranges import Integers, expand
from retrievers.interface import Chunks, Documents, TokenEnds

NEVER = np.iinfo(np.int64).max
BLOCK_OF_HITS = 50_000
"""How many overlapping hits are cut into pieces at once: bounds the memory."""


@dataclass(frozen=True)
class TokenLines:
    """For each line of each document, the number of the document's tokens that start in it or
    before it: once so many are shown, the line is wholly shown."""

    tokens: np.ndarray[Any, np.dtype[np.int32]]
    stops: Integers
    """For each document, the number of lines in it and all before it."""

    @classmethod
    def of(cls, documents: Documents, token_ends: TokenEnds) -> "TokenLines":
        """Return the lines of these documents' tokens."""
        pieces = [
            _tokens_by_line(documents.line_starts(number), token_ends.of(number))
            for number in range(len(documents))
        ]
        return cls(
            tokens=np.concatenate([np.zeros(0, np.int32), *pieces]).astype(np.int32),
            stops=np.cumsum([len(piece) for piece in pieces], dtype=np.int64),
        )

    def through(self, document: np.ndarray[Any, Any], line: Integers) -> Integers:
        """Return how many tokens of a document reach to the end of a line."""
        first = self.stops[document] - np.diff(self.stops, prepend=0)[document]
        place = np.minimum(first + line, self.stops[document]) - 1
        return np.asarray(self.tokens[place], np.int64)


def _tokens_by_line(line_starts: Integers, ends: np.ndarray[Any, Any]) -> Integers:
    starts = np.concatenate([[0], ends])[: len(ends)]
    return np.append(np.searchsorted(starts, line_starts[1:]), len(ends))


@dataclass(frozen=True)
class Shown:
    """The pieces of text that each hit shows for the first time, in the order of the hits."""

    hits: Hits
    hit: Integers
    start: Integers
    end: Integers

    @cached_property
    def _shown(self) -> Integers:
        """The tokens in all pieces before each piece, and in all."""
        return np.concatenate([[0], np.cumsum(self.end - self.start)])

    @cached_property
    def before(self) -> Integers:
        """The tokens that its query has been shown before each piece."""
        begin = (self.hits.rankings.stops - self.hits.counts)[self.hits.query[self.hit]]
        return np.asarray(self._shown[:-1] - self._shown[np.searchsorted(self.hit, begin)])

    def totals(self, depth: int | None = None) -> Integers:
        """Return the number of tokens that each ranking, or its first hits, shows."""
        begin = self.hits.rankings.stops - self.hits.counts
        count = self.hits.counts if depth is None else np.minimum(self.hits.counts, depth)
        first, last = (np.searchsorted(self.hit, place) for place in (begin, begin + count))
        return np.asarray(self._shown[last] - self._shown[first])

    @cached_property
    def begins(self) -> Integers:
        """Return the tokens shown once the first token of each hit is."""
        rows = np.arange(len(self.hits))
        start = self.hits.chunks.start_token[self.hits.rankings.chunk].astype(np.int64)
        return self.after(rows, start + 1)

    def after(self, rows: Integers, token: Integers) -> Integers:
        """Return the tokens shown once a hit is shown up to a token of its document."""
        begin = (self.hits.rankings.stops - self.hits.counts)[self.hits.query[rows]]
        first, last, base = (
            np.searchsorted(self.hit, places) for places in (rows, rows + 1, begin)
        )
        owner, pieces = expand(first, last)
        visible = np.clip(token[owner], self.start[pieces], self.end[pieces]) - self.start[pieces]
        inside = np.zeros(len(rows), np.int64)
        np.add.at(inside, owner, visible)
        return np.asarray(self._shown[first] - self._shown[base] + inside)


def shown(hits: Hits) -> Shown:
    """Return what each hit newly shows."""
    return shown_apart(hits) if _are_apart(hits) else shown_overlapping(hits)


def shown_apart(hits: Hits) -> Shown:
    """Return what hits show that have no text in common: all of it."""
    return Shown(hits, np.arange(len(hits)), *_token_bounds(hits))


def shown_overlapping(hits: Hits) -> Shown:
    """Return what each hit shows that no better hit of its query showed."""
    blocks = [np.zeros((3, 0), np.int64)]
    blocks += [_new_pieces(hits, rows) for rows in _blocks_of_queries(hits)]
    return Shown(hits, *np.concatenate(blocks, axis=1))


def tokens_until_found(
    reader: Shown, targets: Targets, matches: Matches, token_lines: TokenLines, overlap: float
) -> Integers:
    """Return the tokens shown when each target is found, or NEVER."""
    tokens = np.full(len(targets), NEVER)
    found = np.flatnonzero(matches.hit >= 0)
    rows = matches.hit[found]
    line = line_needed(reader.hits, targets, matches, overlap)[found]
    chunk = reader.hits.rankings.chunk[rows]
    first_shown = reader.hits.chunks.start_token[chunk].astype(np.int64) + 1
    token = token_lines.through(reader.hits.document[rows], line)
    tokens[found] = reader.after(rows, np.maximum(token, first_shown))
    return tokens


def _token_bounds(hits: Hits) -> tuple[Integers, Integers]:
    chunk = hits.rankings.chunk
    start, end = hits.chunks.start_token[chunk], hits.chunks.end_token[chunk]
    return start.astype(np.int64), end.astype(np.int64)


def _are_apart(hits: Hits) -> bool:
    """Tell whether no two hits of a query can have text in common."""
    named = np.sort(hits.query * np.int64(len(hits.chunks)) + hits.rankings.chunk)
    return _chunks_are_apart(hits.chunks) and bool(np.all(np.diff(named) > 0))


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
    """Return hit, start and end of every stretch of text, given to the first hit that shows it.

    The ends of all hits in a document cut it into stretches; a hit covers a range of them.
    """
    start, end = (bound[rows] for bound in _token_bounds(hits))
    key = hits.query[rows] * (hits.document.max() + np.int64(1)) + hits.document[rows]
    width = end.max() + 1
    place = np.unique(key, return_inverse=True)[1] * width
    edges = np.unique(np.concatenate([place + start, place + end]))
    owner, stretch = expand(
        np.searchsorted(edges, place + start), np.searchsorted(edges, place + end)
    )
    first = np.full(len(edges), len(start))
    np.minimum.at(first, stretch, owner)
    covered = np.flatnonzero(first < len(start))
    covered = covered[np.argsort(first[covered], kind="stable")]
    begin = edges[covered] % width
    length = edges[covered + 1] - edges[covered]
    return np.stack([first[covered] + rows.start, begin, begin + length])
