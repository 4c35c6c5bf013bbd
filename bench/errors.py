"""Everything that can go wrong, as one tree.

RankgridError            an error with a message meant for a person
├── UsageError           what was asked cannot be done as asked (exit 2, nothing started)
│   └── SettingError     a setting has a name or a value that is not allowed
├── FixtureError         a file of queries or judgements is wrong
├── SourceError          a repository could not be read
│   ├── UnreachableError the place that holds it did not answer, or does not have it
│   ├── GitError         git cannot read a repository
│   │   └── GitOwnershipError  another user owns it, and git refuses
│   ├── HashMismatchError  what came is not what was pinned
│   └── UnsafeArchiveError an archive tried to leave its folder, or to fill the disk
├── OutputError          a file or a folder could not be written
├── ArtifactError        a value cannot be stored, or a stored one cannot be used
├── EngineError          a model, a vector engine or an external engine failed
├── ExecutionError       the machinery that runs stages failed
└── TrackingError        the tracking server did not take the results

Every error takes one message, so that it survives the way back from a worker.
"""

from collections.abc import Iterable

from bench.near_names import close_names
from bench.printable import one_line

_LISTED = 20
"""As many names fit a line; of more only the near ones are named."""


class RankgridError(Exception):
    """An error whose message says what was asked, what is wrong and what to do."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class UsageError(RankgridError):
    """What was asked cannot be done as asked."""


class SettingError(UsageError):
    """A setting has a name or a value that is not allowed."""


class FixtureError(RankgridError):
    """A file of queries or judgements is wrong."""


class SourceError(RankgridError):
    """A repository could not be read."""


class UnreachableError(SourceError):
    """The place that holds a repository did not answer, or does not have it."""


class GitError(SourceError):
    """Git cannot read a repository."""


class GitOwnershipError(GitError):
    """Another user owns a repository, and git refuses to read it."""


class HashMismatchError(SourceError):
    """What came is not what was pinned."""


class UnsafeArchiveError(SourceError):
    """An archive tried to leave its folder, or to fill the disk."""


class OutputError(RankgridError):
    """A file or a folder could not be written."""


class ArtifactError(RankgridError):
    """A value cannot be stored, or a stored one cannot be used."""


class EngineError(RankgridError):
    """A model, a vector engine or an external engine failed."""


class ExecutionError(RankgridError):
    """The machinery that runs stages failed."""


class TrackingError(RankgridError):
    """The tracking server did not take the results."""


def lines_of(error: Exception) -> list[str]:
    """Return what is shown of an error: its first line, and a line for each wrong query."""
    if isinstance(error, RankgridError) and not isinstance(error, FixtureError):
        return [one_line(error.message) or repr(error)]
    lines = [one_line(line) for line in str(error).splitlines() if line.strip()]
    lines = lines or [one_line(repr(error))]
    return lines if isinstance(error, FixtureError) else lines[:1]


def nearest(name: str, known: Iterable[str], *, page: str = "") -> str:
    """Return a remedy for a name that is not known: near ones, and all of them if they are few.

    `page` is the command that lists them if they are many.
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
