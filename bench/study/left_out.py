"""Answers in files that the user leaves out of the search, which no trial could find."""

from collections.abc import Iterator

from bench.errors import SettingError
from bench.queries import Target, normal_path
from bench.study.corpus import Corpus, PreparedRepository

_LISTED = 5


def refuse_left_out(corpus: Corpus) -> None:
    """Refuse queries whose targets name a file that include, exclude or languages leave out.

    Names of symbols say nothing of their file: they are looked up when the source is there.
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
    """Yield queries with a file of theirs that is left out."""
    for query in repository.queries:
        for path in map(_file_of, query.targets):
            if path and repository.files.rule(path):
                yield query.id, path


def _file_of(target: Target) -> str:
    """Return the file that a target names, or nothing."""
    path, separator, _ = target.symbol.partition("::")
    return normal_path(target.path or (path if separator else ""))
