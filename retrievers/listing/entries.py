"""Rankings of files or definitions, made from rankings of chunks."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from retrievers.errors import ListingError
from retrievers.interface import SEARCHED, Chunks, Floats, Floor, Integers, Rankings
from retrievers.listing.definitions import ChunkDefinitions
from retrievers.listing.settings import Listing

_Column = np.ndarray[Any, np.dtype[np.int32]]
_Doubles = np.ndarray[Any, np.dtype[np.float64]]

_TINY = 1e-12


@dataclass(frozen=True)
class Entries:
    """The entry that each chunk of a repository belongs to."""

    listing: Listing
    number: _Column
    """Chunks with the same number share an entry. A chunk with -1 has no entry."""
    shown_by: _Column
    """The chunk that always represents the entry of a chunk, or -1 for its best chunk."""
    document: _Column
    """The document of each chunk."""

    @classmethod
    def of(
        cls, listing: Listing, chunks: Chunks, definitions: ChunkDefinitions | None = None
    ) -> "Entries":
        """Return the entries of chunks. `unit=definition` needs `definitions`."""
        if listing.unit == "definition":
            if definitions is None:
                raise ListingError("unit=definition needs to know the definitions of the chunks")
            return cls(listing, definitions.symbol, definitions.shown_by, chunks.document)
        count = len(chunks)
        own = chunks.document if listing.unit == "file" else np.arange(count, dtype=np.int32)
        return cls(listing, own, np.full(count, -1, np.int32), chunks.document)

    def listed(self, rankings: Rankings, *, floor: Floor, depth: int) -> Rankings:
        """Return the `depth` best entries of each query, with one chunk per entry."""
        counts = np.diff(rankings.stops, prepend=0)
        query = np.repeat(np.arange(len(rankings)), counts)
        rank = np.arange(len(query)) - np.repeat(rankings.stops - counts, counts)
        low = rankings.mean if floor == "mean" else np.zeros(len(rankings), np.float32)
        entry = self.number[rankings.chunk].astype(np.int64)
        kept = np.flatnonzero(entry >= 0)
        query, entry, score = query[kept], entry[kept], rankings.score[kept].astype(np.float64)
        first, of_entry = _entries(query, entry)
        above = np.asarray(score - low[query], np.float64)
        best = rankings.chunk[kept[first]]
        if self.listing.unit == "definition":
            added = self._from_files(query[first], best, rank[kept[first]], above[first])
        else:
            added = self._added(rank[kept], above, of_entry)
        return self._ordered(rankings, query[first], best, score[first] + added, depth)

    def _added(self, rank: Integers, above: _Doubles, entry: Integers) -> _Doubles:
        """Return the amount that the next best chunks of each entry add to its best score.

        Only the first `SEARCHED` hits count, because a searcher has no more of them. Otherwise,
        scores would differ when a configuration is served.
        """
        place = _places(entry)
        counts = (place > 0) & (place < self.listing.depth_of_aggregation) & (rank < SEARCHED)
        weight = np.where(counts, self.listing.aggregation ** place.astype(np.float64), 0.0)
        return np.asarray(np.bincount(entry, np.maximum(above, 0) * weight), np.float64)

    def _from_files(
        self, query: Integers, best: _Column, rank: Integers, above: _Doubles
    ) -> _Doubles:
        """Return the amount that its file adds to the score of each definition."""
        share = self.listing.file_share
        if not share or not len(query):
            return np.zeros(len(query))
        # Definitions are in the order of their numbers, but files need the best ones first.
        order = np.lexsort((rank, query))
        first, of_file = _entries(query[order], self.document[best[order]].astype(np.int64))
        files = np.maximum(above[order][first], 0)
        files += self._added(rank[order], above[order], of_file)
        of_query = query[order][first]
        # The scores of files are scaled: the best file gets the score of the best definition.
        scale = _highest(above, query) / np.maximum(_highest(files, of_query, query), _TINY)
        added = np.empty(len(query))
        added[order] = files[of_file]
        return np.asarray(share * np.maximum(scale, 0) * added)

    def _ordered(
        self, rankings: Rankings, query: Integers, best: _Column, score: _Doubles, depth: int
    ) -> Rankings:
        """Return the entries by score. Ties go to the lower chunk."""
        shown = np.where(self.shown_by[best] >= 0, self.shown_by[best], best)
        final: Floats = score.astype(np.float32)
        order = np.lexsort((shown, -final, query))
        order = order[_places(query[order]) < depth]
        counts = np.bincount(query[order], minlength=len(rankings))
        return Rankings(
            chunk=shown[order].astype(np.int32),
            score=final[order],
            stops=np.cumsum(counts, dtype=np.int64),
            mean=rankings.mean,
            deviation=rankings.deviation,
        )


def _entries(query: Integers, entry: Integers) -> tuple[Integers, Integers]:
    """Return the first hit of each entry of each query, and the entry of each hit."""
    keys = query * (int(entry.max(initial=0)) + 1) + entry
    _, first, number = np.unique(keys, return_index=True, return_inverse=True)
    return np.asarray(first, np.int64), np.asarray(number, np.int64)


def _highest(values: _Doubles, query: Integers, wanted: Integers | None = None) -> _Doubles:
    """Return the highest value of its query for each element of `wanted`."""
    wanted = query if wanted is None else wanted
    highest = np.full(int(max(query.max(), wanted.max())) + 1, -np.inf)
    np.maximum.at(highest, query, values)
    return np.asarray(highest[wanted])


def _places(group: Integers) -> Integers:
    """Return for each element the number of earlier elements of its group."""
    order = np.argsort(group, kind="stable")
    counts = np.bincount(group)
    places = np.empty(len(group), np.int64)
    places[order] = np.arange(len(group)) - np.repeat(np.cumsum(counts) - counts, counts)
    return places
