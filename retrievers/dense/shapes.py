"""Batches whose shape depends only on the length of their texts.

The last bits of a result change with the shape of its batch. Texts of one padded length therefore
always run in the same number of rows, filled up with dummies. On one thread, a text's numbers are
bitwise the same alone, among others, shuffled or resumed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from retrievers.interface import Integers

Row = np.ndarray[Any, np.dtype[np.int32]] | Integers
STEP = 32
TOKENS = 1024
"""Tokens per batch: enough to keep a core busy, few enough to stay in its cache."""


@dataclass(frozen=True)
class Shape:
    """Number of rows of a batch, and their padded length."""

    rows: int
    length: int

    @classmethod
    def of(cls, length: int, *, longest: int, tokens: int) -> "Shape":
        """Return the shape for texts of this length."""
        padded = max(length, min(longest, -(-max(length, 1) // STEP) * STEP))
        return cls(max(1, tokens // padded), padded)


def batches(
    lengths: Sequence[int] | Integers, *, longest: int, tokens: int = TOKENS
) -> Iterator[tuple[Shape, list[int]]]:
    """Yield the positions of texts that are computed together, the short ones first."""
    groups: dict[Shape, list[int]] = {}
    for place, length in enumerate(lengths):
        groups.setdefault(Shape.of(int(length), longest=longest, tokens=tokens), []).append(place)
    for shape in sorted(groups, key=lambda shape: shape.length):
        members = groups[shape]
        for start in range(0, len(members), shape.rows):
            yield shape, members[start : start + shape.rows]


def filled(shape: Shape, rows: Sequence[Row], *, padding: int) -> tuple[Integers, Integers]:
    """Return the token ids and the mask of a batch; a dummy row attends to its first token."""
    ids = np.full((shape.rows, shape.length), padding, np.int64)
    mask = np.zeros((shape.rows, shape.length), np.int64)
    mask[:, 0] = 1
    for place, row in enumerate(rows):
        ids[place, : len(row)] = row
        mask[place, : len(row)] = 1
    return ids, mask
