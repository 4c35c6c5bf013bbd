"""One commit of a git repository as a source, read as blobs from a bare clone.

There is no work tree: no filter, attribute, hook, LFS file or submodule can take effect.
"""

import hashlib
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO

from bench.corpora.addresses import redacted
from bench.corpora.archives import DEFAULT_LIMITS
from bench.corpora.clones import kept_clone
from bench.corpora.file_filter import FileFilter, JudgedFile, judged
from bench.corpora.names import leaves_its_tree
from bench.corpora.repository import (
    CHECK,
    FETCH_SECONDS,
    READ_SECONDS,
    Repository,
)
from bench.corpora.sources import GitSource
from bench.errors import SourceError, UnreachableError, UnsafeArchiveError
from retrievers.interface import Documents

_ENTRY = re.compile(rb"(\d{6}) (blob|commit|tree) ([0-9a-f]{40}) +(\d+|-)\t(.*)", re.DOTALL)


_WHOLE = "--depth=2147483647"
"""The whole history, even behind commits that were fetched alone before."""


@dataclass(frozen=True)
class Blob:
    """A file of a commit, with its object id and its size in bytes."""

    id: str
    size: int
    path: str


def read_git(
    source: GitSource,
    file_filter: FileFilter,
    *,
    seconds: float = FETCH_SECONDS,
    before: Documents | None = None,
) -> None:
    """Put the files of a commit through the filter, without reading those of `before` again."""
    known = _texts_by_blob(before) if before is not None else {}
    name = f"git source {redacted(source.url)} at {source.commit[:12]}"
    with kept_clone(source.url, name, seconds=seconds) as repository:
        if not _has(repository, source.commit):
            fetch_commit(repository, source.commit)
        blobs = list(_wanted(repository, source, file_filter))
        with blob_reader(repository) as read:
            for blob in blobs:
                text = known.get((blob.id, blob.path))
                file = _LATELY.judged(blob, read) if text is None else JudgedFile(text)
                file_filter.take(blob.path, file)


def _texts_by_blob(documents: Documents) -> dict[tuple[str, str], str]:
    """Return the texts of documents by git's object id of their bytes, and by path.

    A file that was not UTF-8 has another id, so that it is read again.
    """
    texts: dict[tuple[str, str], str] = {}
    for number, path in enumerate(documents.paths):
        content = documents.source(number)
        whole = hashlib.sha1(b"blob %d\0" % len(content), usedforsecurity=False)
        whole.update(content)
        texts[whole.hexdigest(), path] = content.decode("utf-8", "surrogatepass")
    return texts


class _Lately:
    """Cache of the files that this process read last, by blob id and path.

    The next commit of a repository has nearly all of them.
    """

    def __init__(self) -> None:
        self._files: dict[tuple[str, str], JudgedFile] = {}
        self._characters = 0

    def judged(self, blob: Blob, read: Callable[[Blob], bytes]) -> JudgedFile:
        """Return the result of the filter for a blob, which is read unless it is cached."""
        key = blob.id, blob.path
        found = self._files.get(key)
        if found is None:
            found = judged(blob.path, read(blob))
            self._characters += len(found.text) + len(blob.path)
            if self._characters > _MOST_CHARACTERS:
                self._files, self._characters = {}, len(found.text) + len(blob.path)
            self._files[key] = found
        return found


_MOST_CHARACTERS = 100_000_000
_LATELY = _Lately()


def fetch_commit(repository: Repository, commit: str, *, depth: int = 1) -> None:
    """Fetch a commit and its history, `depth` commits in all."""
    # With a ref for each commit, the next fetch tells the server which objects are here.
    status, _ = repository.fetch(f"+{commit}:refs/commits/{commit}", f"--depth={depth}")
    if status:
        # Some servers serve only commits of branches and tags: fetch all, then check.
        status, fault = repository.fetch("+refs/*:refs/source/*", _WHOLE)
        if status:
            message = f"{repository.name}: it could not be fetched ({fault}); {CHECK}"
            raise UnreachableError(message)
    if not _has(repository, commit):
        message = f"{repository.name}: the repository has no such commit; correct the commit"
        raise UnreachableError(message)


def _has(repository: Repository, commit: str) -> bool:
    status, _ = repository.attempt("cat-file", "-e", f"{commit}^{{commit}}")
    return status == 0


def _wanted(repository: Repository, source: GitSource, file_filter: FileFilter) -> Iterator[Blob]:
    total = 0
    for count, (mode, blob) in enumerate(
        listed(repository, source.commit, source.folder), start=1
    ):
        if leaves_its_tree(blob.path):
            raise _refusal(repository, f"has a file that leaves its folder: {blob.path[:200]!r}")
        if mode == "120000":
            file_filter.leave_out("link")
        elif mode == "160000":
            file_filter.leave_out("submodule")
        elif file_filter.wants(blob.path, blob.size):
            total += blob.size
            yield blob
        if count > DEFAULT_LIMITS.members or total > DEFAULT_LIMITS.total_bytes:
            raise _refusal(repository, "has more files than the limit")


def listed(repository: Repository, commit: str, folder: str = "") -> Iterator[tuple[str, Blob]]:
    """Yield the mode and the blob of every file of a commit, or of one of its folders."""
    tree = f"{commit}:{folder}"
    status, output = repository.output(("ls-tree", "-r", "-z", "-l", "--full-tree", tree))
    if status:
        message = f"{repository.name}: it has no folder {folder!r}; correct the folder"
        raise SourceError(message)
    for line in output.split(b"\0"):
        entry = _ENTRY.fullmatch(line)
        if entry:
            mode, _, object_id, size, path = entry.groups()
            name = path.decode("utf-8", "surrogateescape")
            length = 0 if size == b"-" else int(size)
            yield mode.decode(), Blob(object_id.decode(), length, name)


@contextmanager
def blob_reader(repository: Repository) -> Iterator[Callable[[Blob], bytes]]:
    """Yield a function that returns the content of a file; one process of git serves all calls."""
    with repository.started(("cat-file", "--batch")) as process:
        source, sink = process.stdout, process.stdin
        if source is None or sink is None:
            raise SourceError(f"{repository.name}: git stopped answering; try again")

        def read(blob: Blob) -> bytes:
            sink.write(f"{blob.id}\n".encode())
            sink.flush()
            return _content(source, blob, repository)

        yield read
        sink.close()
        process.wait(READ_SECONDS)


def _content(output: IO[bytes], blob: Blob, repository: Repository) -> bytes:
    header = output.readline()
    content = output.read(blob.size)
    if header != f"{blob.id} blob {blob.size}\n".encode() or output.read(1) != b"\n":
        raise SourceError(
            f"{repository.name}: {blob.path!r} cannot be read; fetch the repository again"
        )
    return content


def _refusal(repository: Repository, reason: str) -> UnsafeArchiveError:
    return UnsafeArchiveError(f"{repository.name}: the commit {reason}; it was refused")
