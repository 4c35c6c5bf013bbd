"""Precision and recall of text: the relevant share of shown text, and the shown share of targets.

Text is measured on an axis, in tokens or in characters, and each stretch counts once. A target
with alternatives counts as one of them. The shares of tokens and characters use the alternative
that was found, else the shortest. Coverage uses the alternative with the largest share shown.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from bench.measures.axes import Axis, InTokens, whole
from bench.measures.ceilings import in_same_documents
from bench.measures.formulas import Found, Values, share
from bench.measures.matching import Matches, Stretches, Targets, in_one_document
from bench.measures.measure import Measure, Results, Tokens
from bench.measures.ranges import Integers, in_order, merged, numbered
from bench.measures.shown_tokens import Shown


def right_text(
    targets: Targets, axis: Axis, text: InTokens, matches: Matches | None = None
) -> Stretches:
    """Return the relevant stretches of text, merged by query and document."""
    return _merged(_some(_stretches(targets, axis, text), _chosen(targets, matches)))


def _stretches(targets: Targets, axis: Axis, text: InTokens) -> Stretches:
    """Return the places of targets in the units of an axis."""
    places = targets.places
    if targets.whole_files:
        end = whole(axis, text.characters, places.document)
        return Stretches(places.query, places.document, np.zeros_like(end), end)
    start, end = (axis.at(places.document, byte) for byte in (places.start, places.end))
    return Stretches(places.query, places.document, start, end)


def _merged(stretches: Stretches) -> Stretches:
    width = stretches.document.max(initial=0) + 1
    group = stretches.query * width + stretches.document
    group, start, stop = merged(group, stretches.start, stretches.end)
    return Stretches(group // width, group % width, start, stop)


def _some(stretches: Stretches, chosen: Integers) -> Stretches:
    rows = (stretches.query, stretches.document, stretches.start, stretches.end)
    return Stretches(*(row[chosen] for row in rows))


def _chosen(targets: Targets, matches: Matches | None) -> Integers:
    """Choose one place for each target: a found one, else the shortest."""
    places = targets.places
    found = np.zeros(len(places), np.bool_)
    if matches is not None:
        found[matches.won_place] = True
    order = np.lexsort((places.end - places.start, ~found, places.target))
    return np.asarray(order[np.diff(places.target[order], prepend=-1) != 0])


@dataclass(frozen=True)
class Texts:
    """Text that rankings show, compared with the relevant text."""

    reader: Shown
    right: Stretches
    axis: Axis

    @cached_property
    def sizes(self) -> Values:
        """Amount of relevant text of each query."""
        return self.added(self.right.query, self.right.end - self.right.start)

    def within(self, shown: Stretches) -> tuple[Values, Values]:
        """Return the amount of text shown, and the amount of relevant text shown."""
        right = self.added(self.right.query, self.held(shown))
        return self.added(shown.query, shown.end - shown.start), right

    def held(self, shown: Stretches) -> Integers:
        """Return the amount of each relevant stretch that is shown."""
        pieces, places = in_one_document(shown.query, shown.document, self.right)
        common = np.minimum(shown.end[pieces], self.right.end[places])
        common = common - np.maximum(shown.start[pieces], self.right.start[places])
        return np.bincount(places, np.maximum(common, 0), len(self.right)).astype(np.int64)

    def shown(self, cutoff: Results | Tokens, limit: int | None) -> Stretches:
        """Return the text shown before a cut-off, without repetition."""
        if isinstance(cutoff, Tokens):
            return self.in_budgets(budgets_of(cutoff, self.reader, limit))
        return _merged(self.of_hits(_depth(cutoff, limit)))

    def of_hits(self, depth: int) -> Stretches:
        """Return the text of each of the first hits, including overlaps.

        Bounds come from bytes, which are exact where chunks are not cut at tokens.
        """
        hits = self.reader.hits
        rows = np.flatnonzero(numbered(hits.query.astype(np.int64)) <= depth)
        chunk, document = hits.rankings.chunk[rows], hits.document[rows].astype(np.int64)
        bounds = (hits.chunks.start_byte[chunk], hits.chunks.end_byte[chunk])
        start, end = (self.axis.at(document, byte.astype(np.int64)) for byte in bounds)
        return Stretches(hits.query[rows].astype(np.int64), document, start, end)

    def in_budgets(self, budgets: Integers) -> Stretches:
        """Return the text shown within the token budget of each query, without repetition."""
        hit, query = self.reader.hit, self.reader.hits.query[self.reader.hit]
        left = budgets[query] - self.reader.before
        rows = np.flatnonzero(left > 0)
        document = self.reader.hits.document[hit[rows]].astype(np.int64)
        end = np.minimum(self.reader.end[rows], self.reader.start[rows] + left[rows])
        start = self.axis.before(document, self.reader.start[rows])
        stop = self.axis.before(document, end)
        return Stretches(query[rows].astype(np.int64), document, start, stop)

    def added(self, query: np.ndarray[Any, Any], length: np.ndarray[Any, Any]) -> Values:
        """Return the sum of lengths of each query."""
        count = len(self.reader.hits.rankings)
        return np.bincount(query, length, count).astype(np.float64)


@dataclass(frozen=True)
class Covered:
    """Share of the text of its targets that each query is shown.

    The length of a target with alternatives is that of its shortest place, even if another is
    covered best. Its weight must not change with the cut-off, or showing more could lower the
    coverage.
    """

    plain: Texts
    """Targets with a single place; common text counts once."""
    places: Texts
    """Every place of the targets with alternatives, separately."""
    choice: Integers
    """The target of each of these places, counted from 0."""

    @classmethod
    def of(cls, reader: Shown, targets: Targets, axis: Axis, text: InTokens) -> "Covered":
        """Split targets into those with a single place and those with alternatives."""
        stretches, target = _stretches(targets, axis, text), targets.places.target
        alone = np.bincount(target, minlength=len(targets))[target] == 1
        # A place without characters cannot be shown.
        others = ~alone & (stretches.end > stretches.start)
        rows = (stretches.query, stretches.document, stretches.start, stretches.end, target)
        *own, choice = in_order(np.stack([row[others] for row in rows]))
        plain = Texts(reader, _merged(_some(stretches, np.flatnonzero(alone))), axis)
        numbers = np.unique(choice, return_inverse=True)[1].astype(np.int64)
        return cls(plain, Texts(reader, Stretches(*own), axis), numbers)

    def within(self, cutoff: Results | Tokens, limit: int | None) -> Values:
        """Return the share shown before a cut-off, NaN without relevant text."""
        shown = self.plain.shown(cutoff, limit)
        _, covered = self.plain.within(shown)
        right = self.places.right
        length = (right.end - right.start).astype(np.float64)
        count = self.choice.max(initial=-1) + 1
        # For each target, the length of its shortest place and its largest share shown.
        weight, best = np.full(count, np.inf), np.zeros(count)
        np.minimum.at(weight, self.choice, length)
        np.maximum.at(best, self.choice, self.places.held(shown) / length)
        query = np.zeros(count, np.int64)
        query[self.choice] = right.query
        covered = covered + self.plain.added(query, weight * best)
        sizes = self.plain.sizes + self.plain.added(query, weight)
        return np.where(sizes > 0, share(covered, sizes), np.nan)


def budgets_of(cutoff: Results | Tokens, reader: Shown, limit: int | None) -> Integers:
    """Return the number of tokens that each query's ranking shows before the cut-off."""
    if isinstance(cutoff, Tokens):
        return np.minimum(reader.totals(), cutoff.limit)
    return reader.totals(_depth(cutoff, limit))


