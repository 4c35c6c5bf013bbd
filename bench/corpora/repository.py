"""Git commands without effects of a repository's or this machine's configuration.

Everything happens in a bare repository in a temporary folder. There is no work tree: no filter,
attribute, hook, LFS file or submodule can take effect.
"""

import os
import subprocess
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.corpora import gitcall
from bench.corpora.addresses import local_folder_of, on_one_line, redacted, transport_of
from bench.corpora.locked_folders import LockedFolder
from bench.errors import GitOwnershipError, SourceError, UnreachableError

FETCH_SECONDS = 900.0
"""Time limit of a git command, after which the repository counts as unreachable."""
READ_SECONDS = 300.0
CHECK = "check the url, the network and your access"

_KEPT_VARIABLES = ("GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "GIT_SSH_COMMAND")
_FETCH = ("fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head")


@dataclass(frozen=True)
class Repository:
    """A bare repository in a temporary folder, with a single allowed transport."""

    folder: str
    url: str
    name: str
    """Name of the repository in messages."""
    seconds: float

    def fetch(self, what: str, *options: str) -> tuple[int, str]:
        """Fetch a commit or a refspec; return git's exit code and the start of its message."""
        address = self.url
        if transport_of(address) == "file":
            address = str(local_folder_of(address))
        return self.attempt(*_FETCH, *options, "--", address, what)

    def make(self) -> None:
        """Create the bare, empty repository."""
        self.run("init", "--bare", "--quiet", "--template=", "--", self.folder)

    def borrow(self) -> None:
        """Use the objects of a local repository in place; do nothing for other transports.

        A fetch would copy them, which takes longer than all later work with them.
        """
        if transport_of(self.url) != "file":
            return
        folder = local_folder_of(self.url)
        # Without a search in parent folders: a fetch would not search there either.
        environment = self._environment() | {"GIT_CEILING_DIRECTORIES": str(folder.parent)}
        del environment["GIT_DIR"]
        command = ("rev-parse", "--git-path", "objects")
        started = gitcall.started(command, folder=folder, environment=environment)
        status, output = self._answer(started)
        objects = folder / output.decode("utf-8", "surrogateescape").removesuffix("\n")
        if status == 0 and "\n" not in str(objects):
            place = Path(self.folder, "objects", "info", "alternates")
            place.parent.mkdir(exist_ok=True)
            place.write_bytes(os.fsencode(objects) + b"\n")

    def run(self, *arguments: str) -> None:
        """Run a command that must succeed."""
        status, fault = self.attempt(*arguments)
        if status:
            raise SourceError(f"{self.name}: git {arguments[0]} failed ({fault}); {CHECK}")

    def attempt(self, *arguments: str) -> tuple[int, str]:
        """Return the exit code of a command and the start of its output, without credentials."""
        status, output = self.output(arguments, errors_too=True)
        text = output.decode("utf-8", "replace")
        if gitcall.foreign_repository(text):
            # The user's list of safe folders is in the configuration that is ignored here.
            message = f"{self.name}: another user owns the repository, so git refuses to read it"
            raise GitOwnershipError(f"{message}; clone it and use the clone")
        # A message of ssh comes first, and then git reports only that it could not read.
        told = "; ".join(text.strip().splitlines()[:2])
        return status, on_one_line(told.replace(self.url, redacted(self.url)))

    def output(
        self, arguments: tuple[str, ...], typed: bytes = b"", *, errors_too: bool = False
    ) -> tuple[int, bytes]:
        """Return the exit code of a command and its output, given its standard input."""
        errors = subprocess.STDOUT if errors_too else subprocess.DEVNULL
        return self._answer(self.started(arguments, errors=errors), typed)

    def _answer(
        self, started: "AbstractContextManager[subprocess.Popen[bytes]]", typed: bytes = b""
    ) -> tuple[int, bytes]:
        with started as process:
            try:
                output, _ = process.communicate(typed, timeout=self.seconds)
            except subprocess.TimeoutExpired as error:
                message = f"{self.name}: no answer within {self.seconds:g} seconds; {CHECK}"
                raise UnreachableError(message) from error
        return process.returncode, output

    def started(
        self, arguments: tuple[str, ...], *, errors: int = subprocess.DEVNULL
    ) -> "AbstractContextManager[subprocess.Popen[bytes]]":
        """Start git in a process group of its own, which is ended with the context."""
        return gitcall.started(
            arguments, folder=Path(self.folder), environment=self._environment(), errors=errors
        )

    def _environment(self) -> dict[str, str]:
        """Return the variables of every call: only this repository and this transport."""
        return {
            "GIT_SSH_COMMAND": "ssh -o BatchMode=yes -o ConnectTimeout=20",
            **gitcall.variables(
                kept=_KEPT_VARIABLES,
                GIT_DIR=self.folder,
                GIT_CONFIG_NOSYSTEM="1",
                GIT_CONFIG_GLOBAL=os.devnull,
                GIT_ATTR_NOSYSTEM="1",
                GIT_ALLOW_PROTOCOL=transport_of(self.url),
            ),
        }


@contextmanager
def open_repository(url: str, name: str, *, seconds: float) -> Iterator[Repository]:
    """Yield an empty repository that can fetch from `url`."""
    scratch = LockedFolder.new("rankgrid-git-")
    try:
        repository = repository_in(scratch.name, url, name, seconds=seconds)
        repository.make()
        yield repository
    finally:
        scratch.remove()


def repository_in(folder: str, url: str, name: str, *, seconds: float) -> Repository:
    """Return the repository in a folder; it can fetch from `url`."""
    gitcall.git_program()  # report a missing git first
    if transport_of(url) == "file" and not local_folder_of(url).is_dir():
        message = f"{name}: there is no such folder; correct the url"
        raise UnreachableError(message)
    return Repository(folder, url, name, seconds)
