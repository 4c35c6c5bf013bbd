"""Scores of one ranking per query, at every level with judgements."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from bench.errors import ArtifactError, SettingError
from bench.measures.axes import InCharacters, InTokens
from bench.measures.ceilings import recall_ceiling
from bench.measures.characters import Characters
from bench.measures.formulas import (
    FORMULAS,
    Found,
    Returned,
    Values,
    first_ranks,
    values_of,
)
from bench.measures.matching import DUPLICATE, LEVELS, Hits, Judged, Matches, Rule, Targets, match
from bench.measures.measure import (
    PUBLISHED,
    PUBLISHED_OMEGA,
    STANDARD,
    Measure,
    Results,
    Tokens,
)
from bench.measures.shown_tokens import Shown, shown, tokens_until_found
from bench.measures.texts import (
    Covered,
    Texts,
    budgets_of,
    efficiency,
    omega,
    published_value,
    right_text,
    text_value,
)
from retrievers.interface import Chunks, Rankings, TokenEnds

Counts = np.ndarray[Any, np.dtype[np.int32]]


@dataclass(frozen=True)
class Scores:
    """Measured values of every query of one repository."""

    levels: tuple[str, ...]
    """Levels with targets, from coarse to fine."""
    columns: tuple[str, ...]
    budgets: tuple[int, ...]
    """The token cut-offs, in ascending order."""
    values: Values
    """Levels x queries x columns; NaN where the query has no target at the level."""
    first_rank: Counts
    """Levels x queries: the rank of the first relevant hit, 0 for none."""
    duplicates: Counts
    """Levels x queries: hits that match only targets that earlier hits had found."""
    returned: Counts
    """Queries: the number of hits."""
    ended_early: np.ndarray[Any, np.dtype[np.bool_]]
    """Queries x budgets: whether the ranking has less text than the budget."""
    shown_tokens: Counts
    """Queries: tokens of the whole ranking, with repeated text counted once."""

    def of(self, level: str, column: str) -> Values:
        """Return a column of one level, one value per query."""
        if level not in self.levels or column not in self.columns:
            message = (
                f"no {column!r} at level {level!r}: scored are {', '.join(self.columns)} "
                f"at {', '.join(self.levels) or 'no level'}"
            )
            raise SettingError(message)
        return self.values[self.levels.index(level), :, self.columns.index(column)]


@dataclass(frozen=True)
class _Level:
    """One level of one repository: its targets, their matches, and the text around them."""

    reader: Shown
    targets: Targets
    rule: Rule
    limit: int | None
    text: InTokens

    @cached_property
    def matches(self) -> Matches:
        return match(self.reader.hits, self.targets, self.rule)

    @cached_property
    def found(self) -> Found:
        repeated = self.matches.credit == DUPLICATE
        return Found(
            query_count=len(self.reader.hits.rankings),
            query=self.targets.query,
            grade=self.targets.grade,
            rank=self.matches.rank,
            tokens=tokens_until_found(
                self.reader, self.targets, self.matches, self.rule, self.text
            ),
            limit=self.limit,
            returned=Returned(self.reader, np.flatnonzero(repeated)),
        )

    @cached_property
    def in_tokens(self) -> Texts:
        return self._texts(self.text)

    @cached_property
    def in_characters(self) -> Texts:
        return self._texts(InCharacters(self.text))

    @cached_property
    def published(self) -> Texts:
        """Text in characters including white space, like published studies of chunking."""
        documents = self.text.characters.documents
        every = InTokens(Characters(documents, white_space=True), self.text.tokens)
        right = right_text(self.targets, InCharacters(every), every, self.matches)
        return Texts(self.reader, right, InCharacters(every))

    def _texts(self, axis: InTokens | InCharacters) -> Texts:
        right = right_text(self.targets, axis, self.text, self.matches)
        return Texts(self.reader, right, axis)

    @cached_property
    def covered(self) -> Covered:
        return Covered.of(self.reader, self.targets, InCharacters(self.text), self.text)

    def values(self, measure: Measure, files: Found) -> Values:
        """Return a measure of each query; `files` has the targets found at file level."""
        if measure.name in FORMULAS:
            return values_of(measure, self.found)
        if measure.cutoff is None:
            return self._of_chunks(measure)
        if measure.name == "file_recall":
            return values_of(Measure("recall", measure.cutoff), files)
        if measure.name == "coverage" and self.targets.whole_files:
            return values_of(Measure("recall", measure.cutoff), self.found)
        return self._of_text(measure, measure.cutoff)

    def _of_text(self, measure: Measure, cutoff: Results | Tokens) -> Values:
        if measure.name == "coverage":
            return self.covered.within(cutoff, self.limit)
        if measure.name == "shown_tokens":
            budgets = budgets_of(cutoff, self.reader, self.limit)
            return np.where(self.found.totals > 0, budgets, np.nan)
        if measure.name == "token_efficiency":
            return efficiency(measure, self.in_tokens, self.found)
        if isinstance(cutoff, Results) and measure.name in PUBLISHED:
            return published_value(measure, self.published, cutoff, self.limit)
        texts = self.in_tokens if measure.name.startswith("token_") else self.in_characters
        return text_value(measure, texts, cutoff, self.limit)

    def _of_chunks(self, measure: Measure) -> Values:
        chunks = self.reader.hits.chunks
        if measure.name == "recall_ceiling":
            return recall_ceiling(chunks, self.targets, self.found, self.rule)
        axis = self.published.axis if measure.name == PUBLISHED_OMEGA else self.text
        # Without `matches`, because measures of chunks must not depend on the ranking.
        return omega(Texts(self.reader, right_text(self.targets, axis, self.text), axis))

    def first_rank(self) -> Counts:
        everything = self.found.within(Results(_deepest(None)))
        return first_ranks(self.found, everything).astype(np.int32)

    def duplicates(self) -> Counts:
        counts = self.found.hits(Returned.duplicates, Results(_deepest(None)))
        return counts.astype(np.int32)


def score(  # noqa: PLR0913 - four inputs and the rules they are scored by
    rankings: Rankings,
    chunks: Chunks,
    judgements: Judged,
    tokens: TokenEnds,
    *,
    query_count: int,
    rule: Rule,
    measures: Sequence[Measure] = STANDARD,
    limit: int | None = None,
) -> Scores:
    """Measure the ranking of every query; `limit` bounds results but not tokens."""
    _check(rankings, judgements, query_count, limit)
    reader = shown(Hits(rankings, chunks))
    targets = [Targets.at(judgements, number) for number in range(len(LEVELS))]
    text = InTokens(rule.characters, tokens)
    every = [_Level(reader, one, rule, limit, text) for one in targets]
    scored = [(name, one) for name, one in zip(LEVELS, every, strict=True) if len(one.targets)]
    budgets = sorted({m.cutoff.limit for m in measures if isinstance(m.cutoff, Tokens)})
    totals = reader.totals()
    shape = (len(scored), query_count)
    values = [one.values(measure, every[0].found) for _, one in scored for measure in measures]
    return Scores(
        levels=tuple(name for name, _ in scored),
        columns=tuple(measure.column for measure in measures),
        budgets=tuple(budgets),
        values=np.array(values).reshape(len(scored), len(measures), query_count).swapaxes(1, 2),
        first_rank=_stacked([one.first_rank() for _, one in scored], shape),
        duplicates=_stacked([one.duplicates() for _, one in scored], shape),
        returned=np.minimum(reader.hits.counts, _deepest(limit)).astype(np.int32),
        ended_early=totals[:, None] < np.array(budgets, np.int64),
        shown_tokens=totals.astype(np.int32),
    )


def _deepest(limit: int | None) -> int:
    return int(np.iinfo(np.int32).max) if limit is None else limit


def _stacked(rows: list[Counts], shape: tuple[int, int]) -> Counts:
    return np.array(rows, np.int32).reshape(shape)


def _check(rankings: Rankings, judgements: Judged, query_count: int, limit: int | None) -> None:
    if limit is not None and limit < 1:
        message = f"limit={limit} shows nothing: take at least 1"
        raise SettingError(message)
    beyond = judgements.query.max(initial=-1) >= query_count
    if len(rankings) != query_count or beyond:
        message = (
            f"{query_count} queries cannot be scored with {len(rankings)} rankings and judgements "
            f"up to query {judgements.query.max(initial=-1)}: rank the queries that are judged"
        )
        raise ArtifactError(message)
