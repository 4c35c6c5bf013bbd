"""Issues with the patch that closed them (like SWE-bench), with one commit per query.

A record has instance_id, repo, base_commit, problem_statement and patch; other fields are ignored.
Targets are the files that the patch changes and the changed lines, as they are at the base commit.
Files that the patch creates do not exist there and are not targets.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from bench.errors import FixtureError
from bench.queries.building import Entry, gather
from bench.queries.chunk_map import ChunkMap
from bench.queries.diffs import DiffError, FileChange, parse_diff
from bench.queries.fields import COMMIT, Fields
from bench.queries.json_lines import json_records
from bench.queries.located import Located
from bench.queries.query import Query, Target
from bench.queries.targets import checked_path
from retrievers.interface import Documents
from retrievers.source import CODE_KINDS, Symbols


@dataclass(frozen=True, slots=True)
class Commit:
    """A repository at one commit."""

    repository: str
    commit: str


def is_issue(record: Located) -> bool:
    """Return whether a record is an issue."""
    return isinstance(record.value, dict) and "problem_statement" in record.value


def read_issue(record: Located, _chunks: ChunkMap | None = None) -> Entry:
    """Return the query of a record."""
    fields = Fields.of(record, "an issue", None)
    identifier, repository = fields.text("instance_id"), fields.text("repo")
    commit, patch = fields.text("base_commit").lower(), fields.text("patch")
    if not COMMIT.fullmatch(commit):
        raise record.error(f"base_commit {commit[:80]!r} is not a whole commit hash; give it")
    try:
        changes = parse_diff(patch)
    except DiffError as error:
        raise record.error(f"the patch of {identifier!r} is wrong: {error}; correct it") from error
    targets = tuple(_targets(changes, fields.values["patch"]))
    if not targets:
        raise record.error(
            f"the patch of {identifier!r} changes nothing that the base commit has; remove it"
        )
    query = Query(identifier, fields.text("problem_statement"), targets)
    return Entry(query, repository, record.place, "issues", commit)


def read_issues(path: Path, *, repository: str = "") -> Mapping[Commit, tuple[Query, ...]]:
    """Return the queries of each commit, of all repositories or of `repository`."""
    found: dict[Commit, list[Query]] = {}
    seen: set[str] = set()
    for one in gather(read_issue, json_records(path), None):
        if one.query.id in seen:
            raise one.place.error(
                f"query id {one.query.id!r} appears twice; give each query its own id"
            )
        seen.add(one.query.id)
        if repository in ("", one.repository):
            found.setdefault(Commit(one.repository, one.commit), []).append(one.query)
    if not found:
        about = f" about repository {repository!r}" if repository else ""
        raise FixtureError(f"{path}: holds no issues{about}; add some or choose another file")
    return {commit: tuple(queries) for commit, queries in found.items()}


def split_at_definitions(
    queries: Sequence[Query], documents: Documents, symbols: Symbols
) -> tuple[Query, ...]:
    """Split each span where one definition ends and another begins.

    At symbol level, a run of changed lines then counts as every function that it changes.
    """
    owners = _Owners(documents, symbols)
    return tuple(replace(query, targets=tuple(_split(query.targets, owners))) for query in queries)


class _Owners:
    """The smallest definition around each line of a document."""

    def __init__(self, documents: Documents, symbols: Symbols) -> None:
        self._documents, self._symbols = documents, symbols
        self._is_code = np.array([kind in CODE_KINDS for kind in symbols.kinds], np.bool_)
        self._known: dict[int, np.ndarray[tuple[int], np.dtype[np.int32]]] = {}

    def of_lines(self, path: str, start: int, end: int) -> list[int]:
        """Return the row of the definition for each line, or -1 without a definition or file."""
        document = self._documents.places.get(path)
        if document is None:
            return [-1] * (end - start + 1)
        if document not in self._known:
            self._known[document] = self._rows(document)
        found = [int(row) for row in self._known[document][start - 1 : end]]
        return found + [-1] * (end - start + 1 - len(found))

    def _rows(self, document: int) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
        symbols = self._symbols
        owner = np.full(len(self._documents.line_starts(document)), -1, np.int32)
        rows = np.flatnonzero(self._is_code & (symbols.document == document))
        lengths = symbols.end_line[rows] - symbols.start_line[rows]
        # From large to small, so that inner definitions overwrite outer ones.
        for row in rows[np.argsort(-lengths, kind="stable")].tolist():
            owner[symbols.start_line[row] - 1 : symbols.end_line[row]] = row
        return owner


def _split(targets: Iterable[Target], owners: _Owners) -> Iterable[Target]:
    for target in targets:
        if target.level != "span" or target.has_characters:
            yield target
            continue
        rows = owners.of_lines(target.path, target.start, target.end)
        cuts = [place for place in range(1, len(rows)) if rows[place] != rows[place - 1]]
        for first, after in zip([0, *cuts], [*cuts, len(rows)], strict=True):
            yield replace(target, start=target.start + first, end=target.start + after - 1)


def _targets(changes: Iterable[FileChange], found: Located) -> Iterable[Target]:
    paths: dict[str, list[tuple[int, int]]] = {}
    for change in changes:
        if change.old_path is not None:
            path = checked_path(change.old_path, found)
            paths.setdefault(path, []).extend(change.spans)
    yield from (Target("file", path=path) for path in paths)
    for path, spans in paths.items():
        for start, end in dict.fromkeys(spans):
            yield Target("span", path=path, start=start, end=end)
