"""A view of a finished study: sorted trials and comparable queries."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bench.advice import measure_label
from bench.analysis import ScoreMatrix
from bench.results import COLUMNS, Column, PriorChoice, QueryResult, StudyResult, TrialResult
from bench.results.columns import objective_first, with_asked
from bench.results.short_names import ShortNames, short_names

_LONGEST_NAME = 80
"""Maximum characters of a trial's name in a table of a page."""


@dataclass(frozen=True, eq=False)
class StudyView:
    """Results of a study with derived values for reports. "Best" means by the objective."""

    study: StudyResult
    headlines: Sequence[Column] = COLUMNS

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """Columns of the tables. The objective is first."""
        asked = {one: measure_label(one) for one in self.study.settings.measures}
        return objective_first(self.objective, self.quality, with_asked(self.headlines, asked))

    @property
    def trials(self) -> Sequence[TrialResult]:
        """All trials in the order of the grid."""
        return self.study.trials

    @cached_property
    def done(self) -> tuple[TrialResult, ...]:
        """Trials with a result, without floors and ceilings, in the order of the grid.

        If there are only floors and ceilings, they are included.
        """
        found = tuple(trial for trial in self.trials if not trial.failed and trial.queries)
        return tuple(trial for trial in found if not trial.is_bound) or found

    @cached_property
    def listed(self) -> tuple[TrialResult, ...]:
        """Trials with a result, the best first, followed by floors and ceilings."""
        done = {id(trial) for trial in self.done}
        bounds = (t for t in self.trials if t.is_bound and not t.failed and id(t) not in done)
        return (*self.ranked, *bounds)

    @cached_property
    def ranked(self) -> tuple[TrialResult, ...]:
        """The `done` trials, the best first."""
        return tuple(sorted(self.done, key=lambda trial: -_or(trial.mean(self.objective), -1.0)))

    @property
    def objective(self) -> str:
        """The measure that ranks the trials."""
        return self.study.settings.advice.measure

    @property
    def choice(self) -> str:
        """The selection of queries in words; empty for all queries."""
        half = self.study.half
        of_half = "" if half == "all" else f"the {half} half of the {self.study.half_of}"
        return ", ".join(part for part in (of_half, self.study.only) if part)

    @property
    def quality(self) -> str:
        """The label of the objective."""
        return measure_label(self.objective)

    @property
    def chosen(self) -> TrialResult | None:
        """The trial of chosen.yaml, or else the one with the highest mean."""
        advice = self.study.advice
        prior = advice.prior.trial if advice.prior else None
        best = advice.tested.best if advice.tested else None
        named = {trial.name: trial for trial in self.allowed}
        names = (advice.ship, prior, best, advice.highest)
        first = next((named[name] for name in names if name in named), None)
        return first or next(iter(self.allowed or self.ranked), None)

    @cached_property
    def allowed(self) -> tuple[TrialResult, ...]:
        """The `ranked` trials within the limits of the study."""
        return tuple(trial for trial in self.ranked if trial.name not in self.ruled_out)

    @property
    def role(self) -> str:
        """The reason why the chosen trial was chosen, in a word or a few."""
        advice, name = self.study.advice, self.chosen.name if self.chosen else ""
        if advice.ship == name:
            return "advised"
        if self.ruled_out and len(self.allowed) == 1:
            return "only one within the limits"
        return "likely" if advice.prior and advice.prior.trial == name else "highest"

    @property
    def sentences(self) -> tuple[str, ...]:
        """All sentences about the study, the choice first."""
        said, tested = self.study.advice.sentences, self.study.advice.tested
        lead = tested.statements[0].text if tested and tested.statements else ""
        if self.by_others and self.chosen:
            name = self.chosen.name
            chosen = (f"Ship {name}:", f"Take {name} until ")
            lead = next((one for one in said if one.startswith(chosen)), lead)
        said = said or ("No trial has a result: there is nothing to recommend.",)
        return (lead, *(one for one in said if one != lead)) if lead else said

    @property
    def by_others(self) -> PriorChoice | None:
        """The evidence of other repositories if the study's tests do not decide for the choice."""
        prior, tested = self.study.advice.prior, self.study.advice.tested
        if prior is None or self.chosen is None or self.chosen.name != prior.trial:
            return None
        decided = [tested.rest.get(name) for name in ("cheapest", "winner")] if tested else []
        return None if prior.trial in decided else prior

    @property
    def runner_up(self) -> TrialResult | None:
        """The best trial except for the chosen one, or None if there is no other."""
        return next((trial for trial in self.ranked if trial is not self.chosen), None)

    def rank_of(self, other: TrialResult) -> str:
        """Return the role of a trial that was not chosen; the advised one need not be the best."""
        return "highest" if other is self.ranked[0] else "runner-up"

    @cached_property
    def ruled_out(self) -> dict[str, str]:
        """Trials outside the limits of the study, with reasons."""
        return {one.trial: one.why for one in self.study.advice.ruled_out}

    @property
    def baseline(self) -> TrialResult | None:
        """The baseline of comparisons: the named trial, by default the first one."""
        tested = self.study.advice.tested
        wanted = (tested.baseline if tested else "") or self.trials[0].name
        return next((trial for trial in self.done if trial.name == wanted), None)

    def place(self, trial: TrialResult) -> int:
        """Return the index of a trial in `listed`."""
        return next(place for place, one in enumerate(self.listed) if one is trial)

    @cached_property
    def names(self) -> ShortNames:
        """Short names of the trials for tables."""
        return short_names([trial.name for trial in self.listed], _LONGEST_NAME)

    @cached_property
    def places(self) -> dict[str, int]:
        """The number of each trial in the table, from 1. Plots use it as a label."""
        return {trial.name: place for place, trial in enumerate(self.listed, 1)}

    @cached_property
    def questions(self) -> tuple[QueryResult, ...]:
        """The comparable queries, grouped by repository."""
        return tuple(self.done[0].queries[row] for row in self._rows) if self.done else ()

    @cached_property
    def _rows(self) -> tuple[int, ...]:
        """Indexes of queries for which every trial has a value of the objective."""
        columns = [
            [_or(query.numbers.get(self.objective), np.nan) for query in trial.queries]
            for trial in self.done
        ]
        judged = np.flatnonzero(~np.isnan(np.array(columns, np.float64)).any(axis=0)).tolist()
        # ScoreMatrix groups its rows by repository. With the same order here, the index of a
        # question is also its row in the matrix.
        names = [query.repository for query in self.done[0].queries]
        order = {name: place for place, name in enumerate(dict.fromkeys(names))}
        return tuple(sorted(judged, key=lambda row: order[names[row]]))

    @cached_property
    def comparable(self) -> bool:
        """True if there are queries that every trial was judged on."""
        same = len({len(trial.queries) for trial in self.done}) == 1
        return bool(self.done) and same and bool(self._rows)

    def matrix(self, measure: str) -> ScoreMatrix | None:
        """Return the scores of all trials on comparable queries, or None if a score is missing."""
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
        """Names of the repositories."""
        return tuple(dict.fromkeys(name for trial in self.trials for name in trial.repositories))

    @cached_property
    def budgets(self) -> tuple[int, ...]:
        """Token budgets for which recall is known."""
        columns = {column for trial in self.done for column in trial.summary}
        found = [column.split("_")[3] for column in columns if _is_budget(column)]
        return tuple(sorted(int(tokens) for tokens in found))


def _is_budget(column: str) -> bool:
    return column.startswith("avg_recall_at_") and column.endswith("_tokens")


def _or(value: float | None, otherwise: float) -> float:
    return otherwise if value is None else float(value)
