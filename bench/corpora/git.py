"""One commit of a git repository as a source, read as blobs from a bare clone.

There is no work tree: no filter, attribute, hook, LFS file or submodule can take effect.
"""

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import MappingProxyType
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

_ENTRY = re.compile(rb"(\d{6}) (?:blob|commit|tree) ([0-9a-f]{40})\t(.*)", re.DOTALL)
_LINK, _SUBMODULE = "120000", "160000"
"""Modes of entries that are not files."""

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
    known = _Known.of(before) if before is not None else _Known({}, {})
    name = f"git source {redacted(source.url)} at {source.commit[:12]}"
    with kept_clone(source.url, name, seconds=seconds) as repository:
        if not _has(repository, source.commit):
            fetch_commit(repository, source.commit)
        blobs = list(_wanted(repository, source, file_filter, known))
        with blob_reader(repository) as read:
            for blob in blobs:
                content = known.contents.get((blob.id, blob.path))
                if content is None:
                    file_filter.take(blob.path, _LATELY.judged(blob, read))
                else:
                    file_filter.keep(blob.path, content)


@dataclass(frozen=True)
class _Known:
    """Files of an earlier commit that were kept."""

    contents: Mapping[tuple[str, str], memoryview]
    """Bytes by object id and path."""
    sizes: Mapping[str, int]
    """Number of bytes by object id."""

    @classmethod
    def of(cls, documents: Documents) -> "_Known":
        """Return documents by git's object id of their bytes.

        A file that was not UTF-8 has another id, so that it is read again.
        """
        contents: dict[tuple[str, str], memoryview] = {}
        sizes: dict[str, int] = {}
        ends = documents.ends.tolist()
        for path, start, end in zip(documents.paths, [0, *ends], ends, strict=False):
            content = documents.content.data[start:end]
            whole = hashlib.sha1(b"blob %d\0" % len(content), usedforsecurity=False)
            whole.update(content)
            name = whole.hexdigest()
            contents[name, path], sizes[name] = content, len(content)
        return cls(contents, sizes)


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


def _wanted(
    repository: Repository, source: GitSource, file_filter: FileFilter, known: _Known
) -> Iterator[Blob]:
    total = 0
    files = listed(repository, source.commit, source.folder, sizes=known.sizes)
    for count, (mode, blob) in enumerate(files, start=1):
        if leaves_its_tree(blob.path):
            raise _refusal(repository, f"has a file that leaves its folder: {blob.path[:200]!r}")
        if mode == _LINK:
            file_filter.leave_out("link")
        elif mode == _SUBMODULE:
            file_filter.leave_out("submodule")
        elif file_filter.wants(
            blob.path, blob.size, was_kept=(blob.id, blob.path) in known.contents
        ):
            total += blob.size
            yield blob
        if count > DEFAULT_LIMITS.members or total > DEFAULT_LIMITS.total_bytes:
            raise _refusal(repository, "has more files than the limit")


def listed(
    repository: Repository,
    commit: str,
    folder: str = "",
    *,
    sizes: Mapping[str, int] = MappingProxyType({}),
) -> Iterator[tuple[str, Blob]]:
    """Yield the mode and the blob of every file of a commit, or of one of its folders.

    `sizes` has known sizes by object id. Git opens an object to tell its size.
    """
    tree = f"{commit}:{folder}"
    status, output = repository.output(("ls-tree", "-r", "-z", "--full-tree", tree))
    if status:
        message = f"{repository.name}: it has no folder {folder!r}; correct the folder"
        raise SourceError(message)
    found = (entry.groups() for entry in map(_ENTRY.fullmatch, output.split(b"\0")) if entry)
    entries = [(mode.decode(), name.decode(), path) for mode, name, path in found]
    unknown = [name for mode, name, _ in entries if mode != _SUBMODULE and name not in sizes]
    sizes = {**sizes, **_sizes(repository, unknown)}
    missing = sum(mode != _SUBMODULE and name not in sizes for mode, name, _ in entries)
    if missing:
        raise SourceError(
            f"{repository.name}: {missing} of its {len(entries)} files are not in the repository,"
            " as in a partial clone; give a clone that was made without --filter"
        )
    for mode, name, path in entries:
        yield mode, Blob(name, sizes.get(name, 0), path.decode("utf-8", "surrogateescape"))


def _sizes(repository: Repository, names: Sequence[str]) -> dict[str, int]:
    """Return the sizes of objects; those that are missing are left out."""
    if not names:
        return {}
    asked = "".join(f"{name}\n" for name in names).encode()
    command = ("cat-file", "--batch-check=%(objectname) %(objectsize)")
    _, output = repository.output(command, asked)
    pairs = (line.split() for line in output.decode("ascii", "replace").splitlines())
    return {name: int(size) for name, size in pairs if size.isdecimal()}


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
