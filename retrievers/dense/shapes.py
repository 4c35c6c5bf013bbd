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


def slice_by_length(
    lengths: np.ndarray[Any, Any], part: int, parts: int, *, whole_batches: bool = False
) -> Integers:
    """Return the positions of one of `parts` slices of texts, in the order of their length.

    The slices have about equally many tokens. With `whole_batches`, no slice begins within a
    batch: both parts of the batch would be filled up with dummies.
    """
    order = np.argsort(lengths, kind="stable")
    total = np.cumsum(lengths[order], dtype=np.int64)
    if not len(total):
        return order
    starts = _batch_starts(lengths[order], TOKENS if whole_batches else 1)
    # The first and the last slice are open, so that rounding cannot lose a text.
    bounds = np.searchsorted(total, [total[-1] * part / parts, total[-1] * (part + 1) / parts])
    first, stop = starts[np.searchsorted(starts, bounds)].tolist()
    return order[0 if part == 0 else first : len(order) if part == parts - 1 else stop]


def _batch_starts(lengths: np.ndarray[Any, Any], tokens: int) -> Integers:
    """Return the position of each batch of sorted texts, and their number.

    A model whose longest text is not a multiple of STEP may have other batches of such texts.
    """
    padded = -(-np.maximum(lengths, 1) // STEP) * STEP
    group = np.searchsorted(padded, padded)
    is_first = (np.arange(len(padded)) - group) % np.maximum(1, tokens // padded) == 0
    return np.append(np.flatnonzero(is_first), len(padded))


def filled(shape: Shape, rows: Sequence[Row], *, padding: int) -> tuple[Integers, Integers]:
    """Return the token ids and the mask of a batch; a dummy row attends to its first token."""
    ids = np.full((shape.rows, shape.length), padding, np.int64)
    mask = np.zeros((shape.rows, shape.length), np.int64)
    mask[:, 0] = 1
    for place, row in enumerate(rows):
        ids[place, : len(row)] = row
        mask[place, : len(row)] = 1
    return ids, mask
