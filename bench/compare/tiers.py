"""Changes in each tier of queries, as the basis of conclusions from an experiment."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from bench.compare.deltas import Delta, lower_is_better, measure_deltas
from bench.compare.queries import Matched, QueryComparison
from bench.compare.report import CompareReport
from bench.printable import one_line
from bench.results import COLUMNS
from bench.results.tiers import tier_order

SHOWN: Mapping[str, str] = {
    column.name: column.heading
    for column in COLUMNS
    if column.name in ("mrr", "recall_at_10", "precision_at_10")
}
"""Measures in a log of experiments, with their headings."""
OVERALL = "Overall"


@dataclass(frozen=True)
class Tier:
    """The queries of a difficulty, or all of them, and their changes."""

    name: str
    queries: int
    deltas: tuple[Delta, ...]


def tiers(report: CompareReport, measures: Collection[str] = SHOWN) -> tuple[Tier, ...]:
    """Return the changes for each difficulty, from easy to hard, and over all queries."""
    names = {one.difficulty for one in report.matched.both if one.difficulty}
    ordered = sorted(names, key=tier_order)
    parts = [
        (name, [one for one in report.matched.both if one.difficulty == name]) for name in ordered
    ]
    parts.append((OVERALL, list(report.matched.both)))
    return tuple(_tier(report, name, queries, measures) for name, queries in parts)


def _tier(
    report: CompareReport, name: str, queries: list[QueryComparison], measures: Collection[str]
) -> Tier:
    # Negative queries have no rank, so they belong to no tier.
    matched: Matched = replace(report.matched, both=tuple(queries), negative=())
    a, b = report.pair.a, report.pair.b
    found = measure_deltas(a, b, matched, trials=report.trials, measures=measures)
    return Tier(name, len(queries), found)


def tier_table(report: CompareReport) -> list[list[str]]:
    """Return a table of the changes: its headings, a row for each tier, and one for all queries.

    The table is empty if no query states its difficulty.
    """
    found = tiers(report)
    if len(found) == 1:
        return []
    measures = [name for name in SHOWN if any(name == one.measure for one in found[-1].deltas)]
    headings = ["by difficulty, b - a", *(SHOWN[name] for name in measures), "N"]
    return [headings, *(_changes(tier, measures) for tier in found)]


def _changes(tier: Tier, measures: Collection[str]) -> list[str]:
    values = {delta.measure: f"{delta.value:+.4f}" for delta in tier.deltas}
    name = OVERALL.upper() if tier.name == OVERALL else tier.name
    return [name, *(values.get(measure, "-") for measure in measures), str(tier.queries)]


def regressed(report: CompareReport, measures: Mapping[str, str] = SHOWN) -> str:
    """Return the tiers that are worse by any of these measures, or "" without tiers."""
    *named, _ = tiers(report, measures)
    if not named:
        return ""
    told = (
        f"{one_line(tier.name)} ({'; '.join(drops)})"
        for tier in named
        if (drops := [_drop(delta, measures) for delta in tier.deltas if _is_worse(delta)])
    )
    worse = ", ".join(told)
    return f"regressed: {worse}" if worse else "no tier regressed"


def _is_worse(delta: Delta) -> bool:
    return delta.value > 0 if lower_is_better(delta.measure) else delta.value < 0


def _drop(delta: Delta, measures: Mapping[str, str]) -> str:
    """Return a change for the worse, and whether it is within chance."""
    interval = delta.here.interval if delta.here else None
    is_unsure = interval is not None and interval.low <= 0 <= interval.high
    chance = ", within chance" if is_unsure else ""
    return f"{measures[delta.measure]} {delta.value:+.4f}{chance}"


def fell_to_zero(report: CompareReport) -> list[str]:
    """Return the queries with a relevant hit in a and none in b."""
    return [_name(one) for one in report.matched.both if one.a_rank and not one.b_rank]


def rose_from_zero(report: CompareReport) -> list[str]:
    """Return the queries without a relevant hit in a and with one in b."""
    return [_name(one) for one in report.matched.both if one.b_rank and not one.a_rank]


def rose(report: CompareReport) -> list[str]:
    """Return the queries with a better rank in b, with both ranks."""
    pairs = ((one, one.a_rank, one.b_rank) for one in report.matched.both)
    return [f"{_name(one)} ({a} → {b})" for one, a, b in pairs if a and b and b < a]


def fell(report: CompareReport) -> list[str]:
    """Return the queries with a worse rank in b, with both ranks."""
    pairs = ((one, one.a_rank, one.b_rank) for one in report.matched.both)
    return [f"{_name(one)} ({a} → {b})" for one, a, b in pairs if a and b and b > a]


def tier_lines(found: tuple[Tier, ...]) -> Iterator[str]:
    """Yield a line for each tier: before, after, the change in points and its interval."""
    for tier in found:
        said = "; ".join(_said(delta) for delta in tier.deltas)
        yield f"- {tier.name.capitalize()} ({tier.queries}): {said}"


def _said(delta: Delta) -> str:
    """Return a share in per cent and points, or a reciprocal rank unscaled."""
    share = delta.measure != "mrr"
    scale, unit, digits = (100, " %", 1) if share else (1, "", 3)
    before, after = (f"{scale * value:.{digits}f}{unit}" for value in (delta.a, delta.b))
    change = f"{scale * delta.value:+.{digits}f}{' pp' if share else ''}"
    interval = delta.here.interval if delta.here else None
    sure = "no interval"
    if interval:
        sure = f"95 % {scale * interval.low:+.{digits}f} to {scale * interval.high:+.{digits}f}"
    return f"{SHOWN[delta.measure]} {before} → {after} ({change}, {sure})"


def _name(one: QueryComparison) -> str:
    return " ".join(f"{one.repository}/{one.query}".split())
