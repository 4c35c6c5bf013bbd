"""What to ship for the text that a reader can afford: a choice for each amount of it.

Ten hits of large chunks show more text than ten hits of small ones, and find more for that
reason alone. At equal text they compete as they would in a prompt.
"""

from collections.abc import Mapping, Sequence

from bench.advice.select import objective_of, testable
from bench.analysis import Recommendation, ScoreMatrix, mean_intervals, recommend_each
from bench.results import BudgetAdvice, TrialResult
from bench.settings.study import AdviceSettings, coverage_at

BUDGETS = (1_000, 2_000, 4_000, 8_000)
TEN_HITS = "coverage_at_10"
_SHOWN = "avg_shown_tokens_at_10"
_ALIKE = 1.25
"""Trials show the same amount of text up to this ratio of their tokens in ten hits."""


def text_differs(trials: Sequence[TrialResult]) -> bool:
    """Tell whether ten hits of some trials show clearly more text than those of others."""
    shown = shown_tokens(trials)
    return bool(shown) and max(shown) > _ALIKE * min(shown)


def shown_tokens(trials: Sequence[TrialResult]) -> list[float]:
    """Return the mean tokens of the first ten hits of each trial that has any."""
    return [tokens for trial in trials if (tokens := trial.summary.get(_SHOWN))]


def by_budget(
    trials: Sequence[TrialResult], settings: AdviceSettings, *, seed: int
) -> Mapping[int | None, Recommendation]:
    """Return the tests for each budget, corrected together; None stands for ten hits.

    Empty if the trials show the same amount of text, or if the user chose what to compare by.
    """
    if not settings.asks_for_every_budget or not text_differs(trials):
        return {}
    columns = {tokens: coverage_at(tokens) for tokens in BUDGETS} | {None: TEN_HITS}
    tables = {
        budget: matrix
        for budget, column in columns.items()
        if (matrix := testable(trials, column)) is not None
    }
    if settings.budget not in tables:
        return {}
    costs = [trial.summary.get(settings.cost) for trial in trials]
    found = recommend_each(list(tables.values()), objective_of(settings), costs, seed=seed)
    return dict(zip(tables, found, strict=True))


def budget_advice(
    tests: Mapping[int | None, Recommendation], trials: Sequence[TrialResult]
) -> tuple[BudgetAdvice, ...]:
    """Return what to ship at each budget; where nothing is decided, the highest."""
    return tuple(_advice(budget, tested, trials) for budget, tested in tests.items())


def _advice(
    budget: int | None, tested: Recommendation, trials: Sequence[TrialResult]
) -> BudgetAdvice:
    name = tested.cheapest or tested.winner or tested.best
    trial = next(one for one in trials if one.name == name)
    column = TEN_HITS if budget is None else coverage_at(budget)
    matrix = testable(trials, column)
    interval = _interval(matrix, name) if matrix else None
    return BudgetAdvice(
        tokens=budget,
        trial=name,
        coverage=float(matrix.means[matrix.place(name)]) if matrix else tested.best_score,
        low=interval[0] if interval else None,
        high=interval[1] if interval else None,
        latency_p50_ms=trial.summary.get("latency_p50_ms"),
        decided=tested.decided,
        may_be_best=len(tested.may_be_best),
    )


def _interval(matrix: ScoreMatrix, name: str) -> tuple[float, float] | None:
    found = mean_intervals(matrix.keep([matrix.place(name)]))[0]
    return (found.low, found.high) if found else None
