"""Output of `rankgrid run`: means, the comparison with the baseline, all queries and misses."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import stdev

import numpy as np

from bench.advice import plural
from bench.commands import command
from bench.compare import dropped_lines, match_queries, shared_questions
from bench.errors import UsageError
from bench.measures import LOWER_IS_BETTER, OF_ANSWERS, macro
from bench.printable import one_line
from bench.results import QueryResult, StudyResult, TrialResult
from bench.results.tiers import OVERALL, tier_order

Pairs = Sequence[tuple[QueryResult, QueryResult]]
"""Each query in the baseline's trial and in the new trial."""
_NARROWEST = 14
WORST = 5
"""Maximum number of missed queries, and of failed queries, with full details."""


@dataclass(frozen=True)
class Marks:
    """The number of hits that count, and the MRR thresholds of the marks."""

    limit: int = 5
    good: float = 1.0
    fair: float = 0.5

    @property
    def columns(self) -> Mapping[str, str]:
        """Measures of every query by their headings."""
        return {
            f"Recall@{self.limit}": f"recall_at_{self.limit}",
            f"Precision@{self.limit}": f"precision_at_{self.limit}",
            "MRR": "mrr",
        }

    def columns_of(self, trial: TrialResult) -> Mapping[str, str]:
        """Return the measures of queries, with measures of answers if the trial has any."""
        known = {name for query in trial.queries for name in query.known}
        of_answers = [name for name in OF_ANSWERS if name in known]
        return {**self.columns, **{_heading(name): name for name in of_answers}}

    def of(self, query: QueryResult) -> str:
        """Return the mark of a query, by its MRR."""
        value = query.known.get("mrr", 0.0)
        if query.error or value < self.fair:
            return "✗"
        return "✓" if value >= self.good else "⚠"


def _heading(column: str) -> str:
    return column.replace("_", " ").capitalize()


_LESS_IS_BETTER = frozenset(map(_heading, LOWER_IS_BETTER))


@dataclass(frozen=True)
class Comparison:
    """The change of each mean on the common queries."""

    study: str
    queries: int
    changes: Mapping[str, float | None]
    tolerance: float
    left_out: tuple[str, ...] = ()
    """Queries whose targets only one of the two trees has, by reason."""
    date: str = ""
    """Day of the baseline; empty for older files."""
    by_tier: tuple[str, ...] = ()
    """Changes by difficulty, and the regressed tiers."""

    @property
    def exit_code(self) -> int:
        """0 without a drop beyond the tolerance, 3 with one, 4 without comparable queries."""
        if not self.queries:
            return 4
        return 3 if any(self.verdict(heading) == "✗" for heading in self.changes) else 0

    def verdict(self, heading: str) -> str:
        """Return a mark or note for the change of a measure."""
        change = self.changes[heading]
        if change is None:
            return "not in the baseline"
        gain = -change if _less(heading) else change
        if gain >= 0:
            return "✓"
        return "(within tolerance)" if gain >= -self.tolerance else "✗"


def against(
    baseline: StudyResult, study: StudyResult, marks: Marks, tolerance: float
) -> Comparison:
    """Compare the study's trial with the baseline's trial of equal settings, or its only trial."""
    (trial,) = study.trials
    named = [one for one in baseline.trials if one.settings == trial.settings]
    if not named and len(baseline.trials) > 1:
        raise UsageError(
            f"--baseline: none of its {len(baseline.trials)} trials has the settings of this run."
            " Give a study with one trial, or use rankgrid compare to name one."
        )
    other = (named or list(baseline.trials))[0]
    matched = match_queries(other, trial, shared_questions(baseline, study))
    pairs = [(other.by_key[key], trial.by_key[key]) for key in matched.keys]
    columns = marks.columns_of(trial)
    changes = {heading: _change(pairs, column) for heading, column in columns.items()}
    return Comparison(
        baseline.id,
        len(matched.both),
        changes,
        tolerance,
        left_out=tuple(dropped_lines(matched.dropped)),
        date=baseline.timestamp.partition("T")[0],
        by_tier=tuple(_tier_changes(pairs, columns)),
    )


