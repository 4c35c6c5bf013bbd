"""Git, run so that nothing of a repository or of this machine's configuration takes effect.

Everything happens in a bare repository in a temporary folder. There is no work tree: no filter,
attribute, hook, LFS file or submodule can take effect.
"""

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from tempfile import TemporaryDirectory

from bench.corpora.addresses import local_folder_of, on_one_line, redacted, transport_of
from bench.errors import SourceError, UnreachableError

FETCH_SECONDS = 900.0
"""How long a command of git may take before the repository counts as unreachable."""
READ_SECONDS = 300.0
CHECK = "check the url, the network and your access"

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
_FETCH = ("fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head")


@dataclass(frozen=True)
class Repository:
    """A bare repository in a temporary folder, and the one transport it may use."""

    git: str
    folder: str
    url: str
    name: str
    """How messages call it."""
    seconds: float

    def fetch(self, what: str, *options: str) -> tuple[int, str]:
        """Fetch a commit or a refspec; return git's exit code and the start of its complaint."""
        address = self.url
        if transport_of(address) == "file":
            address = str(local_folder_of(address))
        return self.attempt(*_FETCH, *options, "--", address, what)

    def make(self) -> None:
        """Make it, bare and empty."""
        self.run("init", "--bare", "--quiet", "--template=", "--", self.folder)

    def run(self, *arguments: str) -> None:
        """Run a command that must succeed."""
        status, fault = self.attempt(*arguments)
        if status:
            raise SourceError(f"{self.name}: git {arguments[0]} failed ({fault}); {CHECK}")

    def attempt(self, *arguments: str) -> tuple[int, str]:
        """Return the exit code of a command and the start of its complaint, made safe."""
        status, output = self.output(arguments, errors_too=True)
        # What ssh says comes first, and then only that git could not read.
        told = "; ".join(output.decode("utf-8", "replace").strip().splitlines()[:2])
        return status, on_one_line(told.replace(self.url, redacted(self.url)))

    def output(self, arguments: tuple[str, ...], *, errors_too: bool = False) -> tuple[int, bytes]:
        """Return the exit code of a command and what it said."""
        errors = subprocess.STDOUT if errors_too else subprocess.DEVNULL
        with self.started(arguments, errors=errors) as process:
            try:
                output, _ = process.communicate(timeout=self.seconds)
            except subprocess.TimeoutExpired as error:
                message = f"{self.name}: no answer within {self.seconds:g} seconds; {CHECK}"
                raise UnreachableError(message) from error
        return process.returncode, output

    @contextmanager
    def started(
        self, arguments: tuple[str, ...], *, errors: int = subprocess.DEVNULL
    ) -> Iterator[subprocess.Popen[bytes]]:
        """Run git in a process group of its own, of which nothing is left at the end."""
        process = subprocess.Popen(
            self._command(*arguments),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            cwd=self.folder,
            env=self._environment(),
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

    def _command(self, *arguments: str) -> list[str]:
        settings = [part for setting in _SAFE for part in ("-c", setting)]
        return [self.git, *settings, *arguments]

    def _environment(self) -> dict[str, str]:
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
            "GIT_ALLOW_PROTOCOL": transport_of(self.url),
            "GIT_LFS_SKIP_SMUDGE": "1",
            "GIT_NO_LAZY_FETCH": "1",
            "GIT_NO_REPLACE_OBJECTS": "1",
            "GIT_OPTIONAL_LOCKS": "0",
            "LC_ALL": "C",
        }


@contextmanager
def open_repository(url: str, name: str, *, seconds: float) -> Iterator[Repository]:
    """Give an empty repository that can fetch from `url`."""
    with TemporaryDirectory(prefix="rankgrid-git-") as folder:
        repository = repository_in(folder, url, name, seconds=seconds)
        repository.make()
        yield repository


def repository_in(folder: str, url: str, name: str, *, seconds: float) -> Repository:
    """Return the repository in a folder, as one that can fetch from `url`."""
    git = shutil.which("git")
    if git is None:
        raise SourceError("git source: the program git is not installed; install it")
    if transport_of(url) == "file" and not local_folder_of(url).is_dir():
        message = f"{name}: there is no such folder; correct the url"
        raise UnreachableError(message)
    return Repository(git, folder, url, name, seconds)
