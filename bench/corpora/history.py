"""Commits of a git repository, newest first, with messages and changes."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from bench.corpora.addresses import (
    fault_of_git_address,
    local_folder_of,
    redacted,
    transport_of,
)
from bench.corpora.file_filter import FileFilter
from bench.corpora.git import blob_reader, listed
from bench.corpora.names import leaves_its_tree
from bench.corpora.repository import CHECK, FETCH_SECONDS, Repository, open_repository
from bench.errors import SourceError, UnreachableError, UsageError
from retrievers.interface import Documents

_REVISION = re.compile(r"[A-Za-z0-9_][\w./+-]{0,200}")
_HEAD = "refs/rankgrid/head"
_LINKS = ("120000", "160000")
_DIFF = (
    *("diff-tree", "-r", "-p", "-M", "--no-color", "--no-ext-diff", "--no-textconv"),
    *("--ignore-all-space", "--ignore-blank-lines", "--src-prefix=a/", "--dst-prefix=b/"),
)


@dataclass(frozen=True)
class Commit:
    """A commit. The first of several parents is the branch that it was merged into."""

    id: str
    parents: tuple[str, ...]
    message: str


@dataclass(frozen=True)
class History:
    """The newest commits that lead to a revision."""

    repository: Repository
    commits: tuple[Commit, ...]

    def changed_paths(self, commit: Commit) -> tuple[str, ...]:
        """Return all paths that a commit changes, including removed paths."""
        flags = ("diff-tree", "-r", "-z", "--name-only", "--no-renames")
        output = self._said((*flags, commit.parents[0], commit.id))
        names = output.decode("utf-8", "surrogateescape").split("\0")
        return tuple(name for name in names if name)

    def patch(self, commit: Commit) -> str:
        """Return the changes of a commit as a unified diff, without white space changes."""
        return self._said((*_DIFF, commit.parents[0], commit.id)).decode("utf-8", "replace")

    def documents(self, commit: str, paths: Iterable[str]) -> Documents:
        """Return the given files at a commit, without files that the rules exclude."""
        wanted, file_filter = frozenset(paths), FileFilter()
        files = [
            blob
            for mode, blob in listed(self.repository, commit)
            if blob.path in wanted and mode not in _LINKS and not leaves_its_tree(blob.path)
        ]
        with blob_reader(self.repository) as read:
            for blob in files:
                if file_filter.wants(blob.path, blob.size):
                    file_filter.add(blob.path, read(blob))
        return file_filter.checkout().documents

    def _said(self, arguments: tuple[str, ...]) -> bytes:
        status, output = self.repository.output(arguments)
        if status:
            name = self.repository.name
            raise SourceError(f"{name}: git {arguments[0]} failed; fetch the repository again")
        return output


@contextmanager
def open_history(
    url: str, *, revision: str = "HEAD", most_commits: int, seconds: float = FETCH_SECONDS
) -> Iterator[History]:
    """Yield the newest commits of a revision, fetched into a temporary folder."""
    fault = fault_of_git_address(url)
    if fault:
        raise UsageError(fault)
    if transport_of(url) == "file" and not local_folder_of(url).is_dir():
        message = f"{url}: there is no such folder; give a folder with a git repository, or a URL"
        raise UsageError(message)
    if not _REVISION.fullmatch(revision) or ".." in revision:
        message = f"revision {revision[:80]!r} is not the name of a branch, a tag or a commit"
        raise UsageError(message)
    name = f"git history of {redacted(url)} at {revision}"
    with open_repository(url, name, seconds=seconds) as repository:
        # One more commit is fetched, because the oldest one needs its parent.
        status, fault = repository.fetch(f"+{revision}:{_HEAD}", f"--depth={most_commits + 1}")
        if status:
            message = f"{name}: it could not be fetched ({fault}); {CHECK}"
            raise UnreachableError(message)
        yield History(repository, tuple(_commits(repository, most_commits)))


def _commits(repository: Repository, most: int) -> Iterator[Commit]:
    form = "--format=%H%n%P%n%B"
    command = ("log", "-z", "--no-show-signature", "--encoding=UTF-8", f"-n{most}", form, _HEAD)
    status, output = repository.output(command)
    if status:
        raise SourceError(f"{repository.name}: its commits cannot be listed; {CHECK}")
    for record in output.decode("utf-8", "replace").split("\0"):
        if record.strip():
            identifier, parents, message = (record.lstrip("\n") + "\n\n").split("\n", 2)
            yield Commit(identifier, tuple(parents.split()), message.strip())
