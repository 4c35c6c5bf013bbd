"""The headline columns: what every table of trials shows, and in which words and format.

The terminal, report.md, report.html, FINDINGS.md, the baseline and MLflow list these columns.
A column is one row here.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from bench.measures import LOWER_IS_BETTER
from bench.results.trial_result import TrialResult

WIDE, WIDEST = 100, 140
"""Widths of terminals, in characters."""
LAST_TO_GO = -1
"""The width of a column that is dropped only after all others."""


DISTURBED = " ~"
"""The mark of a latency that was measured while the machine was busy."""


@dataclass(frozen=True)
class Column:
    """A number of each trial as tables show it."""

    number: str
    """Its name in a trial's summary."""
    heading: str
    format: str
    meaning: str
    higher_is_better: bool = True
    scale: float = 1.0
    """How much of the stored number makes one of the shown: bytes in a megabyte."""
    is_cost: bool = False
    """Whether quality is plotted against it."""
    width: int = WIDE
    """The narrowest terminal that shows it."""
    is_asked: bool = False
    """Whether the study was asked for it, so that every table has it."""

    @property
    def measure(self) -> str | None:
        """The measure that this is the mean of; None for a number of the trial as a whole."""
        return self.number.removeprefix("avg_") if self.number.startswith("avg_") else None

    @property
    def name(self) -> str:
        """The name of the number in MLflow."""
        return self.number.removeprefix("avg_")

    def value(self, trial: TrialResult) -> float | None:
        """Return the number of a trial in the unit that is shown."""
        found = trial.summary.get(self.number)
        return None if found is None else found / self.scale

    def text(self, trial: TrialResult) -> str:
        """Return the number of a trial as it is shown, with a mark if it cannot be relied on."""
        mark = DISTURBED if trial.is_disturbed(self.number) else ""
        return self.shown(trial.summary.get(self.number)) + mark

    def shown(self, number: float | None) -> str:
        """Return a stored number as it is shown; a dash where there is none."""
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
"""The order of every table; the measure that trials are compared by comes before them."""


def disturbed_note(trials: Iterable[TrialResult]) -> str:
    """Return what the mark means, if some trial has it."""
    marked = any(one.latency.busy for one in trials)
    return f"{DISTURBED.strip()} measured while the machine was busy" if marked else ""


def objective_first(measure: str, label: str, columns: Sequence[Column]) -> tuple[Column, ...]:
    """Return the columns with the measure that trials are compared by, by its label, in front."""
    number = f"avg_{measure}"
    made = Column(number, label, ".4f", "the measure that trials are compared by", width=0)
    first = next((column for column in columns if column.number == number), made)
    return (replace(first, width=0), *(column for column in columns if column.number != number))


def with_asked(columns: Sequence[Column], asked: Mapping[str, str]) -> tuple[Column, ...]:
    """Return the columns with the measures that a study was asked for in front, by their labels.

    The terminal shows them at any width.
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
    """Return the columns that some trial has a number for."""
    return [one for one in columns if any(one.value(trial) is not None for trial in trials)]


def best_texts(columns: Iterable[Column], trials: Sequence[TrialResult]) -> Mapping[str, str]:
    """Return the best number of each column as it is shown; where all are equal, none is best."""
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
    """Whether a trial's numbers may be marked as the best.

    The means of a trial that failed on queries are of other queries, perhaps easier ones, and a
    bound is only there to compare with.
    """
    return not trial.is_bound and not trial.failed_query_count
