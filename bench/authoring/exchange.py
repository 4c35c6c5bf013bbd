"""Conversion of query sets from and to the formats of other tools.

The written file is read again and compared, to report fields that the format cannot hold.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

from bench.authoring.opening import OpenedSet
from bench.authoring.saving import new_place
from bench.errors import FixtureError
from bench.queries import (
    FORMATS,
    Entry,
    FieldNames,
    Formats,
    Query,
    Target,
    read_asked,
    read_entries,
    read_topics,
    write_queries,
    written_format,
)
from bench.queries.resolution import Problem, Spot, Tree, find_target


@dataclass(frozen=True)
class Exchanged:
    """Written queries, and the number of queries that lost a field, by field."""

    entries: tuple[Entry, ...]
    lost: Mapping[str, int]


def import_queries(
    path: Path,
    output: Path,
    *,
    chunks: Path | None = None,
    topics: Path | None = None,
    formats: Formats = FORMATS,
    names: FieldNames | None = None,
) -> Exchanged:
    """Convert a file of any format to a query set; with `topics`, `path` is a file of qrels."""
    names = names or FieldNames()
    if topics:
        entries = read_topics(topics, path)
    else:
        entries = read_asked(path, chunks=chunks, formats=formats, names=names)
    names.refuse_unused()
    with new_place(output) as draft:
        draft.write_text(write_queries(entries), encoding="utf-8", newline="")
        return Exchanged(entries, lost_fields(entries, read_entries(draft)))


def export_set(
    opened: OpenedSet, form: str, output: Path, *, formats: Formats = FORMATS
) -> Exchanged:
    """Write a set in the named format, and read it again."""
    if not opened.entries:
        raise FixtureError(f"{opened.name}: has no queries to export; see --include-drafts")
    row, save = written_format(form, formats)
    with new_place(output) as draft:
        save(opened, draft)
        if row.is_half:
            return Exchanged(opened.entries, {})
        again = read_entries(draft, formats=formats)
        return Exchanged(opened.entries, lost_fields(opened.entries, again))


def as_spans(opened: OpenedSet) -> OpenedSet:
    """Replace symbols by the lines of their definitions, for formats without names."""
    tree = opened.tree_of()
    entries = (
        replace(one, query=replace(one.query, targets=_spans(one.query, tree(one))))
        for one in opened.entries
    )
    return replace(opened, entries=tuple(entries))


def _spans(query: Query, tree: Tree) -> tuple[Target, ...]:
    found: list[Target] = []
    for target in query.targets:
        if target.level != "symbol":
            found.append(target)
            continue
        where = find_target(tree, query, target)
        if isinstance(where, Problem):
            raise FixtureError(str(where))
        found.extend(_lines(target, spot, tree) for spot in where)
    return tuple(found)


def _lines(target: Target, spot: Spot, tree: Tree) -> Target:
    path, (start, end) = tree.documents.paths[spot.document], tree.lines_of(spot)
    return replace(target, level="span", symbol="", path=path, start=start, end=end)


def lost_fields(written: Sequence[Entry], found: Sequence[Entry]) -> Mapping[str, int]:
    """Return the number of queries for each field that was not read back as it was written."""
    by_id = {one.query.id: one for one in found}
    lost: Counter[str] = Counter()
    for one in written:
        again = by_id.get(one.query.id)
        lost.update(["id"] if again is None else _differing(one, again))
    return dict(lost)


def _differing(one: Entry, other: Entry) -> list[str]:
    written = frozenset(one.query.targets)
    # A format of characters reads lines back as their characters, which is not a loss.
    found = frozenset(
        lines if (lines := target.on_lines) in written else target
        for target in other.query.targets
    )
    before, after = _parts(one, written), _parts(other, found)
    return [name for name, value in before.items() if after[name] != value]


def _parts(one: Entry, targets: frozenset[Target]) -> dict[str, object]:
    said = {part.name: getattr(one.query, part.name) for part in fields(one.query)}
    said["targets"] = targets
    kept = {
        "commit": one.commit,
        "draft": one.draft,
        "generated": one.generated,
        "hidden": one.hidden,
        "judged": one.judged,
    }
    return {**said, "repository": one.repository, **kept}
