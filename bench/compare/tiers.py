"""The changes in each tier of queries, from which an experiment is concluded."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from bench.compare.deltas import Delta, measure_deltas
from bench.compare.queries import Matched, QueryComparison
from bench.compare.report import CompareReport
from bench.results import COLUMNS
from bench.results.tiers import tier_order

SHOWN = {
    column.name: column.heading
    for column in COLUMNS
    if column.name in ("mrr", "recall_at_10", "precision_at_10")
}
"""The measures of a log of experiments, by their headings."""
OVERALL = "Overall"


@dataclass(frozen=True)
class Tier:
    """The queries of one difficulty, or all of them, and what changed in them."""

    name: str
    queries: int
    deltas: tuple[Delta, ...]


def tiers(report: CompareReport) -> tuple[Tier, ...]:
    """Return the changes in each difficulty, from easy to hard, and over all."""
    names = {one.difficulty for one in report.matched.both if one.difficulty}
    ordered = sorted(names, key=tier_order)
    parts = [
        (name, [one for one in report.matched.both if one.difficulty == name]) for name in ordered
    ]
    parts.append((OVERALL, list(report.matched.both)))
    return tuple(_tier(report, name, queries) for name, queries in parts)


def _tier(report: CompareReport, name: str, queries: list[QueryComparison]) -> Tier:
    matched: Matched = replace(report.matched, both=tuple(queries))
    found = measure_deltas(report.pair.a, report.pair.b, matched)
    return Tier(name, len(queries), tuple(one for one in found if one.measure in SHOWN))


def fell_to_zero(report: CompareReport) -> list[str]:
    """Name the queries with a hit before and none now."""
    return [_name(one) for one in report.matched.both if one.a_rank and not one.b_rank]


def rose_from_zero(report: CompareReport) -> list[str]:
    """Name the queries without a hit before and with one now."""
    return [_name(one) for one in report.matched.both if one.b_rank and not one.a_rank]


def tier_lines(found: tuple[Tier, ...]) -> Iterator[str]:
    """Yield a line for each tier: before, after, the change in points and its interval."""
    for tier in found:
        said = "; ".join(_said(delta) for delta in tier.deltas)
        yield f"- {tier.name.capitalize()} ({tier.queries}): {said}"


def _said(delta: Delta) -> str:
    """Return a share in percent and points, and a reciprocal rank as it is."""
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
