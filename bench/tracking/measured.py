"""The numbers of a trial as MLflow's metrics: columns, curves over steps, groups behind a slash.

All numbers of a trial are in results.json. Of its groups only the measures that studies are
decided on are logged: hundreds of charts would hide them.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bench.results import COLUMNS, Column, Numbers, TrialResult, Tuning
from bench.results.model import ThresholdPoint
from bench.tracking.finite import finite
from bench.tracking.names import distinct, safe

_BY_TOKENS = re.compile(r"(?P<measure>\w+)_at_(?P<tokens>[0-9]{1,9})_tokens")
# The same in every trial of a study: as measures they would be the first thing that is plotted.
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
    """One number, or one point of a curve."""

    name: str
    value: float
    step: int = 0


def measured(
    trial: TrialResult, objective: str, columns: Sequence[Column] = COLUMNS
) -> tuple[Measured, ...]:
    """Return every number of a trial that is logged; of groups the objective and `columns`.

    The objective comes first: MLflow's page that compares runs plots what was logged first.
    """
    headlines = {column.measure for column in columns if column.measure}
    found = (
        *_summary(trial.summary),
        *(Measured(f"chunks/{safe(name)}", value) for name, value in _numbers(trial.chunks)),
        *_refusals(trial.negative_curve),
        *_grouped(trial, {objective, *headlines}),
        *(_worth(trial.tuning) if trial.tuning else ()),
    )
    return tuple(sorted(found, key=lambda one: one.name != objective))


def _summary(summary: Numbers) -> Iterator[Measured]:
    for name, value in _numbers(summary):
        yield Measured(safe(name), value)
        curve = _BY_TOKENS.fullmatch(name)
        if curve:
            yield Measured(f"{curve['measure']}_by_tokens", value, int(curve["tokens"]))


def _refusals(curve: Sequence[ThresholdPoint]) -> Iterator[Measured]:
    """Yield the share of unanswerable queries let through, by the percentage of answers kept."""
    for point in curve:
        passed = finite(point.false_positives)
        if passed is not None:
            step = round(100 * point.kept)
            yield Measured("negative_false_positives_by_percent_kept", passed, step)


def _grouped(trial: TrialResult, wanted: set[str]) -> Iterator[Measured]:
    for kind, groups in {"level": trial.levels, **trial.groups}.items():
        for group, name in distinct(groups).items():
            for measure, value in _numbers(groups[group]):
                if measure in wanted:
                    yield Measured(f"{safe(measure)}_by_{kind}/{name}", value)


def _worth(tuning: Tuning) -> Iterator[Measured]:
    """Yield what chosen weights score on the queries that chose, and what to expect of them."""
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
