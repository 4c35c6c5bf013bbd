"""Update of a set of queries from one commit or version of a repository to another."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bench.authoring.opening import OpenedSet, asked_repository, find_suite, read_tree
from bench.authoring.target_transfer import Carried, carry_all
from bench.corpora import AnyCommit, GitSource, Source, at_commit
from bench.errors import UsageError
from bench.queries import COMMIT, CorpusFolder, Entry, JudgedPlace, Target, digest_of
from bench.queries.resolution import Tree
from bench.queries.stale import text_judged
from bench.settings import RepositorySettings
from retrievers.source import find_symbols


@dataclass(frozen=True)
class Update:
    """The new states of the targets, and the updated queries."""

    name: str
    carried: tuple[Carried, ...]
    entries: tuple[Entry, ...]
    """Updated queries. Those with lost targets are drafts again, or absent if they lost all."""
    gone: tuple[str, ...]
    """Ids of the queries that lost all targets."""


def update_set(opened: OpenedSet, to: Source, *, threshold: float) -> Update:
    """Transfer the targets of a set to another tree."""
    tree_of, documents = opened.tree_of(), read_tree(to, opened.queries_file)
    new = Tree.of(documents, find_symbols(documents))
    fates = carry_all(
        ((one.query, tree_of(one)) for one in opened.entries), new, threshold=threshold
    )
    judged = [_carried_judged(one, tree_of(one), new, threshold) for one in opened.entries]
    commit = to.commit if isinstance(to, GitSource) else ""
    entries = (
        replace(one, judged=places) for one, places in zip(opened.entries, judged, strict=True)
    )
    pairs = list(zip(entries, fates, strict=True))
    return Update(
        name=opened.name,
        carried=tuple(one for fate in fates for one in fate),
        entries=tuple(_updated(one, fate, commit) for one, fate in pairs if not _gone(fate)),
        gone=tuple(one.query.id for one, fate in pairs if _gone(fate)),
    )


def _carried_judged(
    entry: Entry, old: Tree, new: Tree, threshold: float
) -> tuple[JudgedPlace, ...]:
    """Return the judged places in the new tree, without lost and strongly changed ones."""
    query = replace(entry.query, targets=tuple(one.target for one in entry.judged))
    (fate,) = carry_all([(query, old)], new, threshold=threshold)
    found = []
    for place, carried in zip(entry.judged, fate, strict=True):
        if carried.how in ("kept", "moved") and len(carried.now) == 1:
            moved = replace(place, target=carried.now[0])
            text = text_judged(moved, query, new) if place.text else None
            found.append(replace(moved, text=digest_of(text) if text else ""))
    return tuple(found)


def _gone(fate: Sequence[Carried]) -> bool:
    return bool(fate) and not any(one.now for one in fate)


def _updated(entry: Entry, fate: Sequence[Carried], commit: str) -> Entry:
    """Return a query at the new commit, with a note on lost targets."""
    targets = _without_lone_choices([target for one in fate for target in one.now])
    held = {one.target.alternative for one in fate if one.now} - {0}
    lost = [one.target for one in fate if not one.now and one.target.alternative not in held]
    query = replace(entry.query, targets=targets)
    if lost:
        told = "lost in an update: " + ", ".join(one.as_written for one in lost)
        query = replace(query, notes=f"{query.notes}; {told}" if query.notes else told)
    return replace(
        entry,
        query=query,
        draft=entry.draft or bool(lost),
        commit=commit if entry.commit else "",
    )


def _without_lone_choices(targets: Sequence[Target]) -> tuple[Target, ...]:
    """Return distinct targets; the last remaining alternative becomes a plain target."""
    counts = Counter(target.alternative for target in dict.fromkeys(targets))
    return tuple(
        dict.fromkeys(
            target if counts[target.alternative] > 1 else replace(target, alternative=0)
            for target in targets
        )
    )


def destination(to: str, opened: OpenedSet) -> Source:
    """Return the tree to update to: a commit, a folder, URL@commit, or a suite with it."""
    source = opened.source
    if COMMIT.fullmatch(to) and source is not None:
        found = at_commit(source, to)
        if isinstance(found, GitSource):
            return found
        message = f"--to {to}: {opened.name} is not a git repository; give a folder or a suite"
        raise UsageError(message)
    suite = find_suite(Path(to).expanduser())
    if suite is None:
        return _pinned(asked_repository(Path(opened.queries_file), to), to)
    for one in suite.repositories:
        if one.name == opened.name:
            return _pinned(one, to)
    message = f"--to {to}: the suite has no repository {opened.name!r}; add it there"
    raise UsageError(message)


def _pinned(repository: RepositorySettings, to: str) -> Source:
    if isinstance(repository.source, (CorpusFolder, AnyCommit)):
        message = f"--to {to}: is not a pinned tree; give a folder, a commit or URL@COMMIT"
        raise UsageError(message)
    return repository.source