def _change(pairs: Pairs, column: str) -> float | None:
    """Return the mean change, rounded to 4 decimals so that rounding errors decide nothing."""
    known = [
        (b, after - before)
        for a, b in pairs
        if (before := a.numbers.get(column)) is not None
        and (after := b.numbers.get(column)) is not None
    ]
    mean = _macro([one for one, _ in known], [change for _, change in known])
    return None if mean is None else round(mean, 4)


def _macro(queries: Sequence[QueryResult], values: Sequence[float]) -> float | None:
    return macro(np.array(values, np.float64), [one.repository for one in queries])


def _tier_changes(pairs: Pairs, columns: Mapping[str, str]) -> Iterator[str]:
    """Yield the changes by difficulty, and the tiers with any change for the worse."""
    named = sorted({b.difficulty for _, b in pairs if b.difficulty}, key=tier_order)
    worse = []
    for name in named:
        own = [pair for pair in pairs if pair[1].difficulty == name]
        changes = {heading: _change(own, column) for heading, column in columns.items()}
        known = {heading: change for heading, change in changes.items() if change is not None}
        told = ", ".join(f"{heading} {change:+.4f}" for heading, change in known.items())
        count = plural(len(own), "query", "queries")
        yield f"{one_line(name)}: {told or 'not measured'} ({count})"
        if any((-change if _less(heading) else change) < 0 for heading, change in known.items()):
            worse.append(one_line(name))
    if named:
        yield f"regressed: {', '.join(worse)}" if worse else "no tier regressed"


def _less(heading: str) -> bool:
    return heading in _LESS_IS_BETTER


def page(
    trial: TrialResult,
    marks: Marks,
    comparison: Comparison | None,
    *,
    most: int | None = WORST,
) -> Iterator[str]:
    """Yield the lines of the page, with details of at most `most` missed and failed queries
    each."""
    queries = trial.queries
    judged = [one for one in queries if one.is_judged]
    columns = marks.columns_of(trial)
    width = _width(columns)
    count = plural(len(queries), "query", "queries")
    yield f"{count}, {len(judged)} judged, {len(trial.failed_queries)} failed\n"
    repositories = len({one.repository for one in queries})
    over = f"mean over {plural(repositories, 'repository', 'repositories')}"
    yield f"Results ({over}, ± deviation of queries):"
    for heading, column in columns.items():
        yield f"  {heading + ':':{width}} {_mean(queries, column)}"
    yield ""
    yield from _by_difficulty(judged, columns)
    yield from _compared(comparison)
    yield "\nPer-query breakdown:"
    for one in queries:
        tier = f" ({one_line(one.difficulty)})" if one.difficulty else ""
        yield f"  {one_line(one.id)}{tier}: {_told(one, marks)}"
    missed = [one for one in judged if not one.error and marks.of(one) == "✗"]
    missed.sort(key=lambda one: one.known.get("mrr", 0.0))
    yield f"\nMissed queries (MRR < {marks.fair:g}): {len(missed) or 'none'}"
    yield from _named(missed, marks, most)
    if trial.failed_queries:
        yield f"\nFailed queries (an error): {len(trial.failed_queries)}"
        yield from _named(trial.failed_queries, marks, most)


def ended(code: int) -> str:
    """Return the last line, which names the outcome by its exit code."""
    reasons = {
        0: "PASSED",
        1: "FAILED: something failed on the way",
        4: "FAILED: no query can be compared with the baseline",
    }
    return reasons.get(code, "FAILED: worse than the baseline or beyond a limit")


def _named(queries: Sequence[QueryResult], marks: Marks, most: int | None) -> Iterator[str]:
    """Yield the first queries with expected and retrieved places, and the number of the others."""
    for one in queries[:most]:
        yield from _retrieved(one, marks)
    if most is not None and len(queries) > most:
        yield f"  and {len(queries) - most} more (all: --verbose)"


def as_plain(trial: TrialResult, marks: Marks, comparison: Comparison | None) -> dict[str, object]:
    """Return the page as JSON, without query texts, which results.json has."""
    columns = marks.columns_of(trial).values()
    queries = [
        {
            "repository": one.repository,
            "id": one.id,
            "mark": marks.of(one),
            "numbers": {name: one.numbers.get(name) for name in columns},
            "error": one.error,
        }
        for one in trial.queries
    ]
    compared = None if comparison is None else _plain(comparison)
    means = {name: trial.mean(name) for name in columns}
    return {"trial": trial.name, "means": means, "queries": queries, "comparison": compared}


