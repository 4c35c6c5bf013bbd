"""Results on other repositories, combined with the evidence of a study.

If own queries show that a trial is within the margin, it stays the advice. Otherwise the choice is
the trial that own queries and those about other repositories favour together
(`bench.analysis.prior`). Tests and intervals use the own queries alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bench.advice.select import Scores
from bench.analysis import (
    Asked,
    Posterior,
    Recommendation,
    WinnerKind,
    combined,
    expected_regrets,
)
from bench.results import PriorChoice, QueryResult, Standing, StudyResult, TrialResult
from bench.results.prior_table import MEASURES, PriorTable, rules_of
from bench.settings.study import AdviceSettings

_FEWEST = 5
"""Fewest other repositories; with fewer, the variance between repositories is unknown."""
_TWO = 2

Values = np.ndarray[Any, np.dtype[np.float64]]
Tables = Sequence[PriorTable]


@dataclass(frozen=True, eq=False)
class Prior:
    """Tables of other repositories, and the trials that occur in them."""

    tables: tuple[PriorTable, ...]
    known: tuple[TrialResult, ...]
    unknown: tuple[TrialResult, ...]
    repositories: frozenset[str]
    """Repositories of the study, whose rows in the tables are excluded."""
    changed: tuple[str, ...]
    """Stages and retrievers with a different version from that in the tables."""
    is_alone: bool = False
    """Whether own scores are ignored."""
    are_stand_ins: bool = False
    """Whether all own queries were generated."""

    def choice(
        self, column: str, tested: Recommendation | None, settings: AdviceSettings, *, seed: int
    ) -> PriorChoice | None:
        """Return the choice under a measure; None without own scores or if the tables lack it."""
        own = self._own(column) if column in MEASURES else None
        if own is None:
            return None
        others = self._others(column)
        found = combined(own, others, are_stand_ins=self.are_stand_ins)
        regrets = expected_regrets(found, seed)
        names = [trial.name for trial in self.known]
        costs = [trial.price(settings.cost) for trial in self.known]
        best = int(found.elsewhere.argmax())
        chosen = self._shown(tested) or names[pick(found, regrets, costs, settings.margin)]
        if self.is_alone:
            chosen = names[best]
        place = names.index(chosen) if chosen in names else None
        regret = None if place is None or self.is_alone else float(regrets[place])
        alone = tested is not None and chosen in (tested.cheapest, tested.winner)
        rival, ahead = (None, 0.0) if self.is_alone else self._rival(column, chosen)
        small = regret is not None and max(regret, ahead) < settings.margin
        return PriorChoice(
            trial=chosen,
            standing=(
                "not asked here"
                if self.is_alone
                else standing(found, place, settings.margin, decided=alone)
            ),
            elsewhere=names[best],
            lead=0.0 if place is None else float(found.leads[place] - found.leads[best]),
            regret=regret,
            decided=self.is_alone or alone or small,
            share=0.0 if self.is_alone else found.share,
            own_queries=len(own.repositories),
            queries=len(others.repositories),
            repositories=len(set(others.repositories)),
            by=tuple(dict.fromkeys(table.by for table in self.tables)),
            unknown=tuple(trial.name for trial in self.unknown),
            rival=rival,
            ahead=ahead,
            changed=self.changed,
        )

    def _shown(self, tested: Recommendation | None) -> str | None:
        """Return the trial that own evidence alone decides for, or None.

        Known trials must be shown to be within the margin, because the combined estimate is better
        than a probable winner. Unknown trials have only own evidence. Generated queries do not
        decide for known trials, because people's queries may differ.
        """
        if tested is None:
            return None
        known = {trial.name for trial in self.known}
        if self.are_stand_ins and (tested.cheapest or tested.winner) in known:
            return None
        guess = tested.winner_kind is not WinnerKind.WITHIN_MARGIN
        if guess and tested.winner in known:
            return tested.cheapest
        return tested.cheapest or tested.winner

    def _rival(self, column: str, chosen: str) -> tuple[str | None, float]:
        """Return the highest unknown trial on own queries, and its lead over the chosen trial."""
        matrix = Scores.of((*self.known, *self.unknown), column).matrix
        names = [trial.name for trial in self.unknown if trial.name != chosen]
        if matrix is None or not names:
            return None, 0.0
        means = dict(zip(matrix.trials, matrix.means.tolist(), strict=True))
        rival = max(names, key=lambda name: means[name])
        return rival, max(0.0, means[rival] - means[chosen])

    def _own(self, column: str) -> Asked | None:
        """Return the own scores of the known trials on the queries that all have a score for."""
        scores = Scores.of(self.known, column)
        rows = np.flatnonzero(scores.shared).tolist()
        queries = [self.known[0].queries[row] for row in rows]
        if not rows:
            return None
        return Asked(
            scores.values[rows],
            tuple(query.repository for query in queries),
            tuple(self._kind(query) for query in queries),
        )

    def _kind(self, query: QueryResult) -> str:
        # Generated questions about documentation are another kind than people's questions about
        # it.
        return f"generated: {query.category}" if self.are_stand_ins else query.category

    def _others(self, column: str) -> Asked:
        digests = [str(trial.configuration) for trial in self.known]
        found, *rest = (table.asked(column, digests) for table in self.tables)
        for one in rest:  # a repository in two tables counts once
            found = found.and_those(one.without(found.repositories))
        return found.without(self.repositories)


def prior_of(
    result: StudyResult, tables: Tables, trials: Sequence[TrialResult]
) -> tuple[Prior | None, str]:
    """Return the prior for these trials of a study, or None and the reason."""
    if not tables or len(trials) < _TWO:
        return None, ""
    comparable = [table for table in tables if _is_comparable(table, result)]
    if not comparable:
        return None, f"no table was measured at {result.level_and_credit} by the present rules"
    own = frozenset(one.repository for trial in trials for one in trial.queries)
    known = _best_known([(trial, _sources(trial, comparable, own)) for trial in trials])
    if len(known) < _TWO:
        return None, f"fewer than two of these trials are known from {_FEWEST} other repositories"
    unknown = tuple(trial for trial in trials if trial not in known)
    sources = [
        table
        for table in comparable
        if all(table.repositories_of(trial.configuration) - own for trial in known)
    ]
    return Prior(tuple(sources), known, unknown, own, _changed(sources, result)), ""


_Sources = frozenset[tuple[str, str]]
"""Pairs of a table and a repository."""


def _sources(trial: TrialResult, tables: Tables, own: frozenset[str]) -> _Sources:
    return frozenset(
        (table.name, repository)
        for table in tables
        for repository in table.repositories_of(trial.configuration) - own
    )


def _best_known(
    trials: Sequence[tuple[TrialResult, _Sources]],
) -> tuple[TrialResult, ...]:
    """Return the largest set of trials that share enough other repositories.

    Not every configuration was measured on every repository of a table.
    """
    found: list[tuple[int, int, tuple[TrialResult, ...]]] = []
    for _, sources in trials:
        repositories = len({repository for _, repository in sources})
        if repositories >= _FEWEST:
            known = tuple(trial for trial, each in trials if sources <= each)
            found.append((len(known), repositories, known))
    return max(found, key=lambda one: one[:2], default=(0, 0, ()))[2]


def _is_comparable(table: PriorTable, result: StudyResult) -> bool:
    credit = table.level != "symbol" or table.symbol_credit == result.symbol_credit
    return table.level == result.level and credit and table.rules == rules_of(result)


def _changed(tables: Tables, result: StudyResult) -> tuple[str, ...]:
    """Return the stages and retrievers with a different version from that in a table."""
    names = {
        name
        for table in tables
        for name, number in table.versions.items()
        if result.stage_versions.get(name, number) != number
    }
    return tuple(sorted(names))


def pick(found: Posterior, regrets: Values, costs: Sequence[float | None], margin: float) -> int:
    """Return the cheapest trial with an expected regret below the margin, or else the best."""
    small = [
        (cost, place)
        for place, cost in enumerate(costs)
        if cost is not None and regrets[place] < margin
    ]
    return min(small)[1] if small else int(found.leads.argmax())


def standing(found: Posterior, place: int | None, margin: float, *, decided: bool) -> Standing:
    """Return the comparison of a choice with the advice of other repositories alone."""
    if place is None:
        return "not known elsewhere"
    if found.elsewhere.max() - found.elsewhere[place] >= margin:
        return "overruled here"
    return "confirmed here" if decided else "not contradicted here"
