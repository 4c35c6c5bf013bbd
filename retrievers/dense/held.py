"""What is put into a vector engine: a vector for each id, or the vectors of all its tokens."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from retrievers.dense.tokens import TokenVectors
from retrievers.interface import Floats

_TOGETHER = 400_000
"""Numbers that are put in at once: what a server takes, and what memory is needed for."""


class Held(Protocol):
    """Points of an engine, in the order of their ids."""

    @property
    def has_several(self) -> bool:
        """Whether a point has several vectors, compared by MaxSim."""
        ...

    def __len__(self) -> int: ...

    @property
    def dimensions(self) -> int:
        """How many numbers a vector has."""
        ...

    def batches(self) -> Iterator[tuple[list[int], list[Any]]]:
        """Yield some ids and what they have, as plain lists of numbers."""
        ...


@dataclass(frozen=True)
class Rows:
    """A vector for each id, which is the number of its row."""

    vectors: Floats

    @property
    def has_several(self) -> bool:
        """No: one each."""
        return False

    def __len__(self) -> int:
        return len(self.vectors)

    @property
    def dimensions(self) -> int:
        """How many numbers a vector has."""
        return max(1, int(self.vectors.shape[1]))

    def batches(self) -> Iterator[tuple[list[int], list[Any]]]:
        """Yield some ids and their vectors."""
        together = max(1, _TOGETHER // self.dimensions)
        for start in range(0, len(self), together):
            some = self.vectors[start : start + together]
            yield [*range(start, start + len(some))], some.tolist()


@dataclass(frozen=True)
class Groups:
    """The token vectors of each id, which is the place of its text."""

    tokens: TokenVectors

    @property
    def has_several(self) -> bool:
        """Yes: one for each token."""
        return True

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def dimensions(self) -> int:
        """How many numbers a vector has."""
        return max(1, int(self.tokens.vector.shape[1]))

    def batches(self) -> Iterator[tuple[list[int], list[Any]]]:
        """Yield some ids and their vectors."""
        longest = int(np.diff(self.tokens.stops, prepend=0).max(initial=1))
        together = max(1, _TOGETHER // (self.dimensions * longest))
        order = np.argsort(self.tokens.place, kind="stable")
        for start in range(0, len(order), together):
            rows = order[start : start + together].tolist()
            texts = [self.tokens.of_text(row).whole.tolist() for row in rows]
            yield self.tokens.place[rows].tolist(), texts
