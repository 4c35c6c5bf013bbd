"""Days since the last change of each file of a repository, from its git history.

Days are counted back from the last commit, so that the same history gives the same days. No
command from the folder's configuration runs, and nothing is fetched.
"""

import re
from pathlib import Path

from bench.corpora.addresses import redacted
from bench.corpora.git import fetch_commit
from bench.corpora.gitcall import output_in
from bench.corpora.repository import CHECK, FETCH_SECONDS, open_repository
from bench.corpora.sources import GitSource
from bench.errors import GitError, GitOwnershipError, SourceError

_DAY = 86_400
_COMMITS = 5000
_LOG = (
    *("log", "-z", "--name-only", "--format=%x01%ct", f"--max-count={_COMMITS}"),
    *("--no-renames", "--no-ext-diff", "--no-textconv", "--no-show-signature"),
)
_TIME = re.compile("\x01(-?[0-9]{1,19})")


def changed_days(folder: Path) -> dict[str, float]:
    """Return the days since the last change of each committed file."""
    return _days(_said(folder, *_LOG, "--relative", "--", "."))


def changed_days_at(source: GitSource) -> dict[str, float]:
    """Return the days since the last change of each file at a commit of a repository."""
    name = f"git history of {redacted(source.url)} at {source.commit[:12]}"
    within = (f"--relative={source.folder}", "--", source.folder) if source.folder else ()
    with open_repository(source.url, name, seconds=FETCH_SECONDS) as repository:
        fetch_commit(repository, source.commit, depth=_COMMITS)
        status, output = repository.output((*_LOG, source.commit, *within))
    if status:
        raise SourceError(f"{name}: it cannot be read; {CHECK}, or set commit_recency to 0")
    return _days(output)


def head_of(folder: Path) -> str:
    """Return the commit at HEAD."""
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
    try:
        return output_in(folder, *arguments)
    except GitOwnershipError as error:
        raise SourceError(f"{folder}: {error.message}") from error
    except GitError as error:
        message = f"{folder}: its git history cannot be read ({error.message})"
        raise SourceError(f"{message}; set commit_recency to 0") from error
