"""Search through grids that are too large to run whole: random draws, or successive halving.

Only trials that saw every query are compared. The others are listed with their partial results.
"""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from bench.advice import plural
from bench.analysis import ScoreMatrix, round_sizes, stop_trailing
from bench.engine import Fingerprint, Outcome, Plan
from bench.launcher.grid import Grid
from bench.results import LeftOut
from bench.results.scored_queries import scores_of
from bench.settings.study import SearchSettings
from bench.study import Estimate, Study, Trial, first_queries, most_queries
from bench.study.rates import read_rates
from bench.wiring import HEAVY_KINDS, CarryOut, worker_count

_FEWEST = 2
_SECONDS = 60
_ROOM = 2.0
"""Required ratio of the time left to the expected time, to run all light trials at once."""
_CLOSING_SECONDS, _MOST_CLOSING = 6.0, 1 / 3
"""Time for advice, report and tracking on an idle machine, and its largest share of the budget."""


@dataclass(frozen=True)
class Searched:
    """The trials that saw every query, the outcomes of all stages, and the other trials."""

    study: Study
    outcomes: Mapping[Fingerprint, Outcome]
    left_out: tuple[LeftOut, ...] = ()
    notes: tuple[str, ...] = ()


def drawn(grid: Grid) -> Grid:
    """Return a grid in random order, limited to the budget of trials; bounds are kept."""
    wanted = grid.settings.search
    if wanted.strategy != "random":
        return grid
    bounds = [one for one in grid.trials if one[1].retrieval.is_bound]
    others = [one for one in grid.trials if not one[1].retrieval.is_bound]
    order = np.random.default_rng(grid.settings.seed).permutation(len(others)).tolist()
    kept, rest = order[: wanted.budget_trials], order[len(order[: wanted.budget_trials]) :]
    why = f"not drawn: budget_trials={wanted.budget_trials}"
    return replace(
        grid,
        trials=(*(others[place] for place in kept), *bounds),
        left_out=tuple(LeftOut(others[place][0], why) for place in sorted(rest)),
    )


def search(
    study: Study, grid: Grid, carry_out: CarryOut, *, say: Callable[[str], None], started: float
) -> Searched:
    """Carry out the trials of a study within its strategy and budget.

    `budget_minutes` counts from `started`, a time of `time.monotonic`.
    """
    wanted = grid.settings.search
    if wanted.strategy == "grid" and wanted.budget_minutes is None:
        return Searched(study, study.carry_out(carry_out))
    searching = _Searching(study, grid, carry_out, say, started)
    bounds = [trial for trial in study.trials if trial.is_bound]
    others: Sequence[Trial] = [trial for trial in study.trials if not trial.is_bound]
    _ = study.remaining  # stages stored before the search count as reused
    if wanted.strategy == "halving":
        others = searching.halved(others)
    done = searching.within_minutes(others, bounds)
    left_out = (*grid.left_out, *searching.left_out)
    return Searched(study.narrowed(done), searching.outcomes, left_out, tuple(searching.notes))


def about_search(study: Study, grid: Grid) -> tuple[str, ...]:
    """Return lines on a search, for a plan that lists all trials in full."""
    wanted = grid.settings.search
    said = []
    if wanted.strategy == "halving":
        trials = [trial for trial in study.trials if not trial.is_bound]
        sizes = round_sizes(most_queries(study.corpus))[:-1]
        rounds = (_fewer_queries(study, grid, trials, size).remaining.stages for size in sizes)
        whole = {stage.fingerprint for stage in study.whole.stages}
        more = {stage.fingerprint for part in rounds for stage in part} - whole
        counts = ", ".join(map(str, sizes)) or "no"
        said.append(
            f"strategy=halving looks at {counts} queries a repository first"
            f" ({plural(len(more), 'stage', 'stages')} more at most) and stops trials that are far"
            " behind: above is what all of them would take."
        )
        if wanted.budget_trials is not None:
            said.append(f"At most {wanted.budget_trials} of them are run on every query.")
    if wanted.budget_minutes is not None:
        minutes = wanted.budget_minutes
        said.append(
            f"Trials not expected to end within {minutes:g} minutes are not started; late ones are"
            " stopped."
        )
    return tuple(said)


def _fewer_queries(study: Study, grid: Grid, trials: Sequence[Trial], size: int) -> Study:
    """Return the study of some trials on the first queries of each repository."""
    settings, objective = dict(grid.trials), grid.settings.advice.measure_of_weights
    corpus = first_queries(study.corpus, size, seed=grid.settings.seed)
    fewer = (
        Trial.of(one.name, settings[one.name], corpus, latency="off", objective=objective)
        for one in trials
    )
    return study.part(tuple(fewer), corpus)


