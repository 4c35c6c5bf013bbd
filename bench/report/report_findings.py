"""FINDINGS.md: one trial against its targets, by tier, repository and query.

The file is a snapshot to commit. It records the quality of the retriever and the queries it
misses.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bench.analysis import Interval, mean_intervals
from bench.measures import macro
from bench.report.markdown import percent, plain, table
from bench.report.study_view import StudyView
from bench.results import Column, Numbers, QueryResult, TrialResult
from bench.results.columns import known_columns
from bench.results.tiers import OVERALL, tier_order

_PRECISION = "precision_at_10"
_CUT = 10


def findings(view: StudyView, targets: Mapping[str, float]) -> str:
    """Return the findings on the advised trial as Markdown."""
    trial = view.chosen
    heading = f"# Findings on {plain(view.study.suite)}"
    if trial is None:
        return f"{heading}\n\nNo trial has a result.\n"
    parts = [heading, *_about(view, trial), *_tiers(view, trial, targets)]
    columns = _measures(view, trial)
    parts += [
        *_repositories(trial, columns),
        *_categories(trial, columns),
        *_misses(trial),
        *_queries(trial, columns),
    ]
    return "\n\n".join(parts) + "\n"


def _about(view: StudyView, trial: TrialResult) -> Iterator[str]:
    yield (
        f"Trial: {plain(trial.name)} ({view.role}, of {len(view.trials)} trials),"
        f" {plain(view.study.level_and_credit)}, study {plain(view.study.id)}"
        f"{f', {plain(view.choice)}' if view.choice else ''}."
    )


def _measures(view: StudyView, trial: TrialResult) -> list[Column]:
    """Return the columns that exist for groups and for single queries."""
    return [column for column in known_columns(view.columns, [trial]) if column.measure]


def _tiers(view: StudyView, trial: TrialResult, targets: Mapping[str, float]) -> Iterator[str]:
    tiers = sorted(trial.difficulties, key=tier_order)
    yield "## By tier"
    if not tiers:
        yield "No query names its tier."
        return
    others = [column for column in _measures(view, trial) if column.measure != _PRECISION]
    headings = ["tier", "queries", "P@10", "95 % interval", "P@10 possible", "target", "met"]
    groups = [_Group.of_tier(trial, tier) for tier in tiers]
    rows = [
        [
            *_tier(view, group, targets.get(group.name)),
            *(column.shown(group.numbers.get(column.number)) for column in others),
        ]
        for group in (*groups, _Group(OVERALL, trial.summary, _judged(trial)))
    ]
    yield table([*headings, *(column.heading for column in others)], rows)
    yield (
        "P@10 is the share of the first 10 hits that is right, over 10 even where fewer were "
        "returned. *Possible* is what a perfect ranking would reach: a query with two targets "
        "cannot have more than two right hits. Means are over repositories; intervals hold on "
        "these repositories."
    )


@dataclass(frozen=True)
class _Group:
    """The queries of a row, with their means."""

    name: str
    numbers: Numbers
    queries: Sequence[QueryResult]

    @classmethod
    def of_tier(cls, trial: TrialResult, tier: str) -> "_Group":
        own = [query for query in _judged(trial) if query.difficulty == tier]
        return cls(tier, trial.difficulties[tier], own)


def _tier(view: StudyView, group: _Group, target: float | None) -> list[str]:
    precision = group.numbers.get(f"avg_{_PRECISION}")
    met = "-" if target is None or precision is None else "yes" if precision > target else "no"
    return [
        plain(group.name),
        str(group.numbers.get("count", len(group.queries))),
        percent(precision),
        _between(_interval(view, group)),
        percent(_possible(group.queries)),
        "-" if target is None else f"> {percent(target)}",
        met,
    ]


def _judged(trial: TrialResult) -> list[QueryResult]:
    return [query for query in trial.queries if query.numbers.get("mrr") is not None]


def _interval(view: StudyView, group: _Group) -> Interval | None:
    matrix = view.matrix(_PRECISION)
    if matrix is None or view.chosen is None:
        return None
    keys = {query.key for query in group.queries}
    rows = [row for row, query in enumerate(view.questions) if query.key in keys]
    place = matrix.place(view.chosen.name)
    return mean_intervals(matrix.keep([place]).of_rows(rows))[0] if rows else None


def _possible(queries: Sequence[QueryResult]) -> float | None:
    """Return the P@10 of a perfect ranking as a mean over repositories, or None if unknown."""
    known = [query for query in queries if query.targets]
    if not known or len(known) < len(queries):
        return None
    by_repository: dict[str, list[float]] = {}
    for query in known:
        share = min(len(query.target_grades or query.targets), _CUT) / _CUT
        by_repository.setdefault(query.repository, []).append(share)
    return float(np.mean([np.mean(shares) for shares in by_repository.values()]))


def _between(interval: Interval | None) -> str:
    if interval is None:
        return "-"
    return f"{100 * interval.low:.1f} to {100 * interval.high:.1f} %"


def _repositories(trial: TrialResult, columns: Sequence[Column]) -> Iterator[str]:
    yield "## By repository"
    rows = [
        [
            plain(name),
            str(numbers.get("count", "-")),
            *(column.shown(numbers.get(column.number)) for column in columns),
        ]
        for name, numbers in trial.repositories.items()
    ]
    yield table(["repository", "queries", *(column.heading for column in columns)], rows)


def _categories(trial: TrialResult, columns: Sequence[Column]) -> Iterator[str]:
    """Yield means by category and the share of queries with a right hit in the first 10."""
    if not trial.categories:
        return
    yield "## By category"
    headings = ["category", "queries", f"hit@{_CUT}", *(column.heading for column in columns)]
    rows = []
    for name, numbers in trial.categories.items():
        own = [query for query in _judged(trial) if query.category == name]
        means = (column.shown(numbers.get(column.number)) for column in columns)
        count = str(numbers.get("count", len(own)))
        rows.append([plain(name), count, percent(_hit_rate(own)), *means])
    rows.append(_overall(trial, columns))
    yield table(headings, rows)
    yield (
        f"hit@{_CUT} is the share of queries with a right hit among the first {_CUT}: a mean over"
        " repositories."
    )


def _overall(trial: TrialResult, columns: Sequence[Column]) -> list[str]:
    judged = _judged(trial)
    means = (column.shown(trial.summary.get(column.number)) for column in columns)
    return [OVERALL, str(len(judged)), percent(_hit_rate(judged)), *means]


def _hit_rate(queries: Sequence[QueryResult]) -> float | None:
    hits = [float(0 < (query.first_rank or 0) <= _CUT) for query in queries]
    return macro(np.array(hits, np.float64), [query.repository for query in queries])


def _misses(trial: TrialResult) -> Iterator[str]:
    missed = [query for query in _judged(trial) if not query.first_rank]
    yield "## Queries that scored 0"
    if not missed:
        yield "None: every judged query found something right."
        return
    yield f"{len(missed)} of {len(_judged(trial))} judged queries found nothing right."
    yield "\n".join(
        f"- {plain(query.id)} ({plain(query.repository)}{_tier_of(query)}):"
        f" {plain(query.text)} — expected {', '.join(map(plain, query.expected))}"
        for query in missed
    )


def _tier_of(query: QueryResult) -> str:
    return f", {plain(query.difficulty)}" if query.difficulty else ""


def _queries(trial: TrialResult, columns: Sequence[Column]) -> Iterator[str]:
    yield "## By query"
    rows = [
        [
            plain(query.text, 60),
            plain(query.repository),
            plain(query.difficulty or "-"),
            *(column.shown(query.numbers.get(column.name)) for column in columns),
            str(query.first_rank or "-"),
        ]
        for query in sorted(_judged(trial), key=_order)
    ]
    headings = ["query", "repository", "tier", *(column.heading for column in columns)]
    yield table([*headings, "first right at"], rows)


def _order(query: QueryResult) -> tuple[tuple[int, str], str, str]:
    return tier_order(query.difficulty), query.repository, query.id
