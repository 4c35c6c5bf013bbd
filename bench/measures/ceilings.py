"""What no ranking can better: measures of the chunks themselves.

The recall ceiling is the share of targets that some chunk matches. Precision omega is the
precision, in tokens, of showing exactly the chunks that hold some of the right text.
"""

import numpy as np

from bench.measures.formulas import Found, Values, share
from bench.measures.matching import Pairs, Rule, Stretches, Targets
from bench.measures.ranges import Integers, expand, merged
from retrievers.interface import Chunks


def recall_ceiling(chunks: Chunks, targets: Targets, found: Found, rule: Rule) -> Values:
    """Return the share of the targets of each query that could be found."""
    reachable = np.zeros(len(targets), np.bool_)
    reachable[matching_chunks(chunks, targets, rule)[0]] = True
    return np.where(found.totals > 0, share(found.per_query(reachable), found.totals), np.nan)


def matching_chunks(chunks: Chunks, targets: Targets, rule: Rule) -> tuple[Integers, Integers]:
    """Return the pairs of a target and a chunk that matches it."""
    numbers, rows = in_same_documents(chunks, targets.places)
    if not targets.whole_files:
        enough = Pairs.of(chunks, rows, targets, numbers, rule).match()
        numbers, rows = numbers[enough], rows[enough]
    return targets.places.target[numbers], rows


def precision_omega(chunks: Chunks, right: Stretches, query_count: int) -> Values:
    """Return the precision of showing every chunk that holds some of the right text."""
    numbers, rows = in_same_documents(chunks, right)
    holds = _common(chunks, right, numbers, rows) > 0
    numbers, rows = numbers[holds], rows[holds]
    width = right.document.max(initial=0) + 1
    group = right.query[numbers] * width + right.document[numbers]
    group, start, stop = merged(
        group, chunks.start_token[rows].astype(np.int64), chunks.end_token[rows].astype(np.int64)
    )
    shown = np.bincount(group // width, stop - start, query_count)
    held = _held(right, (group, start, stop), width)
    kept = np.bincount(right.query, held, query_count)
    sizes = np.bincount(right.query, right.end - right.start, query_count)
    return np.where(sizes > 0, share(kept, shown), np.nan)


def in_same_documents(chunks: Chunks, places: Stretches) -> tuple[Integers, Integers]:
    """Return the pairs of a place and a chunk of its document."""
    lowest, highest = (
        np.searchsorted(chunks.document, places.document, side) for side in ("left", "right")
    )
    return expand(lowest, highest)


def _common(chunks: Chunks, right: Stretches, numbers: Integers, rows: Integers) -> Integers:
    end = np.minimum(chunks.end_token[rows], right.end[numbers])
    return np.asarray(end - np.maximum(chunks.start_token[rows], right.start[numbers]))


def _held(right: Stretches, shown: tuple[Integers, ...], width: int) -> Integers:
    """Return how much of each stretch of right text is shown; both are merged and sorted."""
    group, start, stop = shown
    wanted = right.query * width + right.document
    lowest, highest = (np.searchsorted(group, wanted, side) for side in ("left", "right"))
    owner, place = expand(lowest, highest)
    common = np.minimum(stop[place], right.end[owner])
    common = common - np.maximum(start[place], right.start[owner])
    return np.bincount(owner, np.maximum(common, 0), len(right)).astype(np.int64)
