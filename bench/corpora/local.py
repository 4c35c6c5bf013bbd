"""A local folder as a source. Symbolic links are never followed."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.corpora.file_filter import FileFilter
from bench.corpora.sources import LocalSource
from bench.errors import SourceError
from retrievers.gitignore import (
    LONGEST_PATTERN,
    MOST_WILDCARD_BYTES,
    IgnorePatterns,
    pattern_lines,
)

_TOOL_FOLDERS = frozenset(
    name
    for line in """
    .git .hg .svn .bzr .jj CVS .venv .tox .nox .direnv node_modules __pycache__ .rankgrid
    .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .cache .gradle
    .terraform .ipynb_checkpoints .idea .eggs .yarn .next .nuxt .parcel-cache .turbo .svelte-kit
    """.splitlines()
    for name in line.split()
)
_IGNORE_BYTES = 1_000_000


@dataclass(frozen=True)
class _Ignored:
    """The .gitignore file of one folder."""

    folder: str
    patterns: IgnorePatterns

    def verdict(self, path: str, *, is_folder: bool) -> bool | None:
        """Return whether a path is ignored, or None if no pattern matches."""
        return self.patterns.verdict(path.removeprefix(self.folder), is_folder=is_folder)


Seen = list[tuple[str, os.stat_result]]
"""Visited paths, with the file status from before they were read."""


def read_local(source: LocalSource, file_filter: FileFilter, seen: Seen | None = None) -> None:
    """Pass the files of a folder to the file filter.

    Every path that decides on the set of files or their contents is added to `seen`.
    """
    root = Path(source.path).expanduser()
    if not root.is_dir():
        what = "is a file" if root.exists() else "does not exist"
        message = f"local source {source.path!r}: it {what}; give the path of a folder"
        raise SourceError(message)
    try:
        _walk(root, "", (), _Reading(file_filter, [] if seen is None else seen))
    except PermissionError as error:
        message = (
            f"local source {source.path!r}: {error.filename} may not be read; "
            "give this user the right to, or exclude it in .gitignore"
        )
        raise SourceError(message) from error


@dataclass(frozen=True)
class _Reading:
    """The file filter and the visited paths of one reading."""

    filter: FileFilter
    seen: Seen

    def see(self, root: Path, path: str) -> None:
        """Record the status of a path before it is read."""
        self.seen.append((path, os.lstat(root / path) if path else root.stat()))


def _walk(root: Path, folder: str, ignored: tuple[_Ignored, ...], reading: _Reading) -> None:
    file_filter = reading.filter
    reading.see(root, folder)
    ignored = (*_ignored_in(root, folder, reading), *ignored)
    # Each pattern is tried on each file below, so patterns of parent folders add up.
    if sum(one.patterns.wildcard_bytes for one in ignored) > MOST_WILDCARD_BYTES:
        fault = f"patterns with wildcards of more than {MOST_WILDCARD_BYTES:,} bytes in all"
        raise _unbounded(f"{ignored[0].folder}.gitignore", fault)
    for entry in _entries(root / folder):
        path = folder + entry.name
        if entry.is_symlink():
            file_filter.leave_out("link")
        elif entry.is_dir(follow_symlinks=False):
            rule = _rule_of_folder(entry, path, ignored)
            if rule:
                reading.see(root, path)  # the folder is entered once it stops being an environment
                file_filter.leave_out(rule)
            else:
                _walk(root, f"{path}/", ignored, reading)
        elif entry.name in _TOOL_FOLDERS:
            # The .git of a worktree is a file.
            file_filter.leave_out("tool_folder")
        elif _is_ignored(path, ignored, is_folder=False):
            file_filter.leave_out("ignored")
        else:
            reading.see(root, path)
            _read_file(entry, path, file_filter)


def _entries(folder: Path) -> Iterator[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        yield from sorted(entries, key=lambda entry: entry.name)


def _rule_of_folder(
    entry: os.DirEntry[str], path: str, ignored: tuple[_Ignored, ...]
) -> str | None:
    if entry.name in _TOOL_FOLDERS or (Path(entry.path) / "pyvenv.cfg").is_file():
        return "tool_folder"
    return "ignored" if _is_ignored(path, ignored, is_folder=True) else None


def _read_file(entry: os.DirEntry[str], path: str, file_filter: FileFilter) -> None:
    size = entry.stat(follow_symlinks=False).st_size
    if not entry.is_file(follow_symlinks=False):
        file_filter.leave_out("special")
    elif file_filter.wants(path, size):
        content = _content(Path(entry.path))
        if content is None:
            file_filter.leave_out("link")
        else:
            file_filter.add(path, content)


def _content(path: Path) -> bytes | None:
    """Return a regular file's bytes, or None if the path is no longer a regular file."""
    try:
        # The file may have been replaced by a link or a pipe, which must not be followed.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except PermissionError:
        raise
    except OSError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        return file.read() if stat.S_ISREG(os.fstat(descriptor).st_mode) else None


def _ignored_in(root: Path, folder: str, reading: _Reading) -> Iterator[_Ignored]:
    path = root / folder / ".gitignore"
    if path.is_symlink() or not path.is_file():
        return
    reading.see(root, f"{folder}.gitignore")
    if path.stat().st_size > _IGNORE_BYTES:
        raise _unbounded(f"{folder}.gitignore", f"more than {_IGNORE_BYTES:,} bytes")
    lines = pattern_lines(_content(path) or b"")
    if any(len(line) > LONGEST_PATTERN for line in lines if not line.startswith(b"#")):
        fault = f"a line of more than {LONGEST_PATTERN:,} bytes"
        raise _unbounded(f"{folder}.gitignore", fault)
    yield _Ignored(folder, IgnorePatterns(lines))


def _unbounded(file: str, fault: str) -> SourceError:
    """Return an error for a .gitignore file that could take hours to match."""
    return SourceError(f"local source: {file!r} has {fault}. Shorten or remove the file.")


def _is_ignored(path: str, ignored: tuple[_Ignored, ...], *, is_folder: bool) -> bool:
    """Return the verdict of the nearest .gitignore with a matching pattern."""
    verdicts = (nearest.verdict(path, is_folder=is_folder) for nearest in ignored)
    return next((verdict for verdict in verdicts if verdict is not None), False)
