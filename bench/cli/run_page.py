"""What `rankgrid run` prints: means with deviations, the baseline, a line a query, the failed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from bench.comparison import StoredQuery, StoredStudy, StoredTrial, match_queries

Errors = Mapping[tuple[str, str], str]
"""Why queries failed, by repository and id."""


@dataclass(frozen=True)
class Marks:
    """What is shown of a query, and what is good."""

    limit: int = 5
    good: float = 1.0
    fair: float = 0.5

    @property
    def columns(self) -> Mapping[str, str]:
        """The measures that are shown, by their headings."""
        return {
            f"Recall@{self.limit}": f"recall_at_{self.limit}",
            f"Precision@{self.limit}": f"precision_at_{self.limit}",
            "MRR": "mrr",
        }

    def of(self, query: StoredQuery, error: str) -> str:
        """Return the mark of a query."""
        value = query.numbers.get("mrr", 0.0)
        if error or value < self.fair:
            return "✗"
        return "✓" if value >= self.good else "⚠"


@dataclass(frozen=True)
class Comparison:
    """By how much each mean changed, on the queries that both were asked alike."""

    study: str
    queries: int
    changes: Mapping[str, float | None]
    tolerance: float

    @property
    def exit_code(self) -> int:
        """0, 3 for a drop beyond the tolerance, 4 if nothing can be compared."""
        if not self.queries:
            return 4
        return 3 if any(self.verdict(one) == "✗" for one in self.changes.values()) else 0

    def verdict(self, change: float | None) -> str:
        """Return what a change means."""
        if change is None:
            return "not in the baseline"
        if change >= 0:
            return "✓"
        return "(within tolerance)" if change >= -self.tolerance else "✗"


def against(
    baseline: StoredStudy, study: StoredStudy, marks: Marks, tolerance: float
) -> Comparison:
    """Compare the only trial of a study with that of its name in a baseline, or its first."""
    (trial,) = study.trials
    named = [one for one in baseline.trials if one.settings == trial.settings]
    other = (named or list(baseline.trials))[0]
    both = match_queries(other, trial).both
    keys = [(one.repository, one.query) for one in both]
    changes = {
        heading: _change([(other.queries[key], trial.queries[key]) for key in keys], column)
        for heading, column in marks.columns.items()
    }
    return Comparison(baseline.study, len(both), changes, tolerance)


def _change(pairs: Sequence[tuple[StoredQuery, StoredQuery]], column: str) -> float | None:
    """Return the mean change to four decimals, so that a last bit decides nothing."""
    values = [(a.numbers.get(column), b.numbers.get(column)) for a, b in pairs]
    changes = [b - a for a, b in values if a is not None and b is not None]
    return round(fmean(changes), 4) if changes else None


def page(
    trial: StoredTrial, errors: Errors, marks: Marks, comparison: Comparison | None
) -> Iterator[str]:
    """Yield the lines, the same for the same results."""
    queries = list(trial.queries.values())
    judged = [one for one in queries if "mrr" in one.numbers and not one.negative]
    yield f"{len(queries)} queries, {len(judged)} judged, {len(errors)} failed\n"
    yield "Results:"
    for heading, column in marks.columns.items():
        yield f"  {heading + ':':14} {_mean([one.numbers[column] for one in judged])}"
    yield ""
    yield from _compared(comparison)
    yield "\nPer-query breakdown:"
    for one in queries:
        yield f"  {one.id}: {_told(one, errors.get(one.key, ''), marks)}"
    failed = [
        one
        for one in queries
        if errors.get(one.key) or (one in judged and marks.of(one, "") == "✗")
    ]
    yield f"\nFailed queries (MRR < {marks.fair:g}, or an error): {len(failed) or 'none'}"
    for one in failed:
        yield from _failed(one, errors.get(one.key, ""), marks)


def _mean(values: Sequence[float]) -> str:
    if not values:
        return "-"
    deviation = f"±{stdev(values):.2f}" if len(values) > 1 else "one query"
    return f"{fmean(values):.2f} ({deviation})"


def _compared(comparison: Comparison | None) -> Iterator[str]:
    if comparison is None:
        yield "No baseline: rankgrid baseline save keeps this run as one"
        return
    yield f"Comparison to baseline {comparison.study} ({comparison.queries} queries):"
    for heading, change in comparison.changes.items():
        shown = "" if change is None else f"{change:+.4f} "
        yield f"  {heading + ':':14} {shown}{comparison.verdict(change)}"


def _told(query: StoredQuery, error: str, marks: Marks) -> str:
    """Return a query's numbers and its mark; nothing is right for a negative one."""
    if error:
        return f"{_line(error)} ✗"
    if query.negative:
        return f"negative, {len(query.hits)} hits returned"
    shown = (
        f"{heading.partition('@')[0]}={query.numbers[column]:.2f}"
        for heading, column in marks.columns.items()
        if column in query.numbers
    )
    return f"{', '.join(shown)} {marks.of(query, error)}"


def _failed(query: StoredQuery, error: str, marks: Marks) -> Iterator[str]:
    yield f'  {query.id}: "{_line(query.text)}"'
    if error:
        yield f"    Error:     {_line(error)}"
    yield f"    Expected:  {', '.join(query.expected) or 'nothing'}"
    yield f"    Retrieved: {', '.join(map(str, query.hits[: marks.limit])) or 'nothing'}"


def _line(text: str) -> str:
    return " ".join(text.split())
