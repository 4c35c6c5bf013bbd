"""One commit of a git repository as a source, read as blobs from a bare clone.

There is no work tree: no filter, attribute, hook, LFS file or submodule can take effect.
"""

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

from bench.corpora.addresses import local_folder_of, on_one_line, redacted, transport_of
from bench.corpora.archives import DEFAULT_LIMITS
from bench.corpora.names import leaves_its_tree
from bench.corpora.sieve import Sieve
from bench.corpora.sources import GitSource
from bench.errors import SourceError, UnreachableError, UnsafeArchiveError

FETCH_SECONDS = 900.0
"""How long a fetch may take before it counts as unreachable."""

_SAFE = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "protocol.ext.allow=never",
    "gc.auto=0",
    "maintenance.auto=false",
    "http.lowSpeedLimit=1",
    "http.lowSpeedTime=60",
)
_KEPT_VARIABLES = ("GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "GIT_SSH_COMMAND")
_ENTRY = re.compile(rb"(\d{6}) (blob|commit|tree) ([0-9a-f]{40}) +(\d+|-)\t(.*)", re.DOTALL)
_READ_SECONDS = 300.0


@dataclass(frozen=True)
class _Repository:
    """A bare repository in a temporary folder, and the one transport it may use."""

    git: str
    folder: str
    source: GitSource
    seconds: float

    @property
    def name(self) -> str:
        return f"git source {redacted(self.source.url)} at {self.source.commit[:12]}"

    def command(self, *arguments: str) -> list[str]:
        """Return the command line of a git command."""
        settings = [part for setting in _SAFE for part in ("-c", setting)]
        return [self.git, *settings, *arguments]

    def environment(self) -> dict[str, str]:
        """Return this process's variables without those that steer git."""
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("GIT_") or name in _KEPT_VARIABLES
        }
        return {
            "GIT_SSH_COMMAND": "ssh -o BatchMode=yes -o ConnectTimeout=20",
            **kept,
            "GIT_DIR": self.folder,
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_ASKPASS": "",
            "SSH_ASKPASS": "",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_ATTR_NOSYSTEM": "1",
            "GIT_ALLOW_PROTOCOL": transport_of(self.source.url),
            "GIT_LFS_SKIP_SMUDGE": "1",
            "GIT_NO_LAZY_FETCH": "1",
            "GIT_NO_REPLACE_OBJECTS": "1",
            "GIT_OPTIONAL_LOCKS": "0",
            "LC_ALL": "C",
        }


@dataclass(frozen=True)
class _Blob:
    id: str
    size: int
    path: str


def read_git(source: GitSource, sieve: Sieve, *, seconds: float = FETCH_SECONDS) -> None:
    """Put the files of a commit through the sieve."""
    git = shutil.which("git")
    if git is None:
        raise SourceError("git source: the program git is not installed; install it")
    with TemporaryDirectory(prefix="rankgrid-git-") as folder:
        repository = _Repository(git, folder, source, seconds)
        _fetch(repository)
        _read_blobs(repository, list(_wanted(repository, sieve)), sieve)


def _fetch(repository: _Repository) -> None:
    source = repository.source
    address = source.url
    if transport_of(address) == "file":
        address = str(local_folder_of(address))
        if not Path(address).is_dir():
            message = f"{repository.name}: there is no such folder; correct the url"
            raise UnreachableError(message)
    _run(repository, "init", "--bare", "--quiet", "--template=", "--", repository.folder)
    one = ("fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head")
    status, _ = _try(repository, *one, "--depth=1", "--", address, source.commit)
    if status:
        # Some servers hand out only what a branch or a tag names: take all, then look.
        status, fault = _try(repository, *one, "--", address, "+refs/*:refs/source/*")
        if status:
            raise UnreachableError(
                f"{repository.name}: it could not be fetched ({fault}); {_CHECK}"
            )
    status, _ = _try(repository, "cat-file", "-e", f"{source.commit}^{{commit}}")
    if status:
        message = f"{repository.name}: the repository has no such commit; correct the commit"
        raise UnreachableError(message)


_CHECK = "check the url, the network and your access"


