"""The summary that MLflow shows on a study's page, as markdown."""

import math

from bench.printable import one_line
from bench.results import AdviceRecord, PlanSummary, StudyResult, TrialResult
from bench.tracking.finite import finite
from bench.tracking.verdicts import verdict_of

_COLUMNS = {
    "MRR": ("avg_mrr", 4),
    "Recall@10": ("avg_recall_at_10", 4),
    "NDCG@10": ("avg_ndcg_at_10", 4),
    "Recall@4000 tokens": ("avg_recall_at_4000_tokens", 4),
    "p95 ms": ("latency_p95_ms", 1),
}
_LONGEST_TABLE = 3_000  # the whole note must fit a tag, with its sentences
_LONGEST_CELL, _LONGEST_SENTENCE, _MOST_SENTENCES = 120, 400, 3
_ESCAPED = str.maketrans({"|": r"\|", "<": "&lt;", "[": r"\[", "`": r"\`"})

_UNITS = (
    "Scores and rates run from 0 to 1. Names tell other units: `_ms`, `_seconds`, `_bytes`; "
    "`_by_tokens` is a curve whose steps are tokens shown."
)


def note_of(result: StudyResult) -> str:
    """Return the recommendation, the table of trials, the units and what the study cost."""
    parts = [_recommendation(result.advice), _table(result), _UNITS, _cost(result.plan)]
    return "\n\n".join(part for part in parts if part)


def _recommendation(advice: AdviceRecord) -> str:
    lines = [f"- {_plain(one, _LONGEST_SENTENCE)}" for one in advice.sentences[:_MOST_SENTENCES]]
    # MLflow folds a description after a few lines: the answer comes first
    first = [f"**Ship: {_plain(advice.ship, _LONGEST_CELL)}**\n"] if advice.ship else []
    return "\n".join([*first, *lines])


def _table(result: StudyResult) -> str:
    objective = result.settings.advice.objective
    lines = [
        "| Configuration | " + " | ".join(_COLUMNS) + " |",
        "|---|" + "--:|" * len(_COLUMNS),
    ]
    ordered = sorted(result.trials, key=lambda one: _quality(one, objective), reverse=True)
    rows = [_row(trial, result.advice) for trial in ordered]
    shown = 0
    room = _LONGEST_TABLE
    while shown < len(rows) and len(rows[shown]) < room:
        room -= len(rows[shown]) + 1
        shown += 1
    left = len(rows) - shown
    lines += [*rows[:shown], *([f"\n{left} more are in results.json."] if left else [])]
    return "\n".join(lines)


def _quality(trial: TrialResult, objective: str) -> float:
    number = finite(trial.mean(objective))
    return -math.inf if number is None else number


def _row(trial: TrialResult, advice: AdviceRecord) -> str:
    name = _plain(trial.name or "trial", _LONGEST_CELL)
    place = "failed" if trial.failed else verdict_of(trial, advice)
    cells = [_cell(trial.summary.get(column), digits) for column, digits in _COLUMNS.values()]
    return f"| {name}{f' ({place})' if place else ''} | " + " | ".join(cells) + " |"


def _cell(value: float | None, digits: int) -> str:
    number = finite(value)
    return "-" if number is None else f"{number:.{digits}f}"


def _cost(plan: PlanSummary) -> str:
    return (
        f"{plan.distinct} stages ({plan.executed} executed, {plan.reused} reused,"
        f" {plan.failed} failed), {plan.separate} if run separately."
    )


def _plain(text: str, longest: int) -> str:
    return one_line(text)[:longest].translate(_ESCAPED)
