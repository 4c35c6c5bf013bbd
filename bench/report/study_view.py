"""A finished study as reports show it: trials in order, and queries that can be compared."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bench.advice import measure_label
from bench.analysis import ScoreMatrix
from bench.results import COLUMNS, Column, QueryResult, StudyResult, TrialResult
from bench.results.columns import objective_first, with_asked
from bench.results.short_names import ShortNames, short_names

_LONGEST_NAME = 80
"""Characters of a name in a table of a page."""


@dataclass(frozen=True, eq=False)
class StudyView:
    """A study's results, the best trial first."""

    study: StudyResult
    headlines: Sequence[Column] = COLUMNS

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """The columns of its tables: first the measure that trials are compared by."""
        asked = {one: measure_label(one) for one in self.study.settings.measures}
        return objective_first(self.objective, self.quality, with_asked(self.headlines, asked))

    @property
    def trials(self) -> Sequence[TrialResult]:
        """All trials in the order of the grid."""
        return self.study.trials

    @cached_property
    def done(self) -> tuple[TrialResult, ...]:
        """The trials that have a result and could be shipped, in the order of the grid."""
        found = tuple(trial for trial in self.trials if not trial.failed and trial.queries)
        return tuple(trial for trial in found if not trial.is_bound) or found

    @cached_property
    def listed(self) -> tuple[TrialResult, ...]:
        """The trials that have a result, the best first, and then floors and ceilings."""
        done = {id(trial) for trial in self.done}
        bounds = (t for t in self.trials if t.is_bound and not t.failed and id(t) not in done)
        return (*self.ranked, *bounds)

    @cached_property
    def ranked(self) -> tuple[TrialResult, ...]:
        """The trials that could be shipped, the best first."""
        return tuple(sorted(self.done, key=lambda trial: -_or(trial.mean(self.objective), -1.0)))

    @property
    def objective(self) -> str:
        """The measure that trials are compared by."""
        return self.study.settings.advice.measure

    @property
    def choice(self) -> str:
        """Which of the queries were asked, in words; nothing for all of them."""
        half = self.study.half
        of_half = "" if half == "all" else f"the {half} half of the {self.study.half_of}"
        return ", ".join(part for part in (of_half, self.study.only) if part)

    @property
    def quality(self) -> str:
        """The objective as people read it."""
        return measure_label(self.objective)

    @property
    def chosen(self) -> TrialResult | None:
        """The trial that is advised, or else the highest one."""
        names = [self.study.advice.ship, self.study.advice.highest]
        named = {trial.name: trial for trial in self.done}
        return next((named[name] for name in names if name in named), None) or next(
            iter(self.ranked), None
        )

    @property
    def runner_up(self) -> TrialResult | None:
        """The best trial besides the chosen one; None if it is the only one."""
        return next((trial for trial in self.ranked if trial is not self.chosen), None)

    @cached_property
    def ruled_out(self) -> dict[str, str]:
        """The trials that do not keep the limits of the study, and why."""
        return {one.trial: one.why for one in self.study.advice.ruled_out}

    @property
    def baseline(self) -> TrialResult | None:
        """The trial that others are compared with: the first one, unless one was named."""
        tested = self.study.advice.tested
        wanted = (tested.baseline if tested else "") or self.trials[0].name
        return next((trial for trial in self.done if trial.name == wanted), None)

    def place(self, trial: TrialResult) -> int:
        """Return where a trial is listed, from 0 on."""
        return next(place for place, one in enumerate(self.listed) if one is trial)

    @cached_property
    def names(self) -> ShortNames:
        """The names of the trials in tables."""
        return short_names([trial.name for trial in self.listed], _LONGEST_NAME)

    @cached_property
    def places(self) -> dict[str, int]:
        """The place of each trial in the table, from 1 on: the name that plots have room for."""
        return {trial.name: place for place, trial in enumerate(self.listed, 1)}

    @cached_property
    def questions(self) -> tuple[QueryResult, ...]:
        """The queries that count, those of a repository together, as any trial has them."""
        return tuple(self.done[0].queries[row] for row in self._rows) if self.done else ()

    @cached_property
    def _rows(self) -> tuple[int, ...]:
        """The rows of the queries that every trial has a number for."""
        columns = [
            [_or(query.numbers.get(self.objective), np.nan) for query in trial.queries]
            for trial in self.done
        ]
        judged = np.flatnonzero(~np.isnan(np.array(columns, np.float64)).any(axis=0)).tolist()
        names = [query.repository for query in self.done[0].queries]
        order = {name: place for place, name in enumerate(dict.fromkeys(names))}
        return tuple(sorted(judged, key=lambda row: order[names[row]]))

    @cached_property
    def comparable(self) -> bool:
        """Whether there are queries that every trial was judged on."""
        same = len({len(trial.queries) for trial in self.done}) == 1
        return bool(self.done) and same and bool(self._rows)

    def matrix(self, measure: str) -> ScoreMatrix | None:
        """Return every trial's score of every query that counts; None if one is not known."""
        if not self.comparable:
            return None
        values = np.array(
            [
                [_or(trial.queries[row].numbers.get(measure), np.nan) for trial in self.done]
                for row in self._rows
            ]
        )
        if np.isnan(values).any():
            return None
        owners = [query.repository for query in self.questions]
        return ScoreMatrix.of(values, owners, [trial.name for trial in self.done])

    @cached_property
    def repositories(self) -> tuple[str, ...]:
        """The repositories of the study."""
        return tuple(dict.fromkeys(name for trial in self.trials for name in trial.repositories))

    @cached_property
    def budgets(self) -> tuple[int, ...]:
        """The token budgets at which recall is known."""
        columns = {column for trial in self.done for column in trial.summary}
        found = [column.split("_")[3] for column in columns if _is_budget(column)]
        return tuple(sorted(int(tokens) for tokens in found))


def _is_budget(column: str) -> bool:
    return column.startswith("avg_recall_at_") and column.endswith("_tokens")


def _or(value: float | None, otherwise: float) -> float:
    return otherwise if value is None else float(value)
