"""The tree of errors.

RankgridError            an error with a message for users
├── UsageError           an invalid request (exit 2, nothing started)
│   └── SettingError     a setting with an invalid name or value
├── FixtureError         an error in a file of queries or judgements
├── SourceError          a repository could not be read
│   ├── UnreachableError its server did not answer, or does not have it
│   ├── GitError         git cannot read a repository
│   │   └── GitOwnershipError  another user owns it, and git refuses
│   ├── HashMismatchError  a download differs from its pinned hash
│   └── UnsafeArchiveError an archive tried to leave its folder, or to fill the disk
├── OutputError          a file or a folder could not be written
├── ArtifactError        a value cannot be stored, or a stored value cannot be used
├── EngineError          a model, a vector engine or an external engine failed
├── ExecutionError       the execution of stages failed
└── TrackingError        the tracking server did not accept the results

Every error takes exactly one message, so that workers can pickle it.
"""

from collections.abc import Iterable

from bench.near_names import close_names
from bench.printable import one_line

_LISTED = 20
"""Number of names that fit on a line. From longer lists only near names are shown."""


class RankgridError(Exception):
    """An error whose message names the request, the problem and the remedy."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class UsageError(RankgridError):
    """An invalid request."""


class SettingError(UsageError):
    """A setting with an invalid name or value."""


class FixtureError(RankgridError):
    """An error in a file of queries or judgements."""


class SourceError(RankgridError):
    """A repository could not be read."""


class UnreachableError(SourceError):
    """The server of a repository did not answer, or does not have it."""


class GitError(SourceError):
    """Git cannot read a repository."""


class GitOwnershipError(GitError):
    """Another user owns a repository, and git refuses to read it."""


class HashMismatchError(SourceError):
    """A download differs from its pinned hash."""


class UnsafeArchiveError(SourceError):
    """An archive tried to leave its folder, or to fill the disk."""


class OutputError(RankgridError):
    """A file or a folder could not be written."""


class ArtifactError(RankgridError):
    """A value cannot be stored, or a stored value cannot be used."""


class EngineError(RankgridError):
    """A model, a vector engine or an external engine failed."""


class ExecutionError(RankgridError):
    """The execution of stages failed."""


class TrackingError(RankgridError):
    """The tracking server did not accept the results."""


def lines_of(error: Exception) -> list[str]:
    """Return the lines shown for an error: its first line, and a line for each invalid query."""
    if isinstance(error, RankgridError) and not isinstance(error, FixtureError):
        return [one_line(error.message) or repr(error)]
    lines = [one_line(line) for line in str(error).splitlines() if line.strip()]
    lines = lines or [one_line(repr(error))]
    return lines if isinstance(error, FixtureError) else lines[:1]


def nearest(name: str, known: Iterable[str], *, page: str = "") -> str:
    """Return a remedy for an unknown name: near names, or all names if there are few.

    `page` is the command that lists all names.
    """
    names = sorted(str(item) for item in known)
    near = close_names(name, names)
    listed = f"here are {', '.join(names)}"
    if near:
        meant = f"did you mean {' or '.join(near)}?"
        return f"{meant} T{listed}" if len(near) < len(names) <= _LISTED else meant
    if len(names) > _LISTED and page:
        return f"{page} lists all"
    return f"t{listed}" if names else "there are none"
