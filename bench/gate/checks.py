"""A check of a gate on one trial, with its result."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from bench.compare import CompareReport
from bench.gate.limits import COSTS, Limit, in_group, value_of
from bench.measures import OF_ANSWERS
from bench.results import QueryResult, StudyResult, TrialResult

PRIMARY = "ndcg_at_10"
"""Measure that selects the best trial, and the default for the comparison with a baseline."""
_MOST_QUERIES = 10


class State(StrEnum):
    """The result of a check, the worst last."""

    PASS = "pass"  # noqa: S105 - a verdict, not a secret
    INCONCLUSIVE = "inconclusive"
    FAIL = "fail"
    NOT_COMPARABLE = "not comparable"


@dataclass(frozen=True)
class Check:
    """A requirement on a trial, the result, and the lines that report it."""

    trial: str
    asked: str
    state: State
    lines: tuple[str, ...] = ()
    details: tuple[str, ...] = ()
    """Queries that explain the result."""
    report: CompareReport | None = None
    """The comparison with the baseline, if any."""
    drop_visible: float | None = None
    """Smallest drop that the suite detects."""


def limit_checks(study: StudyResult, limits: Sequence[Limit], *, of: str) -> list[Check]:
    """Check every trial, or the best one, against every limit."""
    if not limits:
        return []
    trials = chosen(study, of=of)
    if not trials:
        return [Check("", str(limit), State.FAIL, ("no trial has a result",)) for limit in limits]
    return [_limit_check(study, trial, limit) for trial in trials for limit in limits]


def chosen(study: StudyResult, *, of: str) -> list[TrialResult]:
    """Return every trial that could be shipped, or the best one with a result."""
    trials = [one for one in study.trials if not one.is_bound]
    if of == "all":
        return trials
    done = [one for one in trials if one.summary.get(f"avg_{PRIMARY}") is not None]
    return [max(done, key=lambda one: one.summary[f"avg_{PRIMARY}"] or 0.0)] if done else []


def _limit_check(study: StudyResult, trial: TrialResult, limit: Limit) -> Check:
    if trial.failed:
        return Check(trial.name, str(limit), State.FAIL, (f"{limit}: no result, it failed",))
    unanswered = failed_queries(trial)
    if unanswered:
        return Check(trial.name, str(limit), State.FAIL, (f"{limit}: {unanswered}",))
    value = value_of(trial, limit)
    shown = "no result" if value is None else f"{value:.4f}"
    level = "" if limit.name in (*COSTS, *OF_ANSWERS) else f" at {study.level} level"
    where = f" in {limit.group}" if limit.group else ""
    line = f"{limit.name} is {shown}{where}{level}; required: {limit.side} {limit.bound:g}"
    if limit.holds(value):
        return Check(trial.name, str(limit), State.PASS, (line,))
    return Check(trial.name, str(limit), State.FAIL, (line,), _short_queries(trial, limit))


def failed_queries(trial: TrialResult) -> str:
    """Return a message if some queries failed; a mean without them must not pass."""
    count = trial.summary.get("failed_queries")
    return f"{count:g} of its queries failed (results.json says why)" if count else ""


def _short_queries(trial: TrialResult, limit: Limit) -> tuple[str, ...]:
    """Return the queries that are furthest on the wrong side of a bound."""
    kind, name = in_group(trial, limit)
    short = [
        (query.known[limit.name], query)
        for query in trial.by_key.values()
        if not limit.holds(query.known.get(limit.name, limit.bound))
        and (not kind or getattr(query, kind, name) == name)
    ]
    short.sort(key=lambda pair: -abs(pair[0] - limit.bound))
    lines = [_short(query, number, limit.name) for number, query in short[:_MOST_QUERIES]]
    if len(short) > _MOST_QUERIES:
        lines.append(f"and {len(short) - _MOST_QUERIES} more (results.json has them all)")
    return tuple(lines)


def _short(query: QueryResult, number: float, name: str) -> str:
    rank = query.first_rank
    where = f"first right at {rank}" if rank else "nothing right found"
    where = "nothing answers it" if query.negative else where
    return f"{query.id}: {name} {number:.2f}, {where}"
