"""Whether the name of a file stays within the tree that it is said to be in."""

import re
from collections.abc import Iterable
from pathlib import PurePosixPath

_DRIVE = re.compile(r"[A-Za-z]:")


def leaves_its_tree(name: str) -> bool:
    """Whether a name is absolute, climbs out with `..`, names a drive or has a NUL."""
    forward = name.replace("\\", "/")
    if "\0" in name or forward.startswith("/") or _DRIVE.match(forward):
        return True
    return ".." in forward.split("/")


def normal(name: str) -> str:
    """Return a name without `.` parts and doubled slashes."""
    return str(PurePosixPath(name))


def shared_folder(names: Iterable[str]) -> str:
    """Return the top folder that all files are in, with its slash; nothing if there is none."""
    tops = {top + slash for top, slash, _ in (name.partition("/") for name in names)}
    return tops.pop() if len(tops) == 1 and next(iter(tops)).endswith("/") else ""
