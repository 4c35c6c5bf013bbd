"""Points of a vector engine: one vector per id, or the token vectors of a text per id."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from retrievers.dense.tokens import TokenVectors
from retrievers.interface import Floats

_TOGETHER = 400_000
"""Numbers per batch, limited by the memory and by the requests that a server accepts."""


class Held(Protocol):
    """Points for an engine, in batches."""

    @property
    def has_several(self) -> bool:
        """Whether a point has several vectors, compared by MaxSim."""
        ...

    def __len__(self) -> int: ...

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        ...

    def batches(self) -> Iterator[tuple[list[int], list[Any]]]:
        """Yield ids with their vectors, as plain lists of numbers."""
        ...


@dataclass(frozen=True)
class Rows:
    """One vector per id, which is the row number."""

    vectors: Floats

    @property
    def has_several(self) -> bool:
        """False: each id has one vector."""
        return False

    def __len__(self) -> int:
        return len(self.vectors)

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return max(1, int(self.vectors.shape[1]))

    def batches(self) -> Iterator[tuple[list[int], list[Any]]]:
        """Yield ids with their vectors, a batch at a time."""
        together = max(1, _TOGETHER // self.dimensions)
        for start in range(0, len(self), together):
            some = self.vectors[start : start + together]
            yield [*range(start, start + len(some))], some.tolist()


@dataclass(frozen=True)
class Groups:
    """Token vectors per id, which is the position of the text."""

    tokens: TokenVectors

    @property
    def has_several(self) -> bool:
        """True: each id has one vector per token."""
        return True

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return max(1, int(self.tokens.vector.shape[1]))

    def batches(self) -> Iterator[tuple[list[int], list[Any]]]:
        """Yield ids with their vectors, a batch at a time."""
        longest = int(np.diff(self.tokens.stops, prepend=0).max(initial=1))
        together = max(1, _TOGETHER // (self.dimensions * longest))
        order = np.argsort(self.tokens.place, kind="stable")
        for start in range(0, len(order), together):
            rows = order[start : start + together].tolist()
            texts = [self.tokens.of_text(row).whole.tolist() for row in rows]
            yield self.tokens.place[rows].tolist(), texts
