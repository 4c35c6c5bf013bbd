"""How long ago each file of a repository was changed, as its git history says.

Days are counted back from the last commit, not from now: the same history gives the same days.
Nothing that the folder configures is executed, and nothing is fetched.
"""

import os
import re
import subprocess
from pathlib import Path

from bench.corpora.addresses import redacted
from bench.corpora.git import fetch_commit
from bench.corpora.repository import CHECK, FETCH_SECONDS, open_repository
from bench.corpora.sources import GitSource
from bench.errors import SourceError

_DAY = 86_400
_SECONDS = 60
_COMMITS = 5000
_SAFE = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "log.showSignature=false",
)
_OFFLINE = {
    # A folder may say that its objects are to be fetched by a command of its choice, and allow
    # that in its own settings, which weigh more than ours; the variable weighs more than they.
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "LC_ALL": "C",
}
_LOG = (
    *("log", "-z", "--name-only", "--format=%x01%ct", f"--max-count={_COMMITS}"),
    *("--no-renames", "--no-ext-diff", "--no-show-signature"),
)
_TIME = re.compile("\x01(-?[0-9]{1,19})")


def changed_days(folder: Path) -> dict[str, float]:
    """Return the days since each file was last changed; a file without a commit is missing."""
    return _days(_said(folder, *_LOG, "--relative", "--", "."))


def changed_days_at(source: GitSource) -> dict[str, float]:
    """Return the same of one commit of a repository."""
    name = f"git history of {redacted(source.url)} at {source.commit[:12]}"
    within = (f"--relative={source.folder}", "--", source.folder) if source.folder else ()
    with open_repository(source.url, name, seconds=FETCH_SECONDS) as repository:
        fetch_commit(repository, source.commit, depth=_COMMITS)
        status, output = repository.output((*_LOG, source.commit, *within))
    if status:
        raise SourceError(f"{name}: it cannot be read; {CHECK}, or set commit_recency to 0")
    return _days(output)


def head_of(folder: Path) -> str:
    """Return the commit that a folder's files are compared with."""
    return _said(folder, "rev-parse", "HEAD").decode("ascii").strip()


def _days(log: bytes) -> dict[str, float]:
    days: dict[str, float] = {}
    latest = time = 0
    for name in log.decode("utf-8", "surrogateescape").split("\0"):
        text = name.strip("\n")
        stamp = _TIME.fullmatch(text)
        if stamp:
            time = int(stamp[1])
            latest = latest or time
        elif text:
            days.setdefault(text, max(latest - time, 0) / _DAY)
    return days


def _said(folder: Path, *arguments: str) -> bytes:
    settings = [part for setting in _SAFE for part in ("-c", setting)]
    command = ["git", "-C", str(folder), "--no-pager"]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        found = subprocess.run(
            [*command, *settings, *arguments],
            env={**kept, **_OFFLINE},
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        message = f"{folder}: its git history cannot be read ({error}); set commit_recency to 0"
        raise SourceError(message) from error
    if found.returncode:
        said = " ".join(found.stderr.decode("utf-8", "replace").split())
        message = f"{folder}: its git history cannot be read ({said}); set commit_recency to 0"
        raise SourceError(message)
    return found.stdout
