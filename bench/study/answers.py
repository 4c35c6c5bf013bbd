"""What a finished trial has to say of every query, over all repositories."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from bench.judgements import Query
from bench.measures import Scores, macro, micro
from bench.stages import EngineAnswers, HitList
from bench.study.branch import Judged
from bench.study.groups import Table
from bench.study.result import Numbers
from bench.study.study import Study
from bench.study.trial import Trial

Values = np.ndarray[Any, np.dtype[np.float64]]
Truths = np.ndarray[Any, np.dtype[np.bool_]]
Hit = tuple[str, int, int, float]


@dataclass(frozen=True)
class Answers:
    """All queries of a trial in one table: a row a query, over all repositories."""

    queries: tuple[Query, ...]
    repositories: tuple[str, ...]
    scores: tuple[Scores, ...]
    hits: tuple[HitList, ...]
    errors: tuple[str, ...] = ()
    """For each query why it has no answer, blank where it has one; nothing if all have one."""
    more: Mapping[str, Values] = field(default_factory=dict)
    """Columns that are the same at every level: those of what was made of the rankings."""

    def column(self, level: str, column: str) -> Values:
        """Return a column of one level, NaN where a query is not judged or has failed."""
        if column in self.more:
            return self.more[column]
        parts = [
            one.of(level, column) if level in one.levels else np.full(len(one.returned), np.nan)
            for one in self.scores
        ]
        return np.where(self.failed, np.nan, np.concatenate(parts))

    def judged(self, level: str) -> Values:
        """Tell which queries are judged at a level."""
        return ~np.isnan(self.column(level, self.columns[0]))

    def table(self, level: str) -> Table:
        """Return all columns of one level."""
        values = np.stack([self.column(level, column) for column in self.columns], axis=1)
        return Table(self.columns, values, self.repositories)

    @cached_property
    def failed(self) -> Truths:
        """Which queries have an error in place of an answer: neither a zero nor a refusal."""
        errors = self.errors or ("",) * len(self.queries)
        return np.array([bool(error) for error in errors], np.bool_)

    @cached_property
    def returned(self) -> Values:
        """How many hits each query has."""
        return np.concatenate([one.returned for one in self.scores]).astype(np.float64)

    @cached_property
    def negative(self) -> Truths:
        """Which queries have no answer."""
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
        """The score of each query's first hit, NaN for none."""
        return np.array([hits[0][3] if hits else np.nan for hits in self.shown], np.float64)

    def averages(self, level: str) -> Numbers:
        """Return macro means over repositories, and micro means over queries beside them."""
        numbers: dict[str, float | int | None] = {}
        for column in self.columns:
            values = self.column(level, column)
            numbers[f"avg_{column}"] = macro(values, self.repositories)
            numbers[f"micro_{column}"] = micro(values)
        for place, budget in enumerate(self.scores[0].budgets):
            ended = np.concatenate([one.ended_early[:, place] for one in self.scores])
            answered = ended[~self.failed]
            share = float(answered.mean()) if len(answered) else None
            numbers[f"ended_early_at_{budget}_tokens"] = share
        return numbers

    @property
    def columns(self) -> tuple[str, ...]:
        """What is measured, in the order of reports."""
        return (*self.scores[0].columns, *self.more)

    @property
    def levels(self) -> tuple[str, ...]:
        """The levels that are judged in some repository."""
        return tuple(dict.fromkeys(level for one in self.scores for level in one.levels))


def answers_of(study: Study, trial: Trial) -> Answers:
    """Return the answers of a trial of which nothing failed."""
    ends = trial.judged
    return Answers(
        queries=tuple(query for end in ends for query in end.repository.queries),
        repositories=tuple(end.repository.name for end in ends for _ in end.repository.queries),
        scores=tuple(study.result_of(end.scores) for end in ends),
        hits=tuple(study.result_of(end.hits) for end in ends),
        errors=tuple(error for end in ends for error in _errors(study, end)),
    )


def _errors(study: Study, end: Judged) -> tuple[str, ...]:
    """Return why queries failed, blank for those that did not."""
    found = [("",) * len(end.repository.queries)]
    for stage in end.answers:
        answers: EngineAnswers = study.result_of(stage)
        found.append(answers.errors)
    return tuple(next(filter(None, own), "") for own in zip(*found, strict=True))


def _hits_by_query(listed: HitList, queries: int) -> list[tuple[Hit, ...]]:
    columns = (listed.start.tolist(), listed.end.tolist(), listed.score.tolist())
    rows = list(zip(listed.path, *columns, strict=True))
    bounds = np.searchsorted(listed.query, np.arange(queries + 1)).tolist()
    return [tuple(rows[start:end]) for start, end in pairwise(bounds)]
