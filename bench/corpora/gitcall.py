"""All calls of git, protected against commands from a repository's configuration.

A `.git/config` can name programs for nearly every action of git: a file monitor, hooks, a pager,
transports, credential and signature helpers. It may come from a stranger together with the
repository. Settings on git's command line override those of every file. The environment overrides
both for transports, so each call here sets both.

`output_in` reads a repository of the user without network access. `started` runs any other command
with the variables of `variables`.
"""

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from bench.corpora.addresses import on_one_line
from bench.errors import GitError, GitOwnershipError

SECONDS = 60.0
"""Timeout of a command that reads a local repository."""
_SETTINGS = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.pager=cat",
    "core.alternateRefsCommand=true",
    "credential.helper=",
    "log.showSignature=false",
    "gpg.program=false",
    "protocol.allow=never",
    "protocol.ext.allow=never",
    "gc.auto=0",
    "maintenance.auto=false",
    "http.lowSpeedLimit=1",
    "http.lowSpeedTime=60",
)
_VARIABLES: Mapping[str, str] = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "",
    "SSH_ASKPASS": "",
    # A partial clone fetches missing objects on demand, with a command from the repository's
    # configuration. Older versions of git do not know the first variable. The second variable
    # works in all versions and lists the allowed transports, which the caller sets.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_LFS_SKIP_SMUDGE": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "LC_ALL": "C",
}
_FOREIGN = re.compile(r"dubious ownership in repository at '([^']+)'")


def git_program() -> str:
    """Return the path of git."""
    program = shutil.which("git")
    if program is None:
        raise GitError("the program git is not installed; install it")
    return program


def variables(*, kept: tuple[str, ...] = (), **more: str) -> dict[str, str]:
    """Return this process's environment with `more`, without variables that redirect git.

    In a git hook, variables such as GIT_DIR are set and would redirect every call. Only variables
    in `kept` remain.
    """
    own = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name in kept
    }
    return {**own, **_VARIABLES, **more}


def output_in(folder: Path, *arguments: str, seconds: float = SECONDS) -> bytes:
    """Return the output of a git command in a user's folder, without network access."""
    try:
        with started(
            arguments, folder=folder, environment=variables(), errors=subprocess.PIPE
        ) as process:
            output, complaint = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired as error:
        raise GitError(f"git did not answer within {seconds:g} seconds") from error
    except OSError as error:
        raise GitError(f"git cannot run there: {error.strerror}") from error
    if process.returncode:
        text = complaint.decode("utf-8", "replace")
        place = foreign_repository(text)
        if place:
            message = f"another user owns the repository {place}, so git refuses to read it"
            remedy = f"if you trust it, run: git config --global --add safe.directory {place}"
            raise GitOwnershipError(f"{message}; {remedy}")
        raise GitError(on_one_line(text) or f"git ended with status {process.returncode}")
    return output


def foreign_repository(complaint: str) -> str:
    """Return the repository that git refuses because another user owns it, or ""."""
    found = _FOREIGN.search(complaint)
    return on_one_line(found[1]) if found else ""


@contextmanager
def started(
    arguments: tuple[str, ...],
    *,
    folder: Path,
    environment: Mapping[str, str],
    errors: int = subprocess.DEVNULL,
) -> Iterator["subprocess.Popen[bytes]"]:
    """Run git in its own process group, and kill what is left of the group at the end."""
    settings = [part for setting in _SETTINGS for part in ("-c", setting)]
    process = subprocess.Popen(
        [git_program(), "--no-pager", *settings, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        cwd=folder,
        env=dict(environment),
        start_new_session=True,
    )
    try:
        yield process
    finally:
        # git's helpers (ssh, git-remote-https) outlive a git that is killed or gives up. A group
        # keeps its number as long as it has a process, even after git has ended.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()
        process.wait()
