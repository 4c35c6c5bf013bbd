"""Groups of queries for effects: difficulty, category, language, file type and tags."""

from collections.abc import Callable, Sequence
from pathlib import PurePosixPath

from bench.results import QueryResult
from retrievers.source import language_of


def groups_of(queries: Sequence[QueryResult]) -> dict[str, list[str]]:
    """Return the group of each query by kind of group.

    The group is empty for queries with targets in several languages or file types, because they do
    not describe any single group.
    """
    return {
        "difficulty": [query.difficulty for query in queries],
        "category": [query.category for query in queries],
        "language": [_only(query, _language) for query in queries],
        "file type": [_only(query, _ending) for query in queries],
    }


def tagged(queries: Sequence[QueryResult]) -> dict[str, list[str]]:
    """Return a list for each tag: the tag for queries that have it, "" for others."""
    own = [set(query.tags) for query in queries]
    return {tag: [tag if tag in tags else "" for tags in own] for tag in sorted(set().union(*own))}


def _only(query: QueryResult, label: Callable[[str], str]) -> str:
    labels = {label(target.path) for target in query.targets}
    return labels.pop() if len(labels) == 1 else ""


def _language(path: str) -> str:
    found = language_of(path)
    return found.name if found else ""


def _ending(path: str) -> str:
    return PurePosixPath(path).suffix.lower()
