"""Table of the advised configuration per token budget, shared by all reports."""

from collections.abc import Sequence

from bench.advice import amount_text
from bench.results import BudgetAdvice

TITLE = "What to ship, by the text that is read"
INTERVAL = "95 % interval"
HEADINGS = ("text", "configuration", "coverage", INTERVAL, "p50 ms", "decided")


def budget_rows(choices: Sequence[BudgetAdvice]) -> list[tuple[str, ...]]:
    """Return a row of table cells for each budget."""
    return [
        (
            amount_text(one),
            one.trial,
            f"{one.coverage:.4f}",
            "-" if one.low is None or one.high is None else f"{one.low:.3f} to {one.high:.3f}",
            "-" if one.latency_p50_ms is None else f"{one.latency_p50_ms:.1f}",
            _decided(one),
        )
        for one in choices
    ]


def _decided(one: BudgetAdvice) -> str:
    """Return the standing of a decided choice, or else the number of trials that may be the
    best."""
    return one.standing or "yes" if one.decided else f"no: {one.may_be_best} may lead"