def _wanted(repository: _Repository, sieve: Sieve) -> Iterator[_Blob]:
    total = 0
    for count, (mode, blob) in enumerate(_listed(repository), start=1):
        if leaves_its_tree(blob.path):
            raise _refusal(repository, f"has a file that leaves its folder: {blob.path[:200]!r}")
        if mode == "120000":
            sieve.leave_out("link")
        elif mode == "160000":
            sieve.leave_out("submodule")
        elif sieve.wants(blob.path, blob.size):
            total += blob.size
            yield blob
        if count > DEFAULT_LIMITS.members or total > DEFAULT_LIMITS.total_bytes:
            raise _refusal(repository, "has more files than the limit")


def _listed(repository: _Repository) -> Iterator[tuple[str, _Blob]]:
    folder = repository.source.folder
    tree = f"{repository.source.commit}:{folder}"
    status, output = _complete(repository, ("ls-tree", "-r", "-z", "-l", "--full-tree", tree))
    if status:
        message = f"{repository.name}: it has no folder {folder!r}; correct the folder"
        raise SourceError(message)
    for line in output.split(b"\0"):
        entry = _ENTRY.fullmatch(line)
        if entry:
            mode, _, object_id, size, path = entry.groups()
            name = path.decode("utf-8", "surrogateescape")
            length = 0 if size == b"-" else int(size)
            yield mode.decode(), _Blob(object_id.decode(), length, name)


def _read_blobs(repository: _Repository, blobs: list[_Blob], sieve: Sieve) -> None:
    with _started(repository, ("cat-file", "--batch")) as process:
        if process.stdin is None or process.stdout is None:
            raise SourceError(f"{repository.name}: git could not be talked to; try again")
        for blob in blobs:
            process.stdin.write(f"{blob.id}\n".encode())
            process.stdin.flush()
            sieve.add(blob.path, _content(process.stdout, blob, repository))
        process.stdin.close()
        process.wait(_READ_SECONDS)


def _content(output: IO[bytes], blob: _Blob, repository: _Repository) -> bytes:
    header = output.readline()
    content = output.read(blob.size)
    if header != f"{blob.id} blob {blob.size}\n".encode() or output.read(1) != b"\n":
        raise SourceError(f"{repository.name}: {blob.path!r} cannot be read; fetch it anew")
    return content


def _run(repository: _Repository, *arguments: str) -> None:
    status, fault = _try(repository, *arguments)
    if status:
        raise SourceError(f"{repository.name}: git {arguments[0]} failed ({fault}); {_CHECK}")


def _try(repository: _Repository, *arguments: str) -> tuple[int, str]:
    """Return the exit code of a git command and the start of its complaint, made safe."""
    status, output = _complete(repository, arguments, errors_too=True)
    # What ssh says comes first, and then only that git could not read.
    told = "; ".join(output.decode("utf-8", "replace").strip().splitlines()[:2])
    told = told.replace(repository.source.url, redacted(repository.source.url))
    return status, on_one_line(told)


def _complete(
    repository: _Repository, arguments: tuple[str, ...], *, errors_too: bool = False
) -> tuple[int, bytes]:
    errors = subprocess.STDOUT if errors_too else subprocess.DEVNULL
    with _started(repository, arguments, errors=errors) as process:
        try:
            output, _ = process.communicate(timeout=repository.seconds)
        except subprocess.TimeoutExpired as error:
            message = (
                f"{repository.name}: no answer within {repository.seconds:g} seconds; {_CHECK}"
            )
            raise UnreachableError(message) from error
    return process.returncode, output


@contextmanager
def _started(
    repository: _Repository, arguments: tuple[str, ...], *, errors: int = subprocess.DEVNULL
) -> Iterator[subprocess.Popen[bytes]]:
    """Run git in a process group of its own, of which nothing is left at the end."""
    process = subprocess.Popen(
        repository.command(*arguments),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        cwd=repository.folder,
        env=repository.environment(),
        start_new_session=True,
    )
    try:
        yield process
    finally:
        # git's helpers (ssh, git-remote-https) outlive git itself when it alone is ended.
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()
        process.wait()


def _refusal(repository: _Repository, reason: str) -> UnsafeArchiveError:
    return UnsafeArchiveError(f"{repository.name}: the commit {reason}; it was refused")
