"""Numbers of a trial by the difficulty of its queries."""

from collections.abc import Sequence
from dataclasses import dataclass

from bench.results.columns import COLUMNS, Column
from bench.results.query_result import Numbers
from bench.results.trial_result import TrialResult

OVERALL = "OVERALL"
TIER_COLUMNS = tuple(
    column
    for name in ("precision_at_10", "recall_at_10", "mrr", "ndcg_at_10")
    for column in COLUMNS
    if column.measure == name
)
"""Columns of a table by difficulty, in order."""
_TIERS = ("easy", "medium", "hard")


@dataclass(frozen=True)
class TierRow:
    """Means of the queries of one difficulty, or of all queries."""

    name: str
    queries: int
    numbers: Numbers

    def cells(self, columns: Sequence[Column]) -> list[str]:
        """Return the cells of the row: name, means and number of queries."""
        shown = (column.shown(self.numbers.get(column.number)) for column in columns)
        return [self.name, *shown, str(self.queries)]


def tier_rows(trial: TrialResult) -> tuple[TierRow, ...]:
    """Return a row for each difficulty and one for all; empty if no query has a difficulty."""
    rows = [
        TierRow(name, int(numbers.get("count") or 0), numbers)
        for name, numbers in sorted(trial.difficulties.items(), key=lambda one: tier_order(one[0]))
    ]
    judged = [row for row in rows if row.queries]
    if not judged:
        return ()
    return (*judged, TierRow(OVERALL, int(trial.summary["judged_queries"] or 0), trial.summary))


def tier_order(name: str) -> tuple[int, str]:
    """Return a sort key: tiers by difficulty, followed by other names alphabetically."""
    return (_TIERS.index(name), "") if name in _TIERS else (len(_TIERS), name)
