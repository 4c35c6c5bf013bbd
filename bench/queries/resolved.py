"""Targets found in a pinned source tree, ready to be compared with hits."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

Integers = np.ndarray[Any, np.dtype[np.int32]]


def _none() -> Integers:
    return np.zeros(0, np.int32)


@dataclass(frozen=True)
class Judgements:
    """One row a place and level; a finer target also has a row at every coarser level.

    Places are bytes of their document; a file row covers all of its file.
    """

    query: Integers
    level: Integers
    """Place in LEVELS: 0 file, 1 symbol, 2 span."""
    document: Integers
    start_byte: Integers
    end_byte: Integers
    """The byte after the last."""
    grade: Integers
    choice: Integers = field(default_factory=_none)
    """Rows of a query and level that share a number above 0 are one target: any of them counts.
    Empty where no target has alternatives."""
    asked_start: Integers = field(default_factory=_none)
    """The part of each place that strict credit asks for: of a type, the line that names it.
    Empty where that is the whole place in every row."""
    asked_end: Integers = field(default_factory=_none)
    state_query: Integers = field(default_factory=_none, kw_only=True)
    """The query of each target as it is written, and below how the target was found."""
    state_written: tuple[str, ...] = field(default=(), kw_only=True)
    state_lost: tuple[str, ...] = field(default=(), kw_only=True)
    state_at: tuple[str, ...] = field(default=(), kw_only=True)
    state_lines: tuple[str, ...] = field(default=(), kw_only=True)
