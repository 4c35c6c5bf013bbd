"""Terminal tables about one trial: means by difficulty, and single queries."""

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bench.printable import one_line
from bench.results import Column, QueryResult, TrialResult
from bench.results.columns import known_columns
from bench.results.tiers import TIER_COLUMNS, tier_order, tier_rows

_QUESTION = 50
"""Maximum number of characters of a question."""


def show_detail(trial: TrialResult, page: Console, *, queries: bool) -> None:
    """Print the table by difficulty if queries have one, and the table of queries on request."""
    for table in (*_by_difficulty(trial), *(_by_query(trial) if queries else ())):
        page.print(table)


def _by_difficulty(trial: TrialResult) -> Iterator[Table]:
    rows, columns = tier_rows(trial), known_columns(TIER_COLUMNS, [trial])
    if rows:
        table = _table(f"by difficulty: {trial.name}", "tier", columns, last="N")
        for row in rows:
            table.add_row(*map(Text, row.cells(columns)))
        yield table


def _by_query(trial: TrialResult) -> Iterator[Table]:
    columns = known_columns(TIER_COLUMNS, [trial])
    table = _table(f"by query: {trial.name}", "query", columns, last="tier")
    for query in sorted(trial.queries, key=_order):
        table.add_row(*map(Text, _query(query, columns)))
    yield table


def _table(title: str, first: str, columns: Sequence[Column], *, last: str) -> Table:
    table = Table(title=Text(one_line(title)), title_justify="left", title_style="")
    table.add_column(first, overflow="ellipsis", no_wrap=True)
    for column in columns:
        table.add_column(column.heading, justify="right", no_wrap=True)
    table.add_column(last, justify="right" if last == "N" else "left", no_wrap=True)
    return table


def _query(query: QueryResult, columns: Sequence[Column]) -> list[str]:
    text = one_line(query.text)
    shown = text if len(text) <= _QUESTION else f"{text[: _QUESTION - 1]}…"
    numbers = (column.shown(query.numbers.get(column.name)) for column in columns)
    return [shown, *numbers, query.difficulty or "-"]


def _order(query: QueryResult) -> tuple[tuple[int, str], str, str]:
    return tier_order(query.difficulty), query.repository, query.id
