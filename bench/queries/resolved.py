"""Targets found in a pinned source tree, ready to be compared with hits."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

Integers = np.ndarray[Any, np.dtype[np.int32]]


def _none() -> Integers:
    return np.zeros(0, np.int32)


@dataclass(frozen=True)
class Judgements:
    """One row a place and level; a finer target has a row at every coarser level too.

    A file row covers lines 1 to the last line of its file.
    """

    query: Integers
    level: Integers
    """Place in LEVELS: 0 file, 1 symbol, 2 span."""
    document: Integers
    start: Integers
    end: Integers
    grade: Integers
    choice: Integers = field(default_factory=_none)
    """Rows of a query and level that share a number above 0 are one target: any of them counts.
    Empty where no target has alternatives."""
    state_query: Integers = field(default_factory=_none, kw_only=True)
    """The query of each target as it is written, and below how the target was found."""
    state_written: tuple[str, ...] = field(default=(), kw_only=True)
    state_lost: tuple[str, ...] = field(default=(), kw_only=True)
    state_at: tuple[str, ...] = field(default=(), kw_only=True)
    state_lines: tuple[str, ...] = field(default=(), kw_only=True)