def _plain(comparison: Comparison) -> dict[str, object]:
    changes = {
        heading: {"change": change, "verdict": comparison.verdict(heading)}
        for heading, change in comparison.changes.items()
    }
    left_out = list(comparison.left_out)
    known = {
        "baseline": comparison.study,
        "date": comparison.date,
        "queries": comparison.queries,
        "by_tier": list(comparison.by_tier),
    }
    return {**known, "changes": changes, "left_out": left_out}


def _width(headings: Iterable[str]) -> int:
    return max(_NARROWEST, *(len(heading) + 1 for heading in headings))


def _mean(queries: Sequence[QueryResult], column: str) -> str:
    having = [one for one in queries if column in one.known]
    values = [one.known[column] for one in having]
    mean = _macro(having, values)
    if mean is None:
        return "-"
    deviation = f"±{stdev(values):.2f}" if len(values) > 1 else "one query"
    return f"{mean:.2f} ({deviation})"


def _by_difficulty(judged: Sequence[QueryResult], columns: Mapping[str, str]) -> Iterator[str]:
    """Yield means by difficulty and overall, if queries have a difficulty."""
    names = sorted({one.difficulty for one in judged if one.difficulty}, key=tier_order)
    if not names:
        return
    yield "By difficulty:"
    groups = {name: [one for one in judged if one.difficulty == name] for name in names}
    for name, own in {**groups, OVERALL: list(judged)}.items():
        means = (f"{heading} {_short_mean(own, column)}" for heading, column in columns.items())
        yield f"  {one_line(name) + ':':{_NARROWEST}} {', '.join(means)} (N {len(own)})"
    yield ""


def _short_mean(queries: Sequence[QueryResult], column: str) -> str:
    having = [one for one in queries if column in one.known]
    mean = _macro(having, [one.known[column] for one in having])
    return "-" if mean is None else f"{mean:.2f}"


def _compared(comparison: Comparison | None) -> Iterator[str]:
    if comparison is None:
        yield f"No baseline: {command('baseline save')} keeps this run as one"
        return
    dated = f" of {comparison.date}" if comparison.date else ""
    count = plural(comparison.queries, "query", "queries")
    about = f"study {comparison.study}, {count}"
    yield f"Comparison to baseline{dated} ({about}):"
    width = _width(comparison.changes)
    for heading, change in comparison.changes.items():
        shown = "" if change is None else f"{change:+.4f} "
        yield f"  {heading + ':':{width}} {shown}{comparison.verdict(heading)}"
    for line in comparison.by_tier:
        yield f"  {line}"
    for line in comparison.left_out:
        yield f"  left out: {line}"


def _told(query: QueryResult, marks: Marks) -> str:
    """Return the numbers and the mark of a query; a negative query has the number of its hits."""
    if query.error:
        return f"{one_line(query.error)} ✗"
    refusal = _refusal(query)
    if query.negative:
        hits = plural(len(query.hits), "hit", "hits")
        return f"negative, {refusal or f'{hits} returned'}"
    shown = (
        f"{heading.partition('@')[0]}={query.known[column]:.2f}"
        for heading, column in marks.columns.items()
        if column in query.known
    )
    refused = ", refused" if refusal == "refused" else ""
    return f"{', '.join(shown)}{refused} {marks.of(query)}"


def _refusal(query: QueryResult) -> str:
    """Return "refused" or "answered" if the query's refusal is measured, or else nothing."""
    name = "refusal_correctness" if query.negative else "false_refusal_rate"
    refused = query.numbers.get(name)
    return "" if refused is None else "refused" if refused else "answered"


def _retrieved(query: QueryResult, marks: Marks) -> Iterator[str]:
    yield "  " + one_line(f'{query.id}: "{query.text}"')
    if query.error:
        yield f"    Error:     {one_line(query.error)}"
    yield f"    Expected:  {one_line(', '.join(query.expected)) or 'nothing'}"
    retrieved = one_line(", ".join(map(str, query.hits[: marks.limit])))
    yield f"    Retrieved: {retrieved or 'nothing'}"
