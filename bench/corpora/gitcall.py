"""The one way in which rankgrid calls git: nothing that a repository configures is executed.

A `.git/config` can name programs for nearly everything that git does: a file monitor, hooks, a
pager, transports, credential and signature helpers. It may come from a stranger, together with
the repository. Settings on git's command line override those of every file, and the environment
overrides both for transports, so each call here carries both.

`output_in` reads a repository of the user, offline. `started` runs any other command, with the
variables that `variables` returns.
"""

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from bench.corpora.addresses import on_one_line
from bench.errors import GitError, GitOwnershipError

SECONDS = 60.0
"""How long a command that reads a local repository may take."""
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
    # A partial clone fetches missing objects on demand, with the command of the repository's
    # choice. Not every version of git knows the first variable; the caller names the transports
    # of the second, which holds in all versions.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_LFS_SKIP_SMUDGE": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "LC_ALL": "C",
}
_FOREIGN = re.compile(r"dubious ownership in repository at '([^']+)'")


def git_program() -> str:
    """Return the path of the program."""
    program = shutil.which("git")
    if program is None:
        raise GitError("the program git is not installed; install it")
    return program


def variables(*, kept: tuple[str, ...] = (), **more: str) -> dict[str, str]:
    """Return this process's environment, with `more` and without what steers git elsewhere.

    A variable such as GIT_DIR is set when git itself runs us, in a hook, and would redirect every
    call. Only those in `kept` survive.
    """
    own = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name in kept
    }
    return {**own, **_VARIABLES, **more}


def output_in(folder: Path, *arguments: str, seconds: float = SECONDS) -> bytes:
    """Return what a command prints in a folder of the user's; it can reach no other machine."""
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
    """Return the repository that git refuses because another user owns it, or nothing."""
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
    """Run git in a process group of its own; nothing of the group is left at the end."""
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
        # git's helpers (ssh, git-remote-https) outlive git itself when it alone is ended.
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()
        process.wait()
