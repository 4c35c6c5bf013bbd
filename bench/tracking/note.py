"""The Markdown summary on the page of a study in MLflow."""

import math
from collections.abc import Sequence

from bench.advice import measure_label
from bench.printable import one_line
from bench.results import (
    COLUMNS,
    AdviceRecord,
    Column,
    PlanSummary,
    StudyResult,
    TrialResult,
)
from bench.results.columns import DISTURBED, disturbed_note, known_columns, objective_first
from bench.tracking.finite import finite
from bench.tracking.verdicts import verdict_of

_LONGEST_TABLE = 3_000  # in characters; the whole note has to fit into a tag
_LONGEST_CELL, _LONGEST_SENTENCE, _MOST_SENTENCES = 120, 400, 3
_ESCAPED = str.maketrans({"|": r"\|", "<": "&lt;", "[": r"\[", "`": r"\`"})

_UNITS = (
    "Scores and rates run from 0 to 1. Names tell other units: `_ms`, `_seconds`, `_bytes`; "
    "`_by_tokens` is a curve whose steps are tokens shown."
)


def note_of(result: StudyResult, columns: Sequence[Column] = COLUMNS) -> str:
    """Return the recommendation, the table of trials, the units and the cost of the study."""
    parts = [_recommendation(result.advice), _table(result, columns), _UNITS, _cost(result.plan)]
    return "\n\n".join(part for part in parts if part)


def _recommendation(advice: AdviceRecord) -> str:
    lines = [f"- {_plain(one, _LONGEST_SENTENCE)}" for one in advice.sentences[:_MOST_SENTENCES]]
    # MLflow folds a description after a few lines, so the recommendation comes first
    first = [f"**Ship: {_plain(advice.ship, _LONGEST_CELL)}**\n"] if advice.ship else []
    return "\n".join([*first, *lines])


def _table(result: StudyResult, columns: Sequence[Column]) -> str:
    objective = result.settings.advice.measure
    shown = known_columns(
        objective_first(objective, measure_label(objective), columns), result.trials
    )
    lines = [
        "| Configuration | " + " | ".join(column.heading for column in shown) + " |",
        "|---|" + "--:|" * len(shown),
    ]
    ordered = sorted(result.trials, key=lambda one: _quality(one, objective), reverse=True)
    rows = [_row(trial, result.advice, shown) for trial in ordered]
    fitting = 0
    room = _LONGEST_TABLE
    while fitting < len(rows) and len(rows[fitting]) < room:
        room -= len(rows[fitting]) + 1
        fitting += 1
    left = len(rows) - fitting
    note = disturbed_note(result.trials)
    lines += [*rows[:fitting], *([f"\n{left} more are in results.json."] if left else [])]
    lines += [f"\n{note}."] if note else []
    return "\n".join(lines)


def _quality(trial: TrialResult, objective: str) -> float:
    number = finite(trial.mean(objective))
    return -math.inf if number is None else number


def _row(trial: TrialResult, advice: AdviceRecord, columns: Sequence[Column]) -> str:
    name = _plain(trial.name or "trial", _LONGEST_CELL)
    place = "failed" if trial.failed else verdict_of(trial, advice)
    cells = [_cell(column, trial) for column in columns]
    return f"| {name}{f' ({place})' if place else ''} | " + " | ".join(cells) + " |"


def _cell(column: Column, trial: TrialResult) -> str:
    mark = DISTURBED if trial.is_disturbed(column.number) else ""
    return column.shown(finite(trial.summary.get(column.number))) + mark


def _cost(plan: PlanSummary) -> str:
    return (
        f"{plan.distinct} stages ({plan.executed} executed, {plan.reused} reused,"
        f" {plan.failed} failed), {plan.separate} if run separately."
    )


def _plain(text: str, longest: int) -> str:
    return one_line(text)[:longest].translate(_ESCAPED)
