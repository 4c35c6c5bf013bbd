"""FINDINGS.md: one trial against the targets of its tiers, fixture by fixture.

A snapshot to be committed: it says how good the retriever is today and which queries it misses.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from bench.analysis import Interval, mean_intervals
from bench.report.markdown import percent, plain, table
from bench.report.study_view import StudyView
from bench.results import Column, QueryResult, TrialResult
from bench.results.columns import known_columns
from bench.results.tiers import tier_order

_PRECISION = "precision_at_10"
_CUT = 10


def findings(view: StudyView, targets: Mapping[str, float]) -> str:
    """Return what the advised trial reaches, per tier, repository and query."""
    trial = view.chosen
    heading = f"# Findings on {plain(view.study.suite)}"
    if trial is None:
        return f"{heading}\n\nNo trial has a result.\n"
    parts = [heading, *_about(view, trial), *_tiers(view, trial, targets)]
    columns = _measures(view, trial)
    parts += [*_repositories(trial, columns), *_misses(trial), *_queries(trial, columns)]
    return "\n\n".join(parts) + "\n"


def _about(view: StudyView, trial: TrialResult) -> Iterator[str]:
    role = "advised" if view.study.advice.ship == trial.name else "highest"
    yield (
        f"Trial: {plain(trial.name)} (the {role} one of {len(view.trials)}),"
        f" {plain(view.study.level_and_credit)}, study {plain(view.study.id)}"
        f"{f', {plain(view.choice)}' if view.choice else ''}."
    )


def _measures(view: StudyView, trial: TrialResult) -> list[Column]:
    """Return the columns that groups of queries and single queries have as well."""
    return [column for column in known_columns(view.columns, [trial]) if column.measure]


def _tiers(view: StudyView, trial: TrialResult, targets: Mapping[str, float]) -> Iterator[str]:
    tiers = sorted(trial.difficulties, key=tier_order)
    yield "## By tier"
    if not tiers:
        yield "No query names its tier."
        return
    others = [column for column in _measures(view, trial) if column.measure != _PRECISION]
    headings = ["tier", "queries", "P@10", "95 % interval", "P@10 possible", "target", "met"]
    rows = [
        [
            *_tier(view, trial, tier, targets.get(tier)),
            *(column.shown(trial.difficulties[tier].get(column.number)) for column in others),
        ]
        for tier in tiers
    ]
    yield table([*headings, *(column.heading for column in others)], rows)
    yield (
        "P@10 is the share of the first 10 hits that is right, over 10 even where fewer were "
        "returned. *Possible* is what a perfect ranking would reach: a query with two targets "
        "cannot have more than two right hits. Means are over repositories; intervals hold on "
        "these repositories."
    )


def _tier(view: StudyView, trial: TrialResult, tier: str, target: float | None) -> list[str]:
    numbers = trial.difficulties[tier]
    own = [q for q in _judged(trial) if q.difficulty == tier]
    precision = numbers.get(f"avg_{_PRECISION}")
    met = "-" if target is None or precision is None else "yes" if precision > target else "no"
    return [
        plain(tier),
        str(numbers.get("count", len(own))),
        percent(precision),
        _between(_interval(view, trial, tier)),
        percent(_possible(own)),
        "-" if target is None else f"> {percent(target)}",
        met,
    ]


def _judged(trial: TrialResult) -> list[QueryResult]:
    return [query for query in trial.queries if query.numbers.get("mrr") is not None]


def _interval(view: StudyView, trial: TrialResult, tier: str) -> Interval | None:
    matrix = view.matrix(_PRECISION)
    if matrix is None:
        return None
    rows = [row for row, query in enumerate(view.questions) if query.difficulty == tier]
    place = matrix.place(trial.name)
    return mean_intervals(matrix.keep([place]).of_rows(rows))[0] if rows else None


def _possible(queries: Sequence[QueryResult]) -> float | None:
    """Return the P@10 of a perfect ranking: the mean over repositories, as the others are."""
    known = [query for query in queries if query.targets]
    if not known or len(known) < len(queries):
        return None
    by_repository: dict[str, list[float]] = {}
    for query in known:
        share = min(len(query.targets), _CUT) / _CUT
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
