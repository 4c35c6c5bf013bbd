"""Questions in order of importance, and the effect of the answers so far.

The importance of a hit is the change that it would make to the difference between two leading
trials if it were relevant, times the chance that it is. The chance is the share of relevant hits
at its ranks.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bench.advice.select import FEWEST_QUERIES, objective_of
from bench.analysis import Recommendation, ScoreMatrix, recommend
from bench.authoring.judging.candidates import (
    FIRST_HITS,
    Candidate,
    Pool,
    as_targets,
    path_of,
    pooled,
    spot_of,
)
from bench.authoring.judging.forecast import FEWEST_ANSWERS, FORECAST_DRAWS, answers_needed
from bench.authoring.judging.scoring import Question, StoredTrials, Values
from bench.queries import JudgedPlace, JudgedPlaces, Query, Target, Tree
from bench.queries.resolution import Spot
from bench.results import StudyResult, TrialResult

_DRAWS = 1_000


@dataclass
class Asked:
    """A query of the study in its current version from the file of queries."""

    query: Query
    judged: tuple[JudgedPlace, ...] = ()
    known: tuple[JudgedPlace, ...] = ()
    """Places that are not asked again: all, or in a second round those of the same person."""


@dataclass(frozen=True)
class Answer:
    """An answer to a candidate; None if it was skipped."""

    candidate: Candidate
    relevant: bool | None
    added: tuple[Target, ...] = ()


@dataclass
class Session:
    """A finished study, and the answers about its hits."""

    study: StudyResult
    trials: StoredTrials
    asked: Sequence[Asked | None]
    """By row of the study's queries; None for queries that the file lacks."""
    second: bool = False
    """Whether only hits judged by somebody else are asked."""
    answers: list[Answer] = field(default_factory=list)

    def __post_init__(self) -> None:
        judged = [JudgedPlaces(one.known if one else ()) for one in self.asked]
        others = [one.judged if one else () for one in self.asked]
        paths = [path_of(place.target) for places in others for place in places]
        self.pool: Pool = pooled(self.trials, judged, self.study.level, paths)
        self.candidates = self._second_round() if self.second else self._first_round()
        self._places = {one: place for place, one in enumerate(self.candidates)}
        self._rows = np.array([one.row for one in self.candidates], np.int64)
        self._is_open = np.ones(len(self.candidates), np.bool_)
        self.chances = chances_of(self.candidates, self.trials.trials)
        self._added: dict[int, tuple[Target, ...]] = {}
        for row, places in enumerate(others):
            for place in places if self.asked[row] else ():
                if place.relevant:
                    self._add(row, place.target)
        self.values = self._scores(list(range(len(self.asked))))
        self._weights = self._weights_of_rows()
        self._effects = np.zeros((len(self.candidates), len(self.trials.trials)))
        self.tested: Recommendation | None = None
        self._test()
        self._weigh(np.arange(len(self.candidates)))

    @property
    def current(self) -> Candidate | None:
        """The most decisive open candidate, or None at the end."""
        if not self._is_open.any():
            return None
        return self.candidates[int(np.argmax(np.where(self._is_open, self.decisiveness, -1)))]

    @property
    def leading(self) -> tuple[int, ...]:
        """The numbers of the trials that may be the best, at least the highest two."""
        names = self.tested.may_be_best if self.tested else ()
        found = [n for n, one in enumerate(self.trials.trials) if one.name in names]
        if len(found) < 2:  # noqa: PLR2004 - a difference is between two
            found = np.argsort(-self._means(), kind="stable")[:2].tolist()
        return tuple(found)

    def answer(self, candidate: Candidate, *, relevant: bool | None) -> Answer:
        """Record an answer to an open candidate, and update the scores."""
        self._is_open[self._places[candidate]] = False
        is_new = relevant and not self.second
        added = self._add(candidate.row, candidate.target) if is_new else ()
        self.answers.append(Answer(candidate, relevant, added))
        if added:
            self._renew(candidate.row)
        return self.answers[-1]

    def undo(self) -> Answer | None:
        """Undo the last answer and return it; None without answers."""
        if not self.answers:
            return None
        last = self.answers.pop()
        self._is_open[self._places[last.candidate]] = True
        if last.added:
            row = last.candidate.row
            kept = tuple(one for one in self._added[row] if one not in last.added)
            self._added[row] = kept
            self._renew(row)
        return last

    @property
    def given(self) -> list[Answer]:
        """The answers without skipped candidates."""
        return [one for one in self.answers if one.relevant is not None]

    def repository_of(self, row: int) -> str:
        """Return the name of a query's repository."""
        return self.trials.place(row)[0].name

    def targets_of(self, candidate: Candidate) -> tuple[Target, ...]:
        """Return a candidate as targets of its query."""
        one = self.asked[candidate.row]
        if one is None or self.second:  # second answers are only compared
            return ()
        return as_targets(candidate.target, self.tree_of(candidate), one.query)

    @property
    def left(self) -> int:
        """Number of open candidates that would change the difference between leading trials."""
        matters = self._is_open if self.second else self._is_open & (self.decisiveness > 0)
        return int(matters.sum())

    @property
    def can_estimate(self) -> bool:
        """Whether there are enough answers to estimate the share of relevant hits."""
        return len(self.given) >= FEWEST_ANSWERS

    def answers_to_decide(self) -> int | None:
        """Return the estimated number of answers until a decision, or None if unknown."""
        if self.tested is None or self.tested.decided or not self.can_estimate:
            return None
        given = [one.relevant for one in self.given]
        ordered = np.argsort(-self.decisiveness, kind="stable")
        ordered = ordered[self._is_open[ordered]]
        return answers_needed(
            self.values,
            [(int(self._rows[place]), self._effects[place]) for place in ordered],
            share=(given.count(True) + 1) / (len(given) + 2),
            decides=self._decides,
        )

    @property
    def decisiveness(self) -> Values:
        """Expected change of the difference between two leading trials, by candidate."""
        effects = self._effects[:, list(self.leading)]
        spread: Values = effects.max(axis=1) - effects.min(axis=1)
        return self.chances * spread * self._weights[self._rows]

    def _decides(self, values: Values) -> bool:
        found = self._recommended(values, FORECAST_DRAWS)
        return found is not None and found.decided

    # -- Scores --------------------------------------------------------------------------------

    def _first_round(self) -> tuple[Candidate, ...]:
        return tuple(one for one in self.pool.candidates if self.asked[one.row])

    def _second_round(self) -> tuple[Candidate, ...]:
        """Return the places that others have judged, in the order of the files."""
        nowhere = (0,) * len(self.trials.trials)
        found = {
            (row, place.target): Candidate(row, place.target, nowhere)
            for row, one in enumerate(self.asked)
            if one
            for place in one.judged
            if place.target not in [known.target for known in one.known]
        }
        return tuple(one for one in found.values() if self.spot_of(one))

    def spot_of(self, candidate: Candidate) -> Spot | None:
        """Return the position of a candidate in the tree of its repository."""
        return spot_of(candidate.target, self.tree_of(candidate))

    def tree_of(self, candidate: Candidate) -> Tree:
        """Return the tree of a candidate's repository, with only the files of candidates."""
        return self.pool.trees[self.repository_of(candidate.row)]

    def _add(self, row: int, target: Target) -> tuple[Target, ...]:
        """Add a place to the targets of a query; return the new targets."""
        one = self.asked[row]
        if one is None:
            return ()
        tree = self.pool.trees[self.repository_of(row)]
        before = self._added.get(row, ())
        new = tuple(x for x in as_targets(target, tree, one.query) if x not in before)
        self._added[row] = (*before, *new)
        return new

    def _scores(self, rows: Sequence[int], more: Mapping[int, Any] | None = None) -> Values:
        """Return the scores of some rows. `more` has additional targets by index in `rows`."""
        found = np.full((len(rows), len(self.trials.trials)), np.nan)
        for searched in self.trials.repositories:
            here = [n for n, row in enumerate(rows) if self.trials.place(row)[0] is searched]
            questions = [
                Question(
                    self.trials.place(rows[n])[1],
                    (*self._added.get(rows[n], ()), *((more or {}).get(n, ()))),
                )
                for n in here
            ]
            if here:
                tree = self.pool.trees[searched.name]
                column = self.study.settings.advice.measure
                found[here] = searched.scores(questions, tree, self.study.level, column)
        return found

    def _renew(self, row: int) -> None:
        """Score a query again, and update the effects of its other candidates."""
        self.values[row] = self._scores([row])[0]
        self._test()
        self._weigh(np.flatnonzero(self._is_open & (self._rows == row)))

    def _weigh(self, places: Any) -> None:
        """Compute the effect of each candidate at these indexes if it were relevant."""
        wanted = [self.candidates[place] for place in places]
        more = {n: self.targets_of(one) for n, one in enumerate(wanted)}
        rows = [one.row for one in wanted]
        if rows:
            self._effects[places] = np.nan_to_num(self._scores(rows, more) - self.values[rows])

    def _means(self) -> Values:
        counted = np.isfinite(self.values).all(axis=1)
        found: Values = self._weights[counted] @ self.values[counted]
        return found

    def _weights_of_rows(self) -> Values:
        """Return the weight of each query in a mean over repositories."""
        names = [self.repository_of(row) for row in range(len(self.asked))]
        counted = [bool(row.all()) for row in np.isfinite(self.values)]
        counts = Counter(name for name, is_in in zip(names, counted, strict=True) if is_in)
        return np.array([1 / max(counts[name], 1) for name in names])

    def _test(self) -> None:
        self.tested = self._recommended(self.values, _DRAWS)

    def _recommended(self, values: Values, draws: int) -> Recommendation | None:
        rows = np.flatnonzero(np.isfinite(values).all(axis=1))
        if len(rows) < FEWEST_QUERIES or len(self.trials.trials) < 2:  # noqa: PLR2004
            return None
        names = [one.name for one in self.trials.trials]
        repositories = [self.repository_of(row) for row in rows.tolist()]
        matrix = ScoreMatrix.of(values[rows], repositories, names)
        settings = self.study.settings
        costs = [one.price(settings.advice.cost) for one in self.trials.trials]
        return recommend(
            matrix, objective_of(settings.advice), costs, seed=settings.seed, draws=draws
        )


def chances_of(candidates: Sequence[Candidate], trials: Sequence[TrialResult]) -> Values:
    """Return each candidate's chance of relevance: the share of relevant hits at its ranks."""
    right, shown = np.ones(FIRST_HITS), np.full(FIRST_HITS, 2)
    for query in (query for trial in trials for query in trial.queries if query.is_judged):
        for rank, hit in enumerate(query.hits[:FIRST_HITS]):
            shown[rank] += 1
            right[rank] += hit.credit == "relevant"
    # For a trial that does not show the candidate, the share is 0.
    shares = np.concatenate([[0.0], right / shown])
    ranks = np.array([one.ranks for one in candidates], np.int64)
    found: Values = shares[ranks].mean(axis=1) if len(candidates) else np.zeros(0)
    return found
