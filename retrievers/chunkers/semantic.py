"""The chunker that cuts at changes of topic, where vectors of adjacent sentences differ most.

The caller provides the vectors, so this module knows sentences and numbers but not models.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from retrievers.chunkers.rows import Row, check_sizes, gathered
from retrievers.errors import ChunkerError
from retrievers.interface import Chunks

Floats = np.ndarray[Any, np.dtype[np.float64]]

_HIGHEST = 100
_SMALLEST_NORM = 1e-12


@dataclass(frozen=True)
class Semantic:
    """Ends a chunk at a change of topic, and before a sentence that does not fit."""

    size: int = 512
    percentile: float = 95.0
    """A topic ends at a difference above this percentile of the differences in its document."""

    def __post_init__(self) -> None:
        """Raise an error for sizes and percentiles out of range."""
        check_sizes(self.size, 0)
        if not 0 <= self.percentile <= _HIGHEST:
            raise ChunkerError(f"percentile={self.percentile:g}: must be from 0 to {_HIGHEST}")

    def pack(self, sentences: Chunks, vectors: Floats) -> Chunks:
        """Return chunks of whole sentences. `vectors` has one row per sentence."""
        stops = np.flatnonzero(np.diff(sentences.document, append=-1)) + 1
        starts = np.append(0, stops)[: len(stops)]
        return gathered(
            row
            for start, stop in zip(starts.tolist(), stops.tolist(), strict=True)
            for row in self._rows(sentences, vectors, start, stop)
        )

    def _rows(self, sentences: Chunks, vectors: Floats, start: int, stop: int) -> Iterator[Row]:
        """Yield the chunks of one document, with the sentences from `start` to before `stop`."""
        changes = self._changes(vectors[start:stop])
        first, ends = start, sentences.end_token
        for last in range(start, stop):
            following = last + 1
            if (
                following == stop
                or changes[last - start]
                or ends[following] - sentences.start_token[first] > self.size
            ):
                yield _joined(sentences, first, last)
                first = following

    def _changes(self, vectors: Floats) -> list[bool]:
        """Return for each sentence except the last whether the topic changes after it."""
        differences = neighbour_differences(vectors)
        if not len(differences):
            return []
        changes: list[bool] = (differences > np.percentile(differences, self.percentile)).tolist()
        return changes


def neighbour_differences(vectors: Floats) -> Floats:
    """Return the cosine distance between each vector and the next one."""
    norms = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), _SMALLEST_NORM)
    units = vectors / norms
    distances: Floats = 1 - np.sum(units[:-1] * units[1:], axis=1)
    return distances


def _joined(sentences: Chunks, first: int, last: int) -> Row:
    own = sentences
    return Row(
        int(own.document[first]),
        int(own.start_byte[first]),
        int(own.end_byte[last]),
        int(own.start_line[first]),
        int(own.end_line[last]),
        int(own.start_token[first]),
        int(own.end_token[last]),
    )
