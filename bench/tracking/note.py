"""The summary that MLflow shows on a study's page, as markdown."""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from bench.printable import one_line
from bench.tracking.finite import finite
from bench.tracking.measured import mapping
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

_NAME = re.compile(r"[a-z0-9_]{1,100}")
_UNITS = (
    "Scores and rates run from 0 to 1. Names tell other units: `_ms`, `_seconds`, `_bytes`; "
    "`_by_tokens` is a curve whose steps are tokens shown."
)

Json = Mapping[str, Any]


def note_of(results: Json) -> str:
    """Return the recommendation, the table of trials, the units and what the study cost."""
    told = [_recommendation(results), _table(results), _UNITS, _cost(results)]
    return "\n\n".join(part for part in told if part)


def objective_of(results: Json) -> str:
    """Return the measure that the study is decided by; files of older versions do not say."""
    name = mapping(mapping(results, "settings"), "advice").get("objective")
    return name if isinstance(name, str) and _NAME.fullmatch(name) else "mrr"


def _recommendation(results: Json) -> str:
    advice = mapping(results, "recommendation")
    sentences = advice.get("sentences") or ()
    told = [_plain(each, _LONGEST_SENTENCE) for each in sentences[:_MOST_SENTENCES]]
    lines = [f"- {sentence}" for sentence in told]
    ship = advice.get("ship")
    # MLflow folds a description after a few lines: the answer comes first
    first = [f"**Ship: {_plain(ship, _LONGEST_CELL)}**\n"] if ship else []
    return "\n".join([*first, *lines])


def _table(results: Json) -> str:
    reports: Sequence[Json] = results.get("reports") or ()
    advice, column = mapping(results, "recommendation"), f"avg_{objective_of(results)}"
    lines = [
        "| Configuration | " + " | ".join(_COLUMNS) + " |",
        "|---|" + "--:|" * len(_COLUMNS),
    ]
    ordered = sorted(reports, key=lambda report: _quality(report, column), reverse=True)
    rows = [_row(report, advice) for report in ordered]
    shown = 0
    room = _LONGEST_TABLE
    while shown < len(rows) and len(rows[shown]) < room:
        room -= len(rows[shown]) + 1
        shown += 1
    left = len(rows) - shown
    lines += [*rows[:shown], *([f"\n{left} more are in results.json."] if left else [])]
    return "\n".join(lines)


def _quality(report: Json, column: str) -> float:
    number = finite(mapping(report, "summary").get(column))
    return -math.inf if number is None else number


def _row(report: Json, advice: Json) -> str:
    summary = mapping(report, "summary")
    name = _plain(mapping(report, "config").get("name") or "trial", _LONGEST_CELL)
    said = "failed" if report.get("status") == "failed" else verdict_of(report, advice)
    told = f" ({said})" if said else ""
    cells = [_cell(summary.get(key), digits) for key, digits in _COLUMNS.values()]
    return f"| {name}{told} | " + " | ".join(cells) + " |"


def _cell(value: object, digits: int) -> str:
    number = finite(value)
    return "-" if number is None else f"{number:.{digits}f}"


def _cost(results: Json) -> str:
    plan = results.get("plan") or {}
    if "distinct" not in plan:
        return ""
    parts = [f"{plan[key]} {key}" for key in ("executed", "reused", "failed") if key in plan]
    separate = f", {plan['separate']} if run separately" if "separate" in plan else ""
    return f"{plan['distinct']} stages ({', '.join(parts)}){separate}."


def _plain(text: object, longest: int) -> str:
    return one_line(str(text))[:longest].translate(_ESCAPED)
