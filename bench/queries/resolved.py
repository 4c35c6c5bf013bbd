"""Targets found in a pinned source tree, in the form that is compared with hits."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

Integers = np.ndarray[Any, np.dtype[np.int32]]


def _none() -> Integers:
    return np.zeros(0, np.int32)


@dataclass(frozen=True)
class Judgements:
    """Ground truth with a row per place and level; finer targets have rows at coarser levels.

    Places are byte ranges of their document. A file row covers the whole file.
    """

    query: Integers
    level: Integers
    """Index in LEVELS: 0 file, 1 symbol, 2 span."""
    document: Integers
    start_byte: Integers
    end_byte: Integers
    """The byte after the last."""
    grade: Integers
    choice: Integers = field(default_factory=_none)
    """Number of the alternatives that a row belongs to, or 0.

    Rows of a query and level with the same number above 0 are one target, and any of them counts.
    The column is empty if no target has alternatives.
    """
    asked_start: Integers = field(default_factory=_none)
    """Start of the part that strict credit requires: for types, the line with the name.

    The columns are empty if every row requires the whole place.
    """
    asked_end: Integers = field(default_factory=_none)
    state_query: Integers = field(default_factory=_none, kw_only=True)
    """Query of each target as written. The columns below record how the target was found."""
    state_written: tuple[str, ...] = field(default=(), kw_only=True)
    state_lost: tuple[str, ...] = field(default=(), kw_only=True)
    state_at: tuple[str, ...] = field(default=(), kw_only=True)
    state_lines: tuple[str, ...] = field(default=(), kw_only=True)
