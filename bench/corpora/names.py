"""Checks and normalization of file names in archives and repositories."""

import re
from collections.abc import Iterable
from pathlib import PurePosixPath

_DRIVE = re.compile(r"[A-Za-z]:")


def leaves_its_tree(name: str) -> bool:
    """Return True if a name is absolute, contains `..`, names a drive or has a NUL."""
    forward = name.replace("\\", "/")
    if "\0" in name or forward.startswith("/") or _DRIVE.match(forward):
        return True
    return ".." in forward.split("/")


def normal(name: str) -> str:
    """Return a name without `.` parts and duplicate slashes."""
    return str(PurePosixPath(name))


def shared_folder(names: Iterable[str]) -> str:
    """Return the common top folder of all files with its slash, or ""."""
    tops = {top + slash for top, slash, _ in (name.partition("/") for name in names)}
    return tops.pop() if len(tops) == 1 and next(iter(tops)).endswith("/") else ""
