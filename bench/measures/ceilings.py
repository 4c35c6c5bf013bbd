"""The recall ceiling: the share of targets that any chunk matches, for a perfect ranking."""

import numpy as np

from bench.measures.formulas import Found, Values, share
from bench.measures.matching import Pairs, Rule, Stretches, Targets
from bench.measures.ranges import Integers, expand
from retrievers.interface import Chunks


def recall_ceiling(chunks: Chunks, targets: Targets, found: Found, rule: Rule) -> Values:
    """Return the share of each query's targets that some chunk matches; NaN without targets."""
    reachable = np.zeros(len(targets), np.bool_)
    reachable[matching_chunks(chunks, targets, rule)[0]] = True
    return np.where(found.totals > 0, share(found.per_query(reachable), found.totals), np.nan)


def matching_chunks(chunks: Chunks, targets: Targets, rule: Rule) -> tuple[Integers, Integers]:
    """Return the pairs (target, chunk) that match."""
    numbers, rows = in_same_documents(chunks, targets.places)
    if not targets.whole_files:
        enough = Pairs.of(chunks, rows, targets, numbers, rule).match()
        numbers, rows = numbers[enough], rows[enough]
    return targets.places.target[numbers], rows


def in_same_documents(chunks: Chunks, places: Stretches) -> tuple[Integers, Integers]:
    """Return the pairs (place, chunk) that share a document."""
    lowest, highest = (
        np.searchsorted(chunks.document, places.document, side) for side in ("left", "right")
    )
    return expand(lowest, highest)
