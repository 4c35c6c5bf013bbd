"""How long ago each file of a folder was changed, as its git history says.

Days are counted back from the last commit, not from now: the same history gives the same days.
Nothing that the folder configures is executed, and nothing is fetched.
"""

import os
import re
import subprocess
from pathlib import Path

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
_TIME = re.compile("\x01(-?[0-9]{1,19})")


def changed_days(folder: Path) -> dict[str, float]:
    """Return the days since each file was last changed; a file without a commit is missing."""
    names = _log(folder).split("\0")
    days: dict[str, float] = {}
    latest = time = 0
    for name in names:
        text = name.strip("\n")
        stamp = _TIME.fullmatch(text)
        if stamp:
            time = int(stamp[1])
            latest = latest or time
        elif text:
            days.setdefault(text, max(latest - time, 0) / _DAY)
    return days


def _log(folder: Path) -> str:
    settings = [part for setting in _SAFE for part in ("-c", setting)]
    command = ["git", "-C", str(folder), "--no-pager", *settings, "log", "-z", "--name-only"]
    limits = [f"--max-count={_COMMITS}", "--no-renames", "--no-ext-diff", "--relative"]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        found = subprocess.run(
            [*command, *limits, "--format=%x01%ct", "--", "."],
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
    return found.stdout.decode("utf-8", "surrogateescape")
