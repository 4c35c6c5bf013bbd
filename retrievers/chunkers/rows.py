"""What chunkers share: the row that a chunk is while documents are being cut."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from retrievers.interface import Chunks


class ChunkerError(ValueError):
    """A setting of a chunker has a value that is not allowed."""


class Row(NamedTuple):
    """One chunk; the names and their order are those of `Chunks`."""

    document: int
    start_byte: int
    end_byte: int
    start_line: int
    end_line: int
    start_token: int
    end_token: int


def gathered(rows: Iterable[Row]) -> Chunks:
    """Return the chunks that these rows are."""
    table = np.array(list(rows), np.int32).reshape(-1, len(Row._fields))
    columns = np.ascontiguousarray(table.T)
    return Chunks(**dict(zip(Row._fields, columns, strict=True)))
