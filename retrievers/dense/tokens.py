"""Token vectors of texts, stored as small integers, and exact MaxSim over them.

Each vector is integers and one factor. The integers are so small that floating point adds up their
products without rounding. A score therefore does not depend on the position of its text or on
other texts, and equal texts tie.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import Any

import numpy as np

from retrievers.dense.settings import Bits
from retrievers.interface import Floats, Integers

Stored = np.ndarray[Any, np.dtype[np.int8]] | np.ndarray[Any, np.dtype[np.int16]]

Kind = np.dtype[Any]

_EXACT: dict[Kind, Kind] = {
    np.dtype(np.int8): np.dtype(np.float32),
    np.dtype(np.int16): np.dtype(np.float64),
}
"""Type that adds up products of such integers without rounding."""
_STORED: dict[int, Kind] = {8: np.dtype(np.int8), 16: np.dtype(np.int16)}
_COMPARED_BYTES = 32_000_000
"""Size in bytes of the vectors that are compared at once."""


@dataclass(frozen=True)
class TokenVectors:
    """Token vectors of some texts, one text after another; every text has at least one."""

    place: np.ndarray[Any, np.dtype[np.int32]]
    """Position of each text among all."""
    stops: Integers
    """End of each text among the vectors."""
    vector: Stored
    factor: Floats

    def __len__(self) -> int:
        return len(self.place)

    @classmethod
    def of(
        cls, place: Any, texts: Sequence[Floats], *, pooling: int, bits: Bits
    ) -> "TokenVectors":
        """Return the vectors of texts in `bits` bits; each is the mean of `pooling` neighbours."""
        kept = [pooled(tokens, pooling) for tokens in texts]
        whole = np.concatenate(kept) if kept else np.zeros((0, 1), np.float32)
        vectors, factors = quantised(whole, bits)
        stops = np.cumsum([len(tokens) for tokens in kept], dtype=np.int64)
        return cls(np.asarray(place, np.int32), stops, vectors, factors)

    @classmethod
    def joined(cls, parts: Sequence["TokenVectors"]) -> "TokenVectors":
        """Return the texts of all parts; at least one part is required."""
        parts = [part for part in parts if len(part)] or parts[:1]
        before = np.cumsum([0, *(len(part.vector) for part in parts)])
        return cls(
            np.concatenate([part.place for part in parts]),
            np.concatenate([part.stops + n for part, n in zip(parts, before[:-1], strict=True)]),
            np.concatenate([part.vector for part in parts]),
            np.concatenate([part.factor for part in parts]),
        )

    @property
    def whole(self) -> Floats:
        """Vectors as floats, after quantization."""
        return np.asarray(self.vector * self.factor[:, None], np.float32)

    def of_text(self, text: int) -> "TokenVectors":
        """Return the vectors of one text."""
        return self._between(text, text + 1)

    def blocks(self) -> Iterator["TokenVectors"]:
        """Yield blocks of texts that are small enough to be compared at once."""
        rows = max(1, _COMPARED_BYTES // (self.vector.shape[1] * _exact(self).itemsize))
        first = 0
        while first < len(self):
            before = int(self.stops[first - 1]) if first else 0
            last = int(np.searchsorted(self.stops, before + rows, side="right"))
            yield self._between(first, max(last, first + 1))
            first = max(last, first + 1)

    def _between(self, first: int, last: int) -> "TokenVectors":
        start = int(self.stops[first - 1]) if first else 0
        rows = slice(start, int(self.stops[last - 1]))
        stops = self.stops[first:last] - start
        return TokenVectors(self.place[first:last], stops, self.vector[rows], self.factor[rows])


def pooled(tokens: Floats, pooling: int) -> Floats:
    """Return the normalised means of `pooling` neighbours; a zero vector without tokens."""
    if not len(tokens):
        return np.zeros((1, tokens.shape[1]), np.float32)
    if pooling == 1:
        return tokens
    sums = np.add.reduceat(tokens, np.arange(0, len(tokens), pooling), axis=0)
    norms = np.linalg.norm(sums, axis=1, keepdims=True)
    return np.asarray(sums / np.maximum(norms, np.finfo(np.float32).tiny), np.float32)


def quantised(vectors: Floats, bits: Bits) -> tuple[Stored, Floats]:
    """Return vectors as integers, and a factor for each vector."""
    kind = _STORED[bits]
    highest = np.abs(vectors).max(axis=1, initial=0, keepdims=True)
    factors = np.maximum(highest, np.finfo(np.float32).tiny) / _levels(kind, vectors.shape[1])
    return np.rint(vectors / factors).astype(kind), np.asarray(factors[:, 0], np.float32)


def _levels(kind: Kind, dimensions: int) -> int:
    """Return the largest integer whose products add up exactly in this number of dimensions."""
    exact = 2 ** (np.finfo(_EXACT[kind]).nmant + 1)
    return min(int(np.iinfo(kind).max), isqrt(exact // max(1, dimensions)))


def _exact(tokens: TokenVectors) -> Kind:
    return _EXACT[tokens.vector.dtype]


def window_scores(
    queries: TokenVectors, parts: Iterator[TokenVectors], *, window_count: int
) -> Floats:
    """Return a score per query and window: the mean best cosine of the query's tokens."""
    asked = [queries.of_text(number) for number in range(len(queries))]
    scores = np.zeros((len(asked), window_count), np.float32)
    for part in parts:
        for block in part.blocks():
            compared = block.vector.astype(_exact(block)).T
            for row, query in zip(scores, asked, strict=True):
                row[block.place] = _maxsim(query, block, compared)
    return scores


def _maxsim(query: TokenVectors, texts: TokenVectors, compared: np.ndarray[Any, Any]) -> Floats:
    cosines = (query.vector.astype(compared.dtype) @ compared) * texts.factor
    starts = np.concatenate([[0], texts.stops[:-1]])
    best = np.maximum.reduceat(cosines, starts, axis=1) * query.factor[:, None]
    return np.asarray(best.mean(axis=0, dtype=np.float64), np.float32)
