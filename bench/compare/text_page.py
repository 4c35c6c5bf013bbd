"""A comparison on the terminal: the pair, the changes, and the queries that flipped."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from bench.advice import caveat_text, p_text, plural, sign_count_text
from bench.compare.deltas import CostDelta, Delta
from bench.compare.queries import Kind, QueryComparison, came_from
from bench.compare.questions import dropped_lines
from bench.compare.report import CompareReport
from bench.compare.tiers import regressed, tier_table
from bench.printable import one_line
from bench.results import Hit

FLIPS = (Kind.REGRESSION, Kind.LOSS, Kind.WIN)
"""The worst class first."""
_HITS = 5
_MILLION = 1e6


def as_text(report: CompareReport, *, flips: int, every: bool = False) -> str:
    """Return the whole page, with the rankings of `flips` queries of each class.

    With `every`, unchanged measures are included.
    """
    lines = [*heading(report), "", *_table(report, every=every), *_by_tier(report)]
    lines += ["", *counted(report)]
    for kind in FLIPS:
        found = report.of_kind(kind)
        for one in found[:flips]:
            lines += ["", *side_by_side(one, exact=report.exact)]
        if flips and len(found) > flips:
            lines += ["", f"and {len(found) - flips} more of class {kind} (--flips shows more)"]
    return "\n".join(lines)


def heading(report: CompareReport) -> Iterator[str]:
    """Yield the two trials and their known differences."""
    yield f"a  {report.a.id}  {report.pair.a.name}"
    yield f"b  {report.b.id}  {report.pair.b.name}"
    yield f"paired by: {report.pair.why}"
    how = "chunk by chunk" if report.exact else "by document and lines (half of the shorter hit)"
    yield f"hits are matched {how}: chunker_version_match = {report.chunker_version_match}"
    if not report.causes:
        yield "nothing is known to differ"
    for cause in report.causes:
        yield f"differs  {cause}"
    if any(cause.breaks for cause in report.causes):
        yield "these studies do not answer the same questions: read the numbers with care"


def shared_error(report: CompareReport) -> str:
    """Return the confidence of the intervals, across all trials."""
    return f"95 % for all {report.trials} trials together" if report.trials > 1 else "95 %"


def folded(report: CompareReport, *, every: bool) -> tuple[Sequence[Delta], Sequence[CostDelta]]:
    """Return the measures and costs to show: those that changed, or all."""
    return (
        [one for one in report.deltas if every or not one.unchanged],
        [one for one in report.costs if every or not one.unchanged],
    )


def fold_note(report: CompareReport, *, every: bool) -> Iterator[str]:
    """Yield a line with the number of hidden measures."""
    deltas, costs = folded(report, every=every)
    count = len(report.deltas) + len(report.costs) - len(deltas) - len(costs)
    if count:
        yield f"{plural(count, 'measure', 'measures')} unchanged (--all shows them)"


def _table(report: CompareReport, *, every: bool) -> Iterator[str]:
    deltas, costs = folded(report, every=every)
    level = report.b.level if report.a.level == report.b.level else "each one's own"
    yield f"{'at ' + level + ' level':24} {'a':>8} {'b':>8} {'b - a':>8}  on these repositories"
    for delta in deltas:
        numbers = f"{delta.a:8.4f} {delta.b:8.4f} {delta.value:+8.4f}"
        of = "" if delta.queries == len(report.matched.both) else f" (queries: {delta.queries})"
        yield f"{delta.measure:24} {numbers}  {_sure(delta, shared_error(report))}{of}"
    for cost in costs:
        amounts = [_amount(value) for value in (cost.a, cost.b, cost.b - cost.a)]
        mark = "  ~ measured while the machine was busy" if cost.disturbed else ""
        yield f"{cost.name:24} {amounts[0]:>8} {amounts[1]:>8} {amounts[2]:>8}{mark}"
    yield from fold_note(report, every=every)


def _by_tier(report: CompareReport) -> Iterator[str]:
    rows = tier_table(report)
    if not rows:
        return
    yield ""
    for name, *numbers in rows:
        yield f"{one_line(name):24} {' '.join(f'{number:>8}' for number in numbers)}"
    yield regressed(report)


def _amount(value: float) -> str:
    return f"{value / _MILLION:.0f} M" if abs(value) >= _MILLION else f"{value:.4g}"


def _sure(delta: Delta, confidence: str) -> str:
    if delta.here is None:
        return "a repository has a single query: no interval"
    if delta.here.interval is None:
        return caveat_text(delta.here.notes[0])
    low, high = delta.here.interval.low, delta.here.interval.high
    p_value = p_text(delta.p_together or 0.0)
    return f"{low:+.4f} to {high:+.4f} ({confidence}), {p_value}, {sign_count_text(delta.signs)}"


def counted(report: CompareReport) -> Iterator[str]:
    """Yield the number of queries of each class, and the queries that were not compared."""
    matched = report.matched
    counts = ", ".join(f"{len(report.of_kind(kind))} {kind}" for kind in Kind)
    yield f"{len(matched.both)} queries: {counts}"
    rest = (("changed", matched.changed), ("only in a", matched.only_a))
    for said, names in (*rest, ("only in b", matched.only_b)):
        if names:
            more = " …" if names[_HITS:] else ""
            yield f"not compared, {said}: {len(names)} ({', '.join(names[:_HITS])}{more})"
    for line in dropped_lines(matched.dropped):
        yield f"left out: {line}"
    if report.shared_targets:
        yield f"{report.shared_targets} queries share their answers: intervals count them once"


def side_by_side(one: QueryComparison, *, exact: bool) -> Iterator[str]:
    """Yield a query with both rankings; "was" is the rank of the same place in a."""
    ranks = f"{_rank(one.a_rank)} → {_rank(one.b_rank)}"
    yield f"{one.kind}  {one_line(f'{one.repository}/{one.query}')}  {ranks}"
    yield f"  asked: {one_line(one.text)}"
    yield f"  expected: {one_line(', '.join(one.expected))}"
    before = [_marked(hit, rank == one.a_rank) for rank, hit in enumerate(one.a_hits, start=1)]
    after = [
        f"{_marked(hit, rank == one.b_rank)}  ({f'was {was}' if was else 'new'})"
        for rank, (hit, was) in enumerate(came_from(one, exact=exact), start=1)
    ]
    depth = max(_HITS, one.a_rank or 0, one.b_rank or 0)
    rows = list(zip_longest(before[:depth], after[:depth], fillvalue=""))
    width = max((len(left) for left, _ in rows), default=0)
    for rank, (left, right) in enumerate(rows, start=1):
        yield f"  {rank:3}  {left:{width}}  {right}".rstrip()


def _marked(hit: Hit, first: bool) -> str:
    """Return a hit with a mark if it is relevant."""
    right = first if hit.credit is None else hit.credit == "relevant"
    return f"{'✓' if right else ' '} {hit}"


def _rank(rank: int | None) -> str:
    return f"rank {rank}" if rank else "not found"
