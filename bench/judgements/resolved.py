"""Targets found in a pinned source tree, ready to be compared with hits."""

from dataclasses import dataclass
from typing import Any

import numpy as np

Integers = np.ndarray[Any, np.dtype[np.int32]]


@dataclass(frozen=True)
class Judgements:
    """One row a target and level; a finer target has a row at every coarser level too.

    A file row covers lines 1 to the last line of its file.
    """

    query: Integers
    level: Integers
    """Place in LEVELS: 0 file, 1 symbol, 2 span."""
    document: Integers
    start: Integers
    end: Integers
    grade: Integers
