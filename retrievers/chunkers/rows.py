"""Code shared by chunkers: the check of sizes, and the rows that become `Chunks`."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from retrievers.errors import ChunkerError
from retrievers.interface import Chunks

SIZES = range(16, 8192 + 1)


def check_sizes(size: int, overlap: int) -> None:
    """Raise an error for a size or an overlap out of range."""
    if size not in SIZES:
        message = f"size={size}: a chunk has {SIZES[0]} to {SIZES[-1]} tokens"
        raise ChunkerError(message)
    if overlap not in range(size):
        message = f"overlap={overlap}: choose 0 to {size - 1}, less than the size"
        raise ChunkerError(message)


class Row(NamedTuple):
    """One chunk. The fields have the names and the order of those of `Chunks`."""

    document: int
    start_byte: int
    end_byte: int
    start_line: int
    end_line: int
    start_token: int
    end_token: int


def gathered(rows: Iterable[Row]) -> Chunks:
    """Return rows as `Chunks`."""
    table = np.array(list(rows), np.int32).reshape(-1, len(Row._fields))
    columns = np.ascontiguousarray(table.T)
    return Chunks(**dict(zip(Row._fields, columns, strict=True)))
