"""What a study says: the facts and the choice, without any wording."""

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
    """The trial of the highest mean: a fact about these queries, not a choice."""

    trial: str
    score: float
    queries: int
    repositories: int
    level_with: tuple[str, ...] = ()
    of_shared: bool = False
    """Whether only queries count that every trial has a score for, because some failed."""


@dataclass(frozen=True)
class Fastest:
    """The trial of the lowest median latency."""

    trial: str
    median_ms: float
    p95_ms: float | None


@dataclass(frozen=True)
class SameText:
    """Another trial than the highest leads once all show the same amount of text."""

    trial: str
    coverage: float
    highest: str
    coverage_of_highest: float


@dataclass(frozen=True)
class DensePart:
    """How the trial for the next run turns chunks into vectors: to ship it is to do the same."""

    trial: str
    windows: str
    long_text: str


@dataclass(frozen=True)
class TunedWeights:
    """A trial that chose its weights, and the half of the queries that the study reports on."""

    trial: str
    half: str
    """all, tune or report."""
    tuning: Tuning


@dataclass(frozen=True)
class Advice:
    """What to ship, and everything that the sentences about it rest on."""

    settings: AdviceSettings
    level: str
    """The level of the judgements: file, symbol or span."""
    trials: int
    """How many have a result and could be shipped."""
    allowed: tuple[str, ...] = ()
    """Those of them that exceed no limit."""
    highest: Highest | None = None
    fastest: Fastest | None = None
    """None for a single trial."""
    timed: int = 0
    """How many trials have a latency."""
    disturbed: int = 0
    """How many of them were measured while the machine was busy."""
    same_text: SameText | None = None
    """None where the measure itself is of an amount of text."""
    budgets: tuple[BudgetAdvice, ...] = ()
    """What to ship at each budget; empty where all trials show the same amount of text."""
    least_shown: float | None = None
    most_shown: float | None = None
    """The tokens of the first ten hits, of the trials that show least and most."""
    tuned: tuple[TunedWeights, ...] = ()
    ruled_out: tuple[RuledOut, ...] = ()
    silences: tuple[Silence, ...] = ()
    exceptions: tuple[Exceptional, ...] = ()
    trades: tuple[Trade, ...] = ()
    """What the neighbours of the advised trial give and take."""
    own_choices: OwnChoices | None = None
    """What one configuration for each repository would be worth; None for one repository."""
    tested: Recommendation | None = None
    """None for a single trial, and where there are too few queries for a test."""
    dense_part: DensePart | None = None
    """None where the trial for the next run has no vectors."""
    prior: PriorChoice | None = None
    """The choice with other repositories; None where their results are not used."""
    no_prior: str = ""
    """Why they have none although they were asked."""
    generated: GeneratedQuestions | None = None
    """None if people wrote or reviewed all questions."""
    abstains: bool = False
    """Whether the study's own questions are not used, because such questions mislead."""

    @property
    def ship(self) -> str | None:
        """The trial to ship: the cheapest that is not worse than any other, or the winner.

        Where other repositories are used, it is the choice of both, if they decide.
        """
        if self.prior is not None:
            return self.prior.trial if self.prior.decided else None
        return (self.tested.cheapest or self.tested.winner) if self.tested else None

    @property
    def next_run(self) -> str | None:
        """The trial for chosen.yaml: the one to ship, or else the highest that is allowed."""
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
    """Decide what to ship; several trials are tested against each other.

    The tables of other repositories are used where the tests do not decide.
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
    """Whether own questions say less than other repositories: measured in docs/generated.md.

    Generated questions ask for definitions. Where the answers that people want are text, their
    order of configurations is another.
    """
    return _is_generated(result) and result.level == "span"


def _is_generated(result: StudyResult) -> bool:
    """Whether a program made all questions."""
    generated = result.generated
    return generated is not None and generated.count == generated.asked


def _highest(done: Sequence[TrialResult], column: str) -> Highest | None:
    """Return the highest trial, on the queries that all have a score for.

    The mean of a trial that failed on the hard queries is a mean of easier ones.
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
    # A trial that answers nothing is fast at it.
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
    """Return the first trial of the highest (1) or lowest (-1) number, and the number."""
    known = [(trial, trial.summary.get(column)) for trial in trials]
    valued = [(trial, value) for trial, value in known if value is not None]
    return max(valued, key=lambda pair: sign * pair[1], default=None)
