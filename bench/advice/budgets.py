"""Choices for each amount of text that a reader can afford.

Ten hits of large chunks show more text than ten hits of small ones, and find more for that reason
alone. At the same number of tokens, trials compete as in a prompt.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bench.advice.prior import Prior
from bench.advice.select import objective_of, testable
from bench.analysis import Recommendation, ScoreMatrix, mean_intervals, recommend_each
from bench.results import BudgetAdvice, PriorChoice, TrialResult
from bench.settings.study import AdviceSettings, coverage_at

BUDGETS = (1_000, 2_000, 4_000, 8_000)
TEN_HITS = "coverage_at_10"
_SHOWN = "avg_shown_tokens_at_10"
_ALIKE = 1.25
"""Trials show the same amount of text up to this ratio of their tokens in ten hits."""


def text_differs(trials: Sequence[TrialResult]) -> bool:
    """Return whether ten hits of some trials show clearly more text than of others."""
    shown = shown_tokens(trials)
    return bool(shown) and max(shown) > _ALIKE * min(shown)


def shown_tokens(trials: Sequence[TrialResult]) -> list[float]:
    """Return the mean tokens of the first ten hits of each trial that has any."""
    return [tokens for trial in trials if (tokens := trial.summary.get(_SHOWN))]


class BudgetTest(NamedTuple):
    """Coverage of every trial at a budget, and the test result."""

    scores: ScoreMatrix
    tested: Recommendation


def by_budget(
    trials: Sequence[TrialResult], settings: AdviceSettings, *, seed: int
) -> Mapping[int | None, BudgetTest]:
    """Return the tests for each budget, corrected together; None is the key of ten hits.

    The result is empty if trials show the same amount of text, or if the user chose a measure.
    """
    if not settings.asks_for_every_budget or not text_differs(trials):
        return {}
    columns = {budget: _column(budget) for budget in (*BUDGETS, None)}
    tables = {
        budget: matrix
        for budget, column in columns.items()
        if (matrix := testable(trials, column)) is not None
    }
    if settings.budget not in tables:
        return {}
    costs = [trial.price(settings.cost) for trial in trials]
    found = recommend_each(list(tables.values()), objective_of(settings), costs, seed=seed)
    return {
        budget: BudgetTest(tables[budget], tested)
        for budget, tested in zip(tables, found, strict=True)
    }


def budget_advice(
    tests: Mapping[int | None, BudgetTest],
    trials: Sequence[TrialResult],
    prior: Prior | None,
    settings: AdviceSettings,
    *,
    seed: int,
) -> tuple[BudgetAdvice, ...]:
    """Return the choice at each budget.

    If the test does not decide, it is the choice of the prior or, without a prior, the highest.
    """
    latency = {trial.name: trial.price("latency_p50_ms") for trial in trials}
    return tuple(
        _advice(
            budget,
            test,
            latency,
            prior.choice(_column(budget), test.tested, settings, seed=seed) if prior else None,
        )
        for budget, test in tests.items()
    )


def _column(budget: int | None) -> str:
    return TEN_HITS if budget is None else coverage_at(budget)


def _advice(
    budget: int | None,
    test: BudgetTest,
    latency: Mapping[str, float | None],
    prior: PriorChoice | None,
) -> BudgetAdvice:
    scores, tested = test
    name = prior.trial if prior else tested.cheapest or tested.winner or tested.best
    interval = _interval(scores, name)
    return BudgetAdvice(
        tokens=budget,
        trial=name,
        coverage=float(scores.means[scores.place(name)]),
        low=interval[0] if interval else None,
        high=interval[1] if interval else None,
        latency_p50_ms=latency[name],
        decided=prior.decided if prior else tested.decided,
        may_be_best=len(tested.may_be_best),
        standing=prior.standing if prior else None,
    )


def _interval(matrix: ScoreMatrix, name: str) -> tuple[float, float] | None:
    found = mean_intervals(matrix.keep([matrix.place(name)]))[0]
    return (found.low, found.high) if found else None
