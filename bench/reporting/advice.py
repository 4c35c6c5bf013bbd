"""What can be said of a study: who is highest and fastest, and what the queries decide."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bench.analysis import Objective, Recommendation, ScoreMatrix, recommend
from bench.measures import OF_ANSWERS
from bench.reporting.exceptions import Exceptional, exceptions
from bench.reporting.limits import RuledOut, within_limits
from bench.reporting.tuned_weights import tuned_weights
from bench.reporting.words import at_level, plural, said_of_cost, said_of_measure
from bench.settings.study import AdviceSettings
from bench.study import StudyResult, TrialResult

FEWEST_QUERIES = 12
"""With fewer, the error rates of the tests are not known."""
_SHOWN = 3

Values = np.ndarray[Any, np.dtype[np.float64]]
Truths = np.ndarray[Any, np.dtype[np.bool_]]


@dataclass(frozen=True)
class Advice:
    """Sentences, the names they rest on, and the tests behind them if there was a choice."""

    sentences: tuple[str, ...]
    highest: str | None
    fastest: str | None
    ship: str | None = None
    """The trial to ship: the cheapest that is not worse than any other, or the winner."""
    ruled_out: tuple[RuledOut, ...] = ()
    exceptions: tuple[Exceptional, ...] = ()
    """Repositories on which another trial is clearly better than the one to ship."""
    tested: Recommendation | None = None


def advice(result: StudyResult, settings: AdviceSettings | None = None, *, seed: int) -> Advice:
    """Return what the results say; several trials are tested against each other."""
    wanted = settings or AdviceSettings()
    done = [trial for trial in result.trials if not trial.failed and not trial.is_bound]
    allowed, ruled_out = within_limits(done, wanted)
    highest, about_highest = _highest(done, result, wanted.objective)
    fastest = _best(done, "latency_p50_ms", sign=-1)
    matrix = _matrix(allowed, wanted.objective) if len(allowed) > 1 else None
    tested = _tested(matrix, allowed, wanted, level=result.level, seed=seed) if matrix else None
    ship = (tested.cheapest or tested.winner) if tested else None
    found = exceptions(matrix, ship) if matrix and ship else ()
    sentences = [
        *about_highest,
        *map(str, tuned_weights(result, seed=seed).values()),
        *_about_fastest(fastest, done),
        *_about_limits(ruled_out, allowed),
        *_about_equal_text(highest, done),
        *_about_tests(tested, allowed),
        *(str(exception) for exception in found),
        *(f"Note: {warning}" for warning in (tested.warnings if tested else ())),
    ]
    return Advice(
        tuple(sentences),
        highest.name if highest else None,
        fastest.name if fastest and len(done) > 1 else None,
        ship,
        ruled_out,
        found,
        tested,
    )


def _matrix(trials: Sequence[TrialResult], column: str) -> ScoreMatrix | None:
    """Return the scores of the queries that every trial has one of, if they are enough."""
    values, judged = _scores(trials, column)
    return _of_rows(trials, values, judged) if judged.sum() >= FEWEST_QUERIES else None


def _scores(trials: Sequence[TrialResult], column: str) -> tuple[Values, Truths]:
    """Return every score, a column a trial, and which rows every trial has."""
    columns = [[query.numbers.get(column) for query in trial.queries] for trial in trials]
    values = np.array(columns, np.float64).T
    shared: Truths = np.all(np.isfinite(values), axis=1)
    return values, shared


def _of_rows(trials: Sequence[TrialResult], values: Values, rows: Truths) -> ScoreMatrix:
    repositories = [trials[0].queries[row].repository for row in np.flatnonzero(rows)]
    return ScoreMatrix.of(values[rows], repositories, [trial.name for trial in trials])


def _tested(
    matrix: ScoreMatrix,
    trials: Sequence[TrialResult],
    settings: AdviceSettings,
    *,
    level: str,
    seed: int,
) -> Recommendation:
    objective = Objective(
        measure=said_of_measure(settings.objective),
        level="" if settings.is_of_answers else level,
        margin=settings.margin,
        cost=said_of_cost(settings.cost),
    )
    costs = [trial.summary.get(settings.cost) for trial in trials]
    return recommend(matrix, objective, costs, seed=seed)


def _about_tests(tested: Recommendation | None, allowed: Sequence[TrialResult]) -> list[str]:
    if tested:
        return [statement.text for statement in tested.statements]
    if len(allowed) > 1:
        return [f"No test was made: it takes {FEWEST_QUERIES} judged queries or more."]
    return []


def _best(trials: Sequence[TrialResult], column: str, *, sign: int) -> TrialResult | None:
    known = [(trial, trial.summary.get(column)) for trial in trials]
    valued = [(trial, value) for trial, value in known if value is not None]
    return max(valued, key=lambda pair: sign * pair[1], default=(None, 0))[0]


def _highest(
    done: Sequence[TrialResult], result: StudyResult, column: str
) -> tuple[TrialResult | None, list[str]]:
    """Return the highest trial, on the queries that all have answered, and say so."""
    if len(done) > 1:
        values, shared = _scores(done, column)
        if shared.any() and not np.array_equal(shared, ~np.isnan(values).all(axis=1)):
            return _highest_of_shared(_of_rows(done, values, shared), done, result, column)
    highest = _best(done, f"avg_{column}", sign=1)
    return highest, _about_highest(highest, done, result, column)


def _highest_of_shared(
    matrix: ScoreMatrix, done: Sequence[TrialResult], result: StudyResult, column: str
) -> tuple[TrialResult, list[str]]:
    highest = done[int(np.argmax(matrix.means))]
    said = (
        f"Highest: {highest.name} ({said_of_measure(column)} {matrix.means.max():.4f}"
        f"{at_level(column, result.level)}, over the"
        f" {plural(matrix.queries, 'query', 'queries')} that"
        f" {'all trials have it of' if column in OF_ANSWERS else 'no trial failed on'})."
    )
    return highest, [said]


def _about_highest(
    highest: TrialResult | None, done: Sequence[TrialResult], result: StudyResult, column: str
) -> list[str]:
    measure = said_of_measure(column)
    if highest is None:
        return [f"No trial has a number for {measure}." if done else "No trial has a result."]
    score = highest.summary[f"avg_{column}"]
    queries = sum(query.numbers.get(column) is not None for query in highest.queries)
    at = at_level(column, result.level)
    where = (
        f"over {plural(queries, 'query', 'queries')} "
        f"of {plural(len(highest.repositories), 'repository', 'repositories')}"
    )
    if len(done) == 1:
        return [f"{measure} is {score:.4f}{at}, {where}."]
    equal = [t.name for t in done if t.summary[f"avg_{column}"] == score and t is not highest]
    also = f" (level with {', '.join(equal)})" if equal else ""
    return [f"Highest: {highest.name}{also} ({measure} {score:.4f}{at}, {where})."]


def _about_limits(ruled_out: Sequence[RuledOut], allowed: Sequence[TrialResult]) -> list[str]:
    if not ruled_out:
        return []
    shown = "; ".join(f"{one.trial} ({one.why})" for one in ruled_out[:_SHOWN])
    more = f"; and {len(ruled_out) - _SHOWN} more" if len(ruled_out) > _SHOWN else ""
    left = "" if allowed else " No trial keeps the limits."
    one = f" {allowed[0].name} alone keeps the limits." if len(allowed) == 1 else ""
    return [f"Ruled out: {shown}{more}.{left}{one}"]


_BUDGET = "avg_recall_at_4000_tokens"


def _about_equal_text(highest: TrialResult | None, done: Sequence[TrialResult]) -> list[str]:
    """Say so where another trial leads once all show equally much text."""
    leader = _best(done, _BUDGET, sign=1)
    if highest is None or leader is None or leader is highest:
        return []
    most, own = leader.summary[_BUDGET], highest.summary[_BUDGET]
    if own is None or most is None or most <= own:
        return []
    recalls = f"{leader.name} recalls {most:.4f} and {highest.name} {own:.4f}"
    return [f"At equal text the order is another: in 4,000 tokens {recalls}."]


def _about_fastest(fastest: TrialResult | None, done: Sequence[TrialResult]) -> list[str]:
    if fastest is None or len(done) == 1:
        return []
    p50, p95 = fastest.summary["latency_p50_ms"], fastest.summary["latency_p95_ms"]
    return [f"Fastest: {fastest.name} ({p50:.1f} ms median, {p95:.1f} ms p95 a query)."]
