"""Facts and decisions about a study, without wording."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from bench.advice.budgets import budget_advice, by_budget, shown_tokens
from bench.advice.limits import RuledOut, within_limits
from bench.advice.prior import Tables, prior_of
from bench.advice.select import Scores, exceptions, testable, tested
from bench.advice.silence import Silence, silences
from bench.advice.trades import Trade, trades
from bench.analysis import OwnChoices, Recommendation, Sampling, answering, own_choices
from bench.results import (
    BudgetAdvice,
    Exceptional,
    GeneratedQuestions,
    PriorChoice,
    StudyResult,
    TrialResult,
    Tuning,
)
from bench.settings.study import USUAL_BUDGET, AdviceSettings, coverage_at


@dataclass(frozen=True)
class Highest:
    """The trial with the highest mean on these queries. This is not a recommendation."""

    trial: str
    score: float
    queries: int
    repositories: int
    level_with: tuple[str, ...] = ()
    of_shared: bool = False
    """Whether only queries scored in every trial count, because some trials failed on some."""


@dataclass(frozen=True)
class Fastest:
    """The trial with the lowest median latency."""

    trial: str
    median_ms: float
    p95_ms: float | None


@dataclass(frozen=True)
class SameText:
    """The trial that leads at the same amount of text, if it is not the highest."""

    trial: str
    coverage: float
    highest: str
    coverage_of_highest: float


@dataclass(frozen=True)
class DensePart:
    """Windows and treatment of long text of the next run's trial, for whoever rebuilds it."""

    trial: str
    windows: str
    long_text: str


@dataclass(frozen=True)
class TunedWeights:
    """A trial with tuned weights, and the half of the queries that the study reports on."""

    trial: str
    half: str
    """all, tune or report."""
    tuning: Tuning


@dataclass(frozen=True)
class Advice:
    """The trial to ship, and all facts in the sentences about it."""

    settings: AdviceSettings
    level: str
    """The level of the judgements: file, symbol or span."""
    trials: int
    """Number of trials with a result, without bounds."""
    allowed: tuple[str, ...] = ()
    """Trials with a result that exceed no limit."""
    highest: Highest | None = None
    fastest: Fastest | None = None
    """None for a single trial."""
    timed: int = 0
    """Number of trials with a latency."""
    disturbed: int = 0
    """Number of trials whose latency was measured while the machine was busy."""
    same_text: SameText | None = None
    """None if the measure itself is at an amount of text."""
    budgets: tuple[BudgetAdvice, ...] = ()
    """Choice for each budget; empty if all trials show the same amount of text."""
    least_shown: float | None = None
    most_shown: float | None = None
    """Least and most tokens in the first ten hits of any trial."""
    tuned: tuple[TunedWeights, ...] = ()
    ruled_out: tuple[RuledOut, ...] = ()
    silences: tuple[Silence, ...] = ()
    exceptions: tuple[Exceptional, ...] = ()
    trades: tuple[Trade, ...] = ()
    """Trials with a different balance of quality and cost than the advised one."""
    own_choices: OwnChoices | None = None
    """Gain from one configuration per repository; None for a single repository."""
    tested: Recommendation | None = None
    """None for a single trial, and with too few queries for a test."""
    dense_part: DensePart | None = None
    """None if the trial for the next run has no vectors."""
    prior: PriorChoice | None = None
    """Choice with the results on other repositories; None if these are not used."""
    no_prior: str = ""
    """Reason why `prior` is None although tables were given."""
    generated: GeneratedQuestions | None = None
    """None if people wrote or reviewed all questions."""
    abstains: bool = False
    """Whether the study's own questions are ignored because such questions mislead."""

    @property
    def ship(self) -> str | None:
        """The trial to ship: the cheapest that is not worse than any other, or the winner.

        With other repositories, it is the combined choice if that is decided. None if undecided.
        """
        if self.prior is not None:
            return self.prior.trial if self.prior.decided else None
        return (self.tested.cheapest or self.tested.winner) if self.tested else None

    @property
    def next_run(self) -> str | None:
        """The trial for chosen.yaml: the one to ship, or else the highest within the limits."""
        best = self.tested.best if self.tested else None
        prior = self.prior.trial if self.prior else None
        candidates = (self.ship, prior, best, self.highest.trial if self.highest else None)
        only = self.allowed[0] if len(self.allowed) == 1 else None
        return next((name for name in candidates if name in self.allowed), only)


