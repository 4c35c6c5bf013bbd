"""Scores and hits of all queries of a finished trial, over all repositories."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from bench.measures import Scores, macro, micro
from bench.queries import Query
from bench.results.groups import Table
from bench.results.query_result import Hit, Numbers
from bench.stages import HitList
from bench.study import Study, Trial
from bench.study.repository_trial import Judged
from retrievers.external import EngineAnswers

Values = np.ndarray[Any, np.dtype[np.float64]]
Truths = np.ndarray[Any, np.dtype[np.bool_]]


@dataclass(frozen=True)
class ScoredQueries:
    """A table of all queries of a trial, with a row per query."""

    queries: tuple[Query, ...]
    repositories: tuple[str, ...]
    scores: tuple[Scores, ...]
    hits: tuple[HitList, ...]
    errors: tuple[str, ...] = ()
    """Error of each query without a ranking, otherwise "". Empty if all queries have a ranking."""
    more: Mapping[str, Values] = field(default_factory=dict)
    """Columns that are equal at every level, such as measures of answers."""

    def column(self, level: str, column: str) -> Values:
        """Return a column of one level, NaN for queries that failed or are not judged."""
        if column in self.more:
            return self.more[column]
        parts = [
            one.of(level, column) if level in one.levels else np.full(len(one.returned), np.nan)
            for one in self.scores
        ]
        return np.where(self.failed, np.nan, np.concatenate(parts))

    def judged(self, level: str) -> Values:
        """Return for each query whether it is judged at a level."""
        return ~np.isnan(self.column(level, self.columns[0]))

    def table(self, level: str) -> Table:
        """Return all columns of one level."""
        values = np.stack([self.column(level, column) for column in self.columns], axis=1)
        return Table(self.columns, values, self.repositories)

    @cached_property
    def failed(self) -> Truths:
        """True for queries with an error instead of a ranking. They are neither zeros nor
        refusals."""
        errors = self.errors or ("",) * len(self.queries)
        return np.array([bool(error) for error in errors], np.bool_)

    @cached_property
    def returned(self) -> Values:
        """Number of hits of each query."""
        return np.concatenate([one.returned for one in self.scores]).astype(np.float64)

    @cached_property
    def negative(self) -> Truths:
        """True for queries without a right answer."""
        return np.array([query.negative for query in self.queries], np.bool_)

    @cached_property
    def shown(self) -> list[tuple[Hit, ...]]:
        """The first hits of each query."""
        return [
            hits
            for scores, listed in zip(self.scores, self.hits, strict=True)
            for hits in _hits_by_query(listed, len(scores.returned))
        ]

    @cached_property
    def best_scores(self) -> Values:
        """Score of each query's first hit, NaN without hits."""
        return np.array([hits[0].score if hits else np.nan for hits in self.shown], np.float64)

    def averages(self, level: str) -> Numbers:
        """Return macro means over repositories, and micro means over queries."""
        numbers: dict[str, float | None] = {}
        for column in self.columns:
            values = self.column(level, column)
            numbers[f"avg_{column}"] = macro(values, self.repositories)
            numbers[f"micro_{column}"] = micro(values)
        for place, budget in enumerate(self.scores[0].budgets):
            ended = np.concatenate([one.ended_early[:, place] for one in self.scores])
            ranked = ended[~self.failed]
            share = float(ranked.mean()) if len(ranked) else None
            numbers[f"ended_early_at_{budget}_tokens"] = share
        return numbers

    @property
    def columns(self) -> tuple[str, ...]:
        """Measures in the order of the reports."""
        return (*self.scores[0].columns, *self.more)

    def first_ranks(self, level: str) -> np.ndarray[Any, np.dtype[np.int32]]:
        """Return the rank of each query's first right hit, or 0 without one."""
        return np.concatenate(
            [
                one.first_rank[one.levels.index(level)]
                if level in one.levels
                else np.zeros(len(one.returned), np.int32)
                for one in self.scores
            ]
        )

    def numbers(self, level: str) -> list[dict[str, float | None]]:
        """Return the measures of each query by column."""
        columns = [self.column(level, column).tolist() for column in self.columns]
        return [
            {
                name: None if math.isnan(value) else value
                for name, value in zip(self.columns, row, strict=True)
            }
            for row in zip(*columns, strict=True)
        ]

    @property
    def levels(self) -> tuple[str, ...]:
        """Levels at which any repository is judged."""
        return tuple(dict.fromkeys(level for one in self.scores for level in one.levels))


def scored_queries(study: Study, trial: Trial) -> ScoredQueries:
    """Return the queries of a trial without failures."""
    ends = trial.judged
    return ScoredQueries(
        queries=tuple(query for end in ends for query in end.repository.queries),
        repositories=tuple(end.repository.name for end in ends for _ in end.repository.queries),
        scores=tuple(study.result_of(end.scores) for end in ends),
        hits=tuple(study.result_of(end.hits) for end in ends),
        errors=tuple(error for end in ends for error in _errors(study, end)),
    )


def _errors(study: Study, end: Judged) -> tuple[str, ...]:
    """Return the error of each query, or ""."""
    found = [("",) * len(end.repository.queries)]
    for stage in end.answers:
        answers: EngineAnswers = study.result_of(stage)
        found.append(answers.errors)
    return tuple(next(filter(None, own), "") for own in zip(*found, strict=True))


def scores_of(study: Study, trial: Trial, column: str) -> tuple[Values, tuple[str, ...]] | None:
    """Return a measure of every query at the study's level with its repository; None if failed."""
    ends = [stage for end in trial.judged for stage in (end.scores, end.hits)]
    if any(map(study.has_failed, ends)):
        return None
    scored = scored_queries(study, trial)
    return np.asarray(scored.column(study.corpus.level, column)), scored.repositories


def _hits_by_query(listed: HitList, queries: int) -> list[tuple[Hit, ...]]:
    rows = [
        Hit(path, start, end, score, start_byte=start_byte, end_byte=end_byte, symbol=symbol)
        for path, start, end, score, start_byte, end_byte, symbol in zip(
            listed.path,
            listed.start.tolist(),
            listed.end.tolist(),
            map(float, map(str, listed.score)),  # shortest text that distinguishes 32-bit scores
            listed.start_byte.tolist(),
            listed.end_byte.tolist(),
            listed.symbol,
            strict=True,
        )
    ]
    bounds = np.searchsorted(listed.query, np.arange(queries + 1)).tolist()
    return [tuple(rows[start:end]) for start, end in pairwise(bounds)]