def _depth(cutoff: Results, limit: int | None) -> int:
    return cutoff.limit if limit is None else min(cutoff.limit, limit)


def text_value(
    measure: Measure, texts: Texts, cutoff: Results | Tokens, limit: int | None
) -> Values:
    """Return a measure of text of each query, NaN without relevant text."""
    shown, right = texts.within(texts.shown(cutoff, limit))
    formula = _FORMULAS[measure.name.partition("_")[2]]
    return np.where(texts.sizes > 0, formula(shown, right, texts.sizes), np.nan)


def published_value(measure: Measure, texts: Texts, cutoff: Results, limit: int | None) -> Values:
    """Return a measure as defined in studies of chunking: repeated text counts as shown twice."""
    hits = texts.of_hits(_depth(cutoff, limit))
    _, right = texts.within(_merged(hits))
    shown = texts.added(hits.query, hits.end - hits.start)
    formula = _FORMULAS[measure.name.partition("_")[2]]
    return np.where(texts.sizes > 0, formula(shown, right, texts.sizes), np.nan)


def omega(texts: Texts) -> Values:
    """Return the precision of showing every chunk that overlaps relevant text."""
    chunks, right = texts.reader.hits.chunks, texts.right
    numbers, rows = in_same_documents(chunks, right)
    # Only chunks in these documents: measuring all takes longer than the rest of the scores.
    near, rows = np.unique(rows, return_inverse=True)
    document = chunks.document[near].astype(np.int64)
    bounds = (chunks.start_byte[near].astype(np.int64), chunks.end_byte[near].astype(np.int64))
    start, end = (texts.axis.at(document, byte) for byte in bounds)
    touches = (start[rows] < right.end[numbers]) & (end[rows] > right.start[numbers])
    numbers, rows = numbers[touches], rows[touches]
    every = Stretches(right.query[numbers], document[rows], start[rows], end[rows])
    shown, held = texts.within(_merged(every))
    return np.where(texts.sizes > 0, share(held, shown), np.nan)


def efficiency(measure: Measure, texts: Texts, found: Found) -> Values:
    """Return the relevant share of the text shown until the last target is found."""
    last = np.zeros(found.query_count, np.int64)
    within = found.within(measure.cutoff or Results(1))
    np.maximum.at(last, found.query[within], found.tokens[within])
    shown, right = texts.within(texts.in_budgets(last))
    return np.where(found.totals > 0, share(right, shown), np.nan)


_FORMULAS: dict[str, Callable[[Values, Values, Values], Values]] = {
    "precision": lambda shown, right, _: share(right, shown),
    "recall": lambda _, right, size: share(right, size),
    "iou": lambda shown, right, size: share(right, shown + size - right),
}