def advise(
    result: StudyResult,
    settings: AdviceSettings | None = None,
    *,
    seed: int,
    tables: Tables = (),
) -> Advice:
    """Decide which trial to ship, by tests between the trials.

    Tables of other repositories are used where the tests do not decide.
    """
    wanted = settings or result.settings.advice
    done = [trial for trial in result.trials if not trial.failed and not trial.is_bound]
    allowed, ruled_out = within_limits(done, wanted)
    highest = _highest(done, wanted.measure)
    abstains = _misleads(result)
    matrix = None if abstains else testable(allowed, wanted.measure)
    tests = {} if abstains else by_budget(allowed, wanted, seed=seed)
    shown = shown_tokens(allowed)
    decision = tests[wanted.budget].tested if tests else None
    if matrix is not None and decision is None:
        decision = tested(matrix, allowed, wanted, seed=seed)
    prior, no_prior = prior_of(result, tables, allowed)
    if prior is not None:
        prior = replace(prior, is_alone=abstains, are_stand_ins=_is_generated(result))
    found = Advice(
        settings=wanted,
        level=result.level,
        trials=len(done),
        allowed=tuple(trial.name for trial in allowed),
        highest=highest,
        fastest=_fastest(done),
        timed=sum(trial.summary.get("latency_p50_ms") is not None for trial in done),
        disturbed=sum(bool(trial.latency.busy) for trial in done),
        same_text=None if wanted.is_of_text else _same_text(done, highest),
        budgets=budget_advice(tests, allowed, prior, wanted, seed=seed),
        least_shown=min(shown, default=None),
        most_shown=max(shown, default=None),
        tuned=tuple(
            TunedWeights(trial.name, result.half, trial.tuning)
            for trial in result.trials
            if trial.tuning
        ),
        ruled_out=ruled_out,
        silences=silences(done, wanted.measure),
        tested=decision,
        prior=prior.choice(wanted.measure, decision, wanted, seed=seed) if prior else None,
        no_prior=no_prior,
        generated=result.generated,
        abstains=abstains,
    )
    found = replace(found, dense_part=_dense_part(done, found.next_run))
    if matrix is None or found.ship is None or found.tested is None:
        return found
    return replace(
        found,
        exceptions=exceptions(matrix, found.ship),
        own_choices=own_choices(matrix, Sampling(seed)),
        trades=trades(matrix, found.tested, found.ship, allowed, wanted),
    )


def _misleads(result: StudyResult) -> bool:
    """Return whether the own questions are less reliable than the results on other repositories.

    This was measured in docs/generated.md. Generated questions ask for definitions. At span level
    they rank configurations in a different order from people's questions.
    """
    return _is_generated(result) and result.level == "span"


def _is_generated(result: StudyResult) -> bool:
    """Return whether all questions were generated."""
    generated = result.generated
    return generated is not None and generated.count == generated.asked


def _highest(done: Sequence[TrialResult], column: str) -> Highest | None:
    """Return the highest trial on the queries that every trial has a score for.

    A trial that failed on the hard queries would have a mean of easier ones.
    """
    scores = Scores.of(done, column) if len(done) > 1 else None
    matrix = scores.matrix if scores and scores.differ else None
    if matrix is not None:
        best, count = int(np.argmax(matrix.means)), len(matrix.names)
        score = float(matrix.means[best])
        return Highest(matrix.trials[best], score, matrix.queries, count, of_shared=True)
    mean = f"avg_{column}"
    leader = _leader(done, mean, sign=1)
    if leader is None:
        return None
    trial, score = leader
    equal = (one.name for one in done if one.summary[mean] == score and one is not trial)
    return Highest(
        trial=trial.name,
        score=score,
        queries=sum(query.numbers.get(column) is not None for query in trial.queries),
        repositories=len(trial.repositories),
        level_with=tuple(equal),
    )


def _dense_part(done: Sequence[TrialResult], name: str | None) -> DensePart | None:
    trial = next((one for one in done if one.name == name), None)
    if trial is None or not (trial.windows and trial.long_text):
        return None
    return DensePart(trial.name, trial.windows, trial.long_text)


def _fastest(done: Sequence[TrialResult]) -> Fastest | None:
    # Trials without hits for many queries are fast because they return nothing.
    kept = answering([trial.summary.get("empty_result_rate") or 0.0 for trial in done])
    timed = [done[place] for place in kept if not done[place].latency.busy]
    leader = _leader(timed, "latency_p50_ms", sign=-1)
    if leader is None or len(done) == 1:
        return None
    trial, median = leader
    return Fastest(trial.name, median, trial.summary.get("latency_p95_ms"))


def _same_text(done: Sequence[TrialResult], highest: Highest | None) -> SameText | None:
    column = f"avg_{coverage_at(USUAL_BUDGET)}"
    leader = _leader(done, column, sign=1)
    if highest is None or leader is None or leader[0].name == highest.trial:
        return None
    own = next(trial.summary.get(column) for trial in done if trial.name == highest.trial)
    if own is None or leader[1] <= own:
        return None
    return SameText(leader[0].name, leader[1], highest.trial, own)


def _leader(
    trials: Sequence[TrialResult], column: str, *, sign: int
) -> tuple[TrialResult, float] | None:
    """Return the first trial with the highest (1) or lowest (-1) value, and the value."""
    known = [(trial, trial.summary.get(column)) for trial in trials]
    valued = [(trial, value) for trial, value in known if value is not None]
    return max(valued, key=lambda pair: sign * pair[1], default=None)
