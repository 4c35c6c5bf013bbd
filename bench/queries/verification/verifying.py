"""Verification of a set of queries against their pinned tree."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bench.queries.building import Entry, Fault
from bench.queries.query import Target, together
from bench.queries.resolution import Problem, Spot, Tree, find_target
from bench.queries.stale import stale_places
from bench.queries.targets import normal_path
from bench.queries.verification import sets, wording
from bench.queries.verification.findings import (
    Finding,
    QueryReport,
    SetReport,
    about,
    from_fault,
)
from bench.queries.verification.packages import count_packages
from retrievers.interface import Documents

_CATEGORIES = (
    *("function_search", "concept_search", "error_search", "api_search", "pattern_search"),
    *("installation", "configuration", "usage", "api", "exact", "concept", "multi_hop"),
    "issue",
)
_FEWEST_SYMBOLS, _MOST_SYMBOLS = 3, 8
_MEDIUM_PACKAGES, _HARD_PACKAGES = 2, 4
_TIERS = ("easy", "medium", "hard")
_MOST_OVERLAP = 0.6


@dataclass(frozen=True)
class FixtureSet:
    """The queries of one repository, and the records that could not be read."""

    name: str
    entries: Sequence[Entry]
    faults: Sequence[Fault] = ()
    inside: Sequence[str] = ()
    """Files of queries inside the searched folder, which rankgrid excludes from the search."""


@dataclass(frozen=True)
class _Checked:
    """A query with the places of its targets, or the problems with them."""

    entry: Entry
    found: Sequence[tuple[Target, list[Spot] | Problem]]

    def spots(self) -> Iterator[tuple[Target, Spot]]:
        for target, where in self.found:
            if not isinstance(where, Problem):
                yield from ((target, spot) for spot in where)


def verify(
    fixtures: FixtureSet,
    tree: Tree | Callable[[Entry], Tree],
    *,
    left_out: Callable[[str], str] = lambda _path: "",
) -> SetReport:
    """Return the findings about a set.

    `left_out` returns the rule that excludes a path from the set, or "". `tree` may be a function
    of the query, for queries about several commits.
    """
    entries = fixtures.entries
    tree_of = tree if callable(tree) else lambda _entry: tree
    # One query after the other, so that only one tree at a time must be kept.
    judged = [_judged(entry, tree_of(entry), left_out) for entry in entries]
    queries = tuple(report for report, _, _ in judged)
    documents = tree_of(entries[0]).documents if entries else Documents.of([])
    findings = [
        *map(from_fault, fixtures.faults),
        *map(sets.inside, fixtures.inside),
        *sets.set_findings(fixtures.name, entries, documents),
        *sets.long_lines(entries, [count for _, _, count in judged]),
        *(finding for _, found, _ in judged for finding in found),
    ]
    report = SetReport(fixtures.name, tuple(findings), queries)
    return SetReport(fixtures.name, (*findings, *_favouring(report, fixtures)), queries)


def verify_query(entry: Entry, tree: Tree) -> tuple[QueryReport, tuple[Finding, ...]]:
    """Return the properties of a query and the findings about it, independent of its set."""
    report, findings, count = _judged(entry, tree, lambda _path: "")
    return report, (*sets.long_lines([entry], [count]), *findings)


def _judged(
    entry: Entry, tree: Tree, left_out: Callable[[str], str]
) -> tuple[QueryReport, list[Finding], int]:
    checked = _checked(entry, tree)
    findings = list(_findings(checked, tree, left_out))
    return _report(checked, tree), findings, _on_long_lines(checked, tree)


def _checked(entry: Entry, tree: Tree) -> _Checked:
    query = entry.query
    return _Checked(entry, [(one, find_target(tree, query, one)) for one in query.targets])


def _findings(one: _Checked, tree: Tree, left_out: Callable[[str], str]) -> Iterator[Finding]:
    yield from _unfound(one, left_out)
    yield from _blank(one, tree)
    yield from _elsewhere(one)
    yield from _twice(one)
    yield from _stale(one, tree)
    yield from wording.leaks(one.entry)
    if one.entry.form == "tasks":
        yield from _tiered(one, tree)
    if one.entry.draft:
        what, remedy = "is a draft and not scored", "review it, then remove 'draft: true'"
        yield about(one.entry, "warning", "unreviewed-draft", what, remedy)
    category = one.entry.query.category
    if category and category not in _CATEGORIES:
        yield about(
            one.entry,
            "warning",
            "unknown-category",
            f"category {category[:80]!r} is none that reports know",
            f"use one of {', '.join(_CATEGORIES)}, if one fits",
        )
    if one.entry.query.negative and one.entry.query.targets:
        remedy = "remove the targets, or negative"
        yield about(one.entry, "error", "negative-target", "a negative has targets", remedy)


def _unfound(one: _Checked, left_out: Callable[[str], str]) -> Iterator[Finding]:
    for target, where in one.found:
        if not isinstance(where, Problem):
            continue
        path = normal_path(target.path or target.symbol.partition("::")[0])
        rule = left_out(path) if where.rule == "missing" else ""
        if rule:
            what = f"{where.asked} is in a file that is left out of the index ({rule})"
            remedy = "choose an answer that can be found, or remove this one"
            yield about(one.entry, "error", "excluded-target", what, remedy)
        else:
            what = f"{where.asked} {where.wrong}"
            yield about(one.entry, "error", where.rule, what, where.remedy)


def _stale(one: _Checked, tree: Tree) -> Iterator[Finding]:
    """Yield judged places that are gone or have a different text."""
    if one.entry.hidden:  # trials see less than the files
        return
    for place in stale_places(one.entry.query, one.entry.judged, tree):
        what = f"{place.target.as_written} was judged, and is gone or says something else now"
        remedy = "judge it again, or carry the answers along with rankgrid fixtures update"
        yield about(one.entry, "warning", "stale-judgement", what, remedy)


def _blank(one: _Checked, tree: Tree) -> Iterator[Finding]:
    for target, spot in one.spots():
        if target.level == "span" and not tree.text(spot).strip():
            what = f"{target.stretch} are blank"
            remedy = "look them up in the pinned source"
            yield about(one.entry, "error", "blank-span", what, remedy)


def _on_long_lines(one: _Checked, tree: Tree) -> int:
    """Count the targets given as lines with a very long line."""
    given = {
        target: spot
        for target, spot in one.spots()
        if target.level == "span" and not target.has_characters
    }
    lines = (tree.text(spot).split("\n") for spot in given.values())
    return sum(max(map(len, own)) > sets.LONGEST_LINE for own in lines)


def _elsewhere(one: _Checked) -> Iterator[Finding]:
    targets = one.entry.query.targets
    files = {normal_path(target.path) for target in targets if target.level == "file"}
    spans = {normal_path(target.path) for target in targets if target.level == "span"}
    for path in sorted(spans - files if files else ()):
        what = f"has lines in {path[:120]!r}, which is not among its expected files"
        remedy = "add the file to expected_files, or remove the lines"
        yield about(one.entry, "error", "span-elsewhere", what, remedy)


def _twice(one: _Checked) -> Iterator[Finding]:
    seen: dict[tuple[str, Spot], Target] = {}
    for target, spot in one.spots():
        first = seen.setdefault((target.level, spot), target)
        if first is not target and not _are_choices_apart(first, target):
            name = target.symbol or target.path
            what = f"target {name[:120]!r} is the same place as {first.symbol or first.path!r}"
            yield about(one.entry, "warning", "duplicate-target", what, "remove one of the two")


def _are_choices_apart(first: Target, second: Target) -> bool:
    """Return whether two targets are different alternatives, which may share a place."""
    return 0 < first.alternative != second.alternative > 0


def _tiered(one: _Checked, tree: Tree) -> Iterator[Finding]:
    query = one.entry.query
    count = len(together(query.targets))
    if not query.negative and not _FEWEST_SYMBOLS <= count <= _MOST_SYMBOLS:
        what = f"names {count} symbols, not {_FEWEST_SYMBOLS} to {_MOST_SYMBOLS}"
        remedy = "name what an expert would want to see first, and no helpers"
        yield about(one.entry, "warning", "symbol-count", what, remedy)
    packages = _packages(one, tree)
    tier = _tier(packages)
    if tier and query.difficulty in _TIERS and query.difficulty != tier:
        what = f"is called {query.difficulty}, but its symbols span {packages} packages ({tier})"
        yield about(one.entry, "warning", "tier", what, f"call it {tier}, or check the symbols")


def _report(one: _Checked, tree: Tree) -> QueryReport:
    spots = list(one.spots())
    fine = [spot for target, spot in spots if target.level != "file"]
    answers = [tree.text(spot) for spot in fine or [spot for _, spot in spots]]
    packages, query = _packages(one, tree), one.entry.query
    return QueryReport(
        id=query.id,
        lexical_overlap=wording.lexical_overlap(query.text, answers) if answers else None,
        packages=packages,
        tier=query.difficulty or _tier(packages),
    )


def _packages(one: _Checked, tree: Tree) -> int:
    paths = tree.documents.paths
    return count_packages({paths[spot.document] for _, spot in one.spots()}, paths)


def _tier(packages: int) -> str:
    if packages == 0:
        return ""
    return _TIERS[(packages >= _MEDIUM_PACKAGES) + (packages >= _HARD_PACKAGES)]


def _favouring(report: SetReport, fixtures: FixtureSet) -> Iterator[Finding]:
    mean = report.lexical_overlap
    if mean is not None and mean > _MOST_OVERLAP:
        file = fixtures.entries[0].place.file
        what = f"{mean:.0%} of the questions' words occur in their answers: this favours BM25"
        remedy = "ask in the words of somebody who does not know the code"
        yield Finding("warning", "lexical-overlap", file, 1, "", what, remedy)
