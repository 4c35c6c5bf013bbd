"""The numbers of a trial as MLflow's metrics: columns, curves over steps, groups after a slash.

All numbers of a trial are in results.json, and its numbers over all queries in trials.csv. At most
60 names become metrics: the columns of the table, curves, levels and repositories. MLflow writes a
row of its database and draws a chart for each, so hundreds take minutes and hide the important
ones.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from bench.measures import OF_ANSWERS
from bench.results import COLUMNS, Column, Numbers, TrialResult, Tuning
from bench.results.engine_rankings import ENGINE_RECALL
from bench.results.trial_result import ThresholdPoint
from bench.tracking.finite import finite
from bench.tracking.names import distinct, safe

MOST_METRICS = 60
CURVES = ("recall_by_tokens", "coverage_by_tokens", "ndcg_by_tokens")
_BY_TOKENS = re.compile(r"(?P<measure>\w+)_at_(?P<tokens>[0-9]{1,9})_tokens")
# These are the same in all trials of a study, but MLflow would plot them first.
_SAME_IN_ALL = (
    "total_queries",
    "negative_queries",
    "drafts_left_out",
    "judged_queries",
    "failed_queries",
    "count",
)


@dataclass(frozen=True)
class Measured:
    """A number, or a point of a curve."""

    name: str
    value: float
    step: int = 0


def measured(
    trial: TrialResult, objective: str, columns: Sequence[Column] = COLUMNS
) -> tuple[Measured, ...]:
    """Return the logged numbers of a trial, with the most important names first.

    The objective comes first, since MLflow's page that compares runs plots the first metrics.
    """
    headlines = [objective, *(column.name for column in columns), *OF_ANSWERS, ENGINE_RECALL]
    numbers = numbers_of(trial)
    found = (
        *(Measured(name, numbers[name]) for name in dict.fromkeys(headlines) if name in numbers),
        *_curves(trial.summary),
        *_refusals(trial.negative_curve),
        *(_worth(trial.tuning) if trial.tuning else ()),
        *_grouped("level", trial.levels, objective),
        *_grouped("repository", trial.repositories, objective),
    )
    kept = set(islice(dict.fromkeys(one.name for one in found), MOST_METRICS))
    return tuple(one for one in found if one.name in kept)


def numbers_of(trial: TrialResult) -> dict[str, float]:
    """Return all numbers of a trial over all queries, by their names in MLflow."""
    timed = {ENGINE_RECALL: trial.latency.engine_recall_at_10}  # if the engine did not rank
    return {safe(name): value for name, value in _numbers({**timed, **trial.summary})}


def _curves(summary: Numbers) -> Iterator[Measured]:
    for name, value in _numbers(summary):
        curve = _BY_TOKENS.fullmatch(name)
        if curve and f"{curve['measure']}_by_tokens" in CURVES:
            yield Measured(f"{curve['measure']}_by_tokens", value, int(curve["tokens"]))


def _refusals(curve: Sequence[ThresholdPoint]) -> Iterator[Measured]:
    """Yield the share of negative queries that pass, by the percentage of answers kept."""
    for point in curve:
        passed = finite(point.false_positives)
        if passed is not None:
            step = round(100 * point.kept)
            yield Measured("negative_false_positives_by_percent_kept", passed, step)


def _grouped(kind: str, groups: Mapping[str, Numbers], objective: str) -> Iterator[Measured]:
    for group, name in distinct(groups).items():
        for measure, value in _numbers(groups[group]):
            if measure == objective:
                yield Measured(f"{safe(measure)}_by_{kind}/{name}", value)


def _worth(tuning: Tuning) -> Iterator[Measured]:
    """Yield the score of tuned weights on their tuning queries, and the expected scores."""
    worth = {
        "in_sample": tuning.in_sample,
        "expected_here": tuning.expected_here,
        "expected_on_a_new_repository": tuning.expected_on_a_new_repository,
    }
    for name, value in _numbers(worth):
        yield Measured(f"tuning/{safe(tuning.objective)}_{name}", value)


def _numbers(measures: Numbers) -> Iterator[tuple[str, float]]:
    for name, value in measures.items():
        number = finite(value)
        if number is not None and name not in _SAME_IN_ALL:
            yield name.removeprefix("avg_"), number
