"""A comparison as markdown, for a pull request or a file."""

from collections.abc import Iterator

from bench.advice import plural
from bench.compare.deltas import Delta
from bench.compare.queries import Kind, QueryComparison
from bench.compare.report import CompareReport
from bench.compare.text_page import FLIPS, counted, heading, shared_error
from bench.compare.tiers import regressed, tier_table
from bench.printable import one_line

_MOST = 50
_HEADINGS = {Kind.REGRESSION: "Regressions", Kind.LOSS: "Losses", Kind.WIN: "Wins"}


def as_markdown(report: CompareReport, *, every: bool = False) -> str:
    """Return the page: the trials, the measures that changed, and the flipped queries.

    With `every`, unchanged measures are included.
    """
    lines = [f"## {plain(report.pair.a.name)} → {plain(report.pair.b.name)}", ""]
    lines += [f"- {plain(line)}" for line in heading(report)]
    heading_of_interval = shared_error(report).replace("95 %", "95 % interval")
    lines += ["", f"| measure | a | b | b - a | {heading_of_interval} |"]
    lines += ["|---|---:|---:|---:|---|"]
    lines += [_row(delta) for delta in report.deltas if every or not delta.unchanged]
    count = sum(delta.unchanged for delta in report.deltas) * (not every)
    lines += ["", f"{plural(count, 'measure', 'measures')} unchanged."] if count else []
    lines += _by_tier(report)
    lines += [""]
    lines += [plain(line) for line in counted(report)]
    lines += flip_tables(report)
    return "\n".join(lines) + "\n"


def _by_tier(report: CompareReport) -> Iterator[str]:
    """Yield a table of the changes by difficulty, and the tiers that are worse."""
    rows = tier_table(report)
    if not rows:
        return
    headings, *tiers = ([plain(cell) for cell in row] for row in rows)
    yield from ("", f"| {' | '.join(headings)} |", "|---" + "|---:" * (len(headings) - 1) + "|")
    yield from (f"| {' | '.join(row)} |" for row in tiers)
    yield ""
    yield plain(regressed(report))


def flip_tables(report: CompareReport) -> Iterator[str]:
    """Yield a table for each class of queries that flipped."""
    for kind in FLIPS:
        found = report.of_kind(kind)
        if not found:
            continue
        yield from ("", f"### {_HEADINGS[kind]} ({len(found)})", "")
        yield from ("| query | a | b | asked |", "|---|---:|---:|---|")
        yield from (_flip(one) for one in found[:_MOST])
        if len(found) > _MOST:
            yield f"\nand {len(found) - _MOST} more"


def _row(delta: Delta) -> str:
    interval = delta.here.interval if delta.here else None
    said = f"{interval.low:+.4f} to {interval.high:+.4f}" if interval else "-"
    numbers = f"{delta.a:.4f} | {delta.b:.4f} | {delta.value:+.4f}"
    return f"| {delta.measure} | {numbers} | {said} |"


def _flip(one: QueryComparison) -> str:
    ranks = " | ".join(str(rank or "-") for rank in (one.a_rank, one.b_rank))
    return f"| {plain(f'{one.repository}/{one.query}')} | {ranks} | {plain(one.text)} |"


# A mention cannot be escaped, only interrupted by an invisible character.
_SPECIAL = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_{}[]<>#|!"} | {"@": "@&#8203;"})


def plain(text: str) -> str:
    """Escape text for markdown. Queries and paths are untrusted."""
    return one_line(text).translate(_SPECIAL)