@dataclass
class _Searching:
    """The state of a search."""

    study: Study
    grid: Grid
    carry_out: CarryOut
    say: Callable[[str], None]
    started: float
    outcomes: dict[Fingerprint, Outcome] = field(default_factory=dict)
    left_out: list[LeftOut] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def wanted(self) -> SearchSettings:
        """The strategy and the budget."""
        return self.grid.settings.search

    def halved(self, trials: Sequence[Trial]) -> Sequence[Trial]:
        """Return the trials that no round stops, the best of the last round first."""
        kept, sizes = list(trials), round_sizes(most_queries(self.study.corpus))[:-1]
        done = []
        for size in sizes:
            if len(kept) < _FEWEST:
                break
            kept = self._round(kept, size)
            done.append(str(size))
        stopped = len(trials) - len(kept)
        rounds = f"rounds of {', '.join(done)} queries a repository" if done else "no round"
        self.notes.append(
            f"strategy=halving: {rounds}; {stopped} of {plural(len(trials), 'trial', 'trials')}"
            " stopped"
        )
        return self._within_budget(kept)

    def _round(self, trials: Sequence[Trial], size: int) -> list[Trial]:
        self.say(f"round of {size} queries a repository: {plural(len(trials), 'trial', 'trials')}")
        fewer = _fewer_queries(self.study, self.grid, trials, size)
        self.outcomes |= fewer.carry_out(self.carry_out)
        matrix = _matrix(fewer, self.grid.settings.advice.measure)
        if matrix is None:
            return list(trials)
        found, means = (
            stop_trailing(matrix),
            dict(zip(matrix.trials, matrix.means.tolist(), strict=True)),
        )
        self.left_out += [
            LeftOut(
                one.trial,
                f"strategy=halving: {size} queries a repository",
                queries=one.queries,
                behind=one.behind,
                standard_errors=one.standard_errors,
            )
            for one in found.stopped
        ]
        stopped = {one.trial for one in found.stopped}
        rest = [trial for trial in trials if trial.name not in stopped]
        # A failed trial has no mean. It is kept, so that it fails again in the full run and is
        # reported.
        return sorted(rest, key=lambda one: -means.get(one.name, np.inf))

    def _within_budget(self, trials: Sequence[Trial]) -> Sequence[Trial]:
        most = self.wanted.budget_trials
        if most is None or len(trials) <= most:
            return trials
        why = f"not run in full: budget_trials={most}"
        self.left_out += [LeftOut(trial.name, why) for trial in trials[most:]]
        return trials[:most]

    def within_minutes(self, trials: Sequence[Trial], bounds: Sequence[Trial]) -> list[Trial]:
        """Run trials on all queries while time permits; return the trials that ran."""
        minutes = self.wanted.budget_minutes
        left, done = list(trials), list[Trial]()
        while batch := left if minutes is None else self._in_time(left, any_of=not done):
            self._run(batch, self._deadline if done and len(batch) == 1 else math.inf)
            stopped = [trial for trial in batch if not self.study.has_ended(trial)]
            self._leave_out(stopped, "stopped unfinished")
            done += [trial for trial in batch if self.study.has_ended(trial)]
            started = {trial.name for trial in batch}
            left = [trial for trial in left if trial.name not in started]
        if bounds:
            self._run(bounds)
        self._leave_out(left, "not started")
        return [*done, *bounds]

    def _leave_out(self, trials: Sequence[Trial], what: str) -> None:
        minutes = self.wanted.budget_minutes
        self.left_out += [LeftOut(one.name, f"{what}: budget_minutes={minutes}") for one in trials]

    def _in_time(self, trials: list[Trial], *, any_of: bool) -> list[Trial]:
        """Return the trials to run next: several light ones, one, or none.

        The costs of a repository are known once the first trial has read it. Light trials take
        less time together than one by one. Estimates may be wrong by half, so the time left must
        be twice the estimate. Trials with vectors run alone: at the deadline, trials that run
        together would all be stopped shortly before their ends.
        """
        light = [trial for trial in trials if not self._is_heavy(trial)]
        if any_of:
            return [*light, *trials][:1]
        left = max(self._deadline - time.monotonic(), 0.0)
        if light and left > _ROOM * self._expected(light):
            return light
        return next(([one] for one in (*light, *trials) if self._expected([one]) <= left), [])

    def _is_heavy(self, trial: Trial) -> bool:
        return any(stage.kind in HEAVY_KINDS for stage in self._remaining([trial]).stages)

    def _expected(self, trials: Sequence[Trial]) -> float:
        """Return the expected duration of trials in seconds."""
        workers = worker_count(self.grid.settings.execution)
        plan = self._remaining(trials)
        return Estimate.of(plan, self.study.store, workers=workers).seconds_left({})

    def _remaining(self, trials: Sequence[Trial]) -> Plan:
        return self.study.part(trials).remaining

    def _run(self, trials: Sequence[Trial], deadline: float = math.inf) -> None:
        carry_out = partial(self.carry_out, deadline=deadline)
        self.outcomes |= self.study.part(trials).carry_out(carry_out)

    @property
    def _deadline(self) -> float:
        """Time limit of trials, as a time of `time.monotonic`."""
        if self.wanted.budget_minutes is None:
            return math.inf
        seconds = _SECONDS * self.wanted.budget_minutes
        closing = _CLOSING_SECONDS * read_rates(self.study.store).slowness
        return self.started + seconds - min(closing, _MOST_CLOSING * seconds)


def _matrix(study: Study, objective: str) -> ScoreMatrix | None:
    """Return the scores of trials with any scores, or None with too few to compare."""
    scores = {trial.name: scores_of(study, trial, objective) for trial in study.trials}
    # All trials are compared on common queries, so one without scores would leave none.
    known = {
        name: found
        for name, found in scores.items()
        if found is not None and not np.isnan(found[0]).all()
    }
    if len(known) < _FEWEST:
        return None
    values = np.stack([column for column, _ in known.values()], axis=1)
    owners = np.array(next(iter(known.values()))[1])
    judged = ~np.isnan(values).any(axis=1)
    names, counts = np.unique(owners[judged], return_counts=True)
    judged &= np.isin(owners, names[counts >= _FEWEST])
    if not judged.any():
        return None
    return ScoreMatrix.of(values[judged], owners[judged].tolist(), list(known))
