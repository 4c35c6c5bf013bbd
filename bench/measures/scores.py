"""The scores of one ranking per query, at every level that is judged."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bench.errors import ArtifactError, SettingError
from bench.measures.formulas import Found, Values, first_ranks, values_of
from bench.measures.matching import DUPLICATE, LEVELS, Hits, Judged, Targets, match
from bench.measures.measure import STANDARD, Measure, Results, Tokens
from bench.measures.shown import Shown, TokenLines, shown, tokens_until_found
from retrievers.interface import Chunks, Rankings

Counts = np.ndarray[Any, np.dtype[np.int32]]


@dataclass(frozen=True)
class Scores:
    """What was measured of every query of one repository."""

    levels: tuple[str, ...]
    """Those that have targets, from coarse to fine."""
    columns: tuple[str, ...]
    budgets: tuple[int, ...]
    """The token cut-offs, in ascending order."""
    values: Values
    """Levels x queries x columns; NaN where the query has no target at the level."""
    first_rank: Counts
    """Levels x queries: the rank of the first relevant hit, 0 for none."""
    duplicates: Counts
    """Levels x queries: hits that match only what earlier hits had found."""
    returned: Counts
    """Queries: the number of hits."""
    ended_early: np.ndarray[Any, np.dtype[np.bool_]]
    """Queries x budgets: the ranking had less text than the budget."""
    shown_tokens: Counts
    """Queries: the tokens of the whole ranking, each counted once."""

    def of(self, level: str, column: str) -> Values:
        """Return a column of one level, one value a query."""
        if level not in self.levels or column not in self.columns:
            message = (
                f"no {column!r} at level {level!r}: scored are {', '.join(self.columns)} "
                f"at {', '.join(self.levels) or 'no level'}"
            )
            raise SettingError(message)
        return self.values[self.levels.index(level), :, self.columns.index(column)]


@dataclass(frozen=True)
class _Rules:
    overlap: float
    limit: int | None
    measures: tuple[Measure, ...]


@dataclass(frozen=True)
class _Level:
    values: Values
    first_rank: Counts
    duplicates: Counts


def score(  # noqa: PLR0913 - four inputs and the rules they are scored by
    rankings: Rankings,
    chunks: Chunks,
    judgements: Judged,
    token_lines: TokenLines,
    *,
    query_count: int,
    overlap: float = 0.5,
    measures: Sequence[Measure] = STANDARD,
    limit: int | None = None,
) -> Scores:
    """Measure every query's ranking; `limit` bounds results, never tokens."""
    rules = _Rules(overlap, limit, tuple(measures))
    _check(rules, rankings, judgements, query_count)
    reader = shown(Hits(rankings, chunks))
    targets = {name: Targets.at(judgements, number) for number, name in enumerate(LEVELS)}
    levels = tuple(name for name in LEVELS if len(targets[name]))
    scored = [_level(reader, targets[name], token_lines, rules) for name in levels]
    budgets = sorted({m.cutoff.limit for m in measures if isinstance(m.cutoff, Tokens)})
    totals = reader.totals()
    shape = (len(levels), query_count)
    return Scores(
        levels=levels,
        columns=tuple(measure.column for measure in measures),
        budgets=tuple(budgets),
        values=np.array([level.values for level in scored]).reshape(*shape, len(measures)),
        first_rank=_stacked([level.first_rank for level in scored], shape),
        duplicates=_stacked([level.duplicates for level in scored], shape),
        returned=np.minimum(reader.hits.counts, _deepest(limit)).astype(np.int32),
        ended_early=totals[:, None] < np.array(budgets, np.int64),
        shown_tokens=totals.astype(np.int32),
    )


def _level(reader: Shown, targets: Targets, token_lines: TokenLines, rules: _Rules) -> _Level:
    matches = match(reader.hits, targets, rules.overlap)
    found = Found(
        query_count=len(reader.hits.rankings),
        query=targets.query,
        grade=targets.grade,
        rank=matches.rank,
        tokens=tokens_until_found(reader, targets, matches, token_lines, rules.overlap),
        limit=rules.limit,
    )
    repeated = np.flatnonzero(matches.credit == DUPLICATE)
    repeated = repeated[reader.hits.ranks(repeated) <= _deepest(rules.limit)]
    everything = found.within(Results(_deepest(None)))
    return _Level(
        values=np.stack([values_of(measure, found) for measure in rules.measures], axis=1),
        first_rank=first_ranks(found, everything).astype(np.int32),
        duplicates=np.bincount(reader.hits.query[repeated], minlength=found.query_count).astype(
            np.int32
        ),
    )


def _deepest(limit: int | None) -> int:
    return int(np.iinfo(np.int32).max) if limit is None else limit


def _stacked(rows: list[Counts], shape: tuple[int, int]) -> Counts:
    return np.array(rows, np.int32).reshape(shape)


def _check(rules: _Rules, rankings: Rankings, judgements: Judged, query_count: int) -> None:
    if not 0 < rules.overlap <= 1:
        message = f"overlap={rules.overlap} is not a share: take more than 0 and at most 1"
        raise SettingError(message)
    if rules.limit is not None and rules.limit < 1:
        message = f"limit={rules.limit} shows nothing: take at least 1"
        raise SettingError(message)
    beyond = judgements.query.max(initial=-1) >= query_count
    if len(rankings) != query_count or beyond:
        message = (
            f"{query_count} queries cannot be scored with {len(rankings)} rankings and judgements "
            f"up to query {judgements.query.max(initial=-1)}: rank the queries that are judged"
        )
        raise ArtifactError(message)
