"""Refusal of queries whose answers are in files that the search excludes."""

from collections.abc import Iterator

from bench.errors import SettingError
from bench.queries import Target, normal_path
from bench.study.corpus import Corpus, PreparedRepository

_LISTED = 5


def refuse_left_out(corpus: Corpus) -> None:
    """Refuse queries whose targets name a file that include, exclude or languages leave out.

    Symbol names do not name a file. They are resolved once the source is available.
    """
    for repository in (*corpus.repositories, *corpus.choosing):
        found = dict(_left_out(repository))
        if found:
            more = f" and {len(found) - _LISTED} more" if len(found) > _LISTED else ""
            names = ", ".join(f"{query} ({path})" for query, path in [*found.items()][:_LISTED])
            message = (
                f"{repository.files}: leaves out files of {repository.place} that answer queries:"
                f" {names}{more}. Search these files, or remove the queries"
            )
            raise SettingError(message)


def _left_out(repository: PreparedRepository) -> Iterator[tuple[str, str]]:
    """Yield each query with an excluded file of its targets."""
    for query in repository.queries:
        for path in map(_file_of, query.targets):
            if path and repository.files.rule(path):
                yield query.id, path


def _file_of(target: Target) -> str:
    """Return the file that a target names, or "" for a symbol without a file."""
    path, separator, _ = target.symbol.partition("::")
    return normal_path(target.path or (path if separator else ""))
