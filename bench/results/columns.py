"""Headline columns of all tables of trials, with headings and formats.

The terminal, report.md, report.html, FINDINGS.md, the baseline and MLflow use these columns. Each
column is one entry in `COLUMNS`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from bench.measures import LOWER_IS_BETTER
from bench.results.trial_result import TrialResult

WIDE, WIDEST = 100, 140
"""Widths of terminals in characters."""
LAST_TO_GO = -1
"""Width of a column that is dropped last."""


DISTURBED = " ~"
"""Mark of a latency that was measured while the machine was busy."""


@dataclass(frozen=True)
class Column:
    """A number of each trial in tables."""

    number: str
    """Name in a trial's summary."""
    heading: str
    format: str
    meaning: str
    higher_is_better: bool = True
    scale: float = 1.0
    """Divisor of the stored number, such as the bytes of a megabyte."""
    is_cost: bool = False
    """True if quality is plotted against this number."""
    width: int = WIDE
    """Minimum width of a terminal that shows the column."""
    is_asked: bool = False
    """True if the study requested the measure, so that every table has it."""

    @property
    def measure(self) -> str | None:
        """Measure whose mean this is, or None for a number of the whole trial."""
        return self.number.removeprefix("avg_") if self.number.startswith("avg_") else None

    @property
    def name(self) -> str:
        """Name of the number in MLflow."""
        return self.number.removeprefix("avg_")

    def value(self, trial: TrialResult) -> float | None:
        """Return a trial's number in the displayed unit."""
        found = trial.summary.get(self.number)
        return None if found is None else found / self.scale

    def text(self, trial: TrialResult) -> str:
        """Return a trial's formatted number, with a mark if it is not reliable."""
        mark = DISTURBED if trial.is_disturbed(self.number) else ""
        return self.shown(trial.summary.get(self.number)) + mark

    def shown(self, number: float | None) -> str:
        """Return a stored number formatted, or a dash for None."""
        return "-" if number is None else format(number / self.scale, self.format)


COLUMNS = (
    Column("avg_ndcg_at_10", "NDCG@10", ".4f", "ranking quality of the first 10 hits", width=0),
    Column("avg_mrr", "MRR@10", ".4f", "1 over the rank of the first right hit"),
    Column(
        "avg_recall_at_5",
        "R@5",
        ".4f",
        "share of the targets in the first 5 hits",
        width=LAST_TO_GO,
    ),
    Column(
        "avg_recall_at_10", "R@10", ".4f", "share of the targets in the first 10 hits", width=0
    ),
    Column(
        "avg_coverage_at_10",
        "Cov@10",
        ".4f",
        "share of the text of the targets in the first 10 hits",
    ),
    Column(
        "avg_precision_at_10",
        "P@10",
        ".4f",
        "share of the first 10 hits that is right",
        width=WIDEST,
    ),
    Column(
        "avg_recall_at_4000_tokens",
        "R@4k tok",
        ".4f",
        "share of the targets in the first 4,000 tokens of text",
    ),
    Column(
        "avg_coverage_at_4000_tokens",
        "Cov@4k tok",
        ".4f",
        "share of the text of the targets in the first 4,000 tokens",
    ),
    Column(
        "latency_p50_ms",
        "p50 ms",
        ".1f",
        "median time of a query, alone on its machine",
        higher_is_better=False,
        is_cost=True,
        width=0,
    ),
    Column(
        "latency_p95_ms",
        "p95 ms",
        ".1f",
        "95th percentile of the time of a query",
        higher_is_better=False,
        is_cost=True,
    ),
    Column(
        "index_seconds",
        "index s",
        ".1f",
        "time of all stages that make the index, shared ones included",
        higher_is_better=False,
        is_cost=True,
    ),
    Column(
        "peak_memory_bytes",
        "memory MB",
        ",.0f",
        "most memory that one stage took, without its model and inputs",
        higher_is_better=False,
        scale=1e6,
        is_cost=True,
        width=WIDEST,
    ),
    Column(
        "unjudged_at_10",
        "unjudged@10",
        ".0%",
        "share of the first 10 hits that are neither targets nor judged by anybody",
        higher_is_better=False,
        width=WIDEST,
    ),
    Column(
        "unseen_token_share",
        "unseen",
        ".0%",
        "share of the text beyond the window of the embedding model",
        higher_is_better=False,
    ),
)
"""Columns in the order of the tables. The objective is inserted before them."""


def disturbed_note(trials: Iterable[TrialResult]) -> str:
    """Return an explanation of the mark if any trial has it."""
    marked = any(one.latency.busy for one in trials)
    return f"{DISTURBED.strip()} measured while the machine was busy" if marked else ""


def objective_first(measure: str, label: str, columns: Sequence[Column]) -> tuple[Column, ...]:
    """Return the columns with the objective in front, under its label."""
    number = f"avg_{measure}"
    made = Column(number, label, ".4f", "the measure that trials are compared by", width=0)
    first = next((column for column in columns if column.number == number), made)
    return (replace(first, width=0), *(column for column in columns if column.number != number))


def with_asked(columns: Sequence[Column], asked: Mapping[str, str]) -> tuple[Column, ...]:
    """Return the columns with the requested measures in front, under their labels.

    The terminal shows these columns at any width.
    """
    known = {column.number: column for column in columns}
    first = []
    for measure, label in asked.items():
        number = f"avg_{measure}"
        is_lower = measure.partition("_at_")[0] in LOWER_IS_BETTER
        made = Column(number, label, ".4f", "asked for by measures=", not is_lower)
        first.append(replace(known.pop(number, made), width=0, is_asked=True))
    return (*first, *known.values())


def known_columns(columns: Iterable[Column], trials: Sequence[TrialResult]) -> list[Column]:
    """Return the columns for which any trial has a number."""
    return [one for one in columns if any(one.value(trial) is not None for trial in trials)]


def best_texts(columns: Iterable[Column], trials: Sequence[TrialResult]) -> Mapping[str, str]:
    """Return the best formatted number of each column, unless all numbers are equal."""
    found = {}
    rivals = [trial for trial in trials if can_be_best(trial)]
    for column in columns:
        values = [
            value
            for one in rivals
            if (value := column.value(one)) is not None and not one.is_disturbed(column.number)
        ]
        pick = max if column.higher_is_better else min
        if len({format(value, column.format) for value in values}) > 1:
            found[column.number] = format(pick(values), column.format)
    return found


def can_be_best(trial: TrialResult) -> bool:
    """Return True if a trial's numbers may be marked as the best.

    With failed queries, the means cover other and perhaps easier queries. A floor or ceiling is
    only there for comparison.
    """
    return not trial.is_bound and not trial.failed_query_count
