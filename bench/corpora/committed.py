"""A local folder at a commit of its git repository, read without a checkout."""

from dataclasses import dataclass
from pathlib import Path

from bench.corpora.gitcall import output_in
from bench.corpora.names import leaves_its_tree
from bench.corpora.sources import GitSource
from bench.errors import GitError, GitOwnershipError, SourceError, UsageError


@dataclass(frozen=True)
class CommittedFolder:
    """A folder at a commit. Its identity is its content, so that it shares work with the
    folder."""

    source: GitSource
    own: tuple[Path, ...] = ()
    """Current files that are excluded from the folder."""


def committed_folder(folder: Path, revision: str, *, own: tuple[Path, ...]) -> CommittedFolder:
    """Return a folder at a revision of its git repository."""
    top = repository_of(folder)
    inside = folder.resolve().relative_to(top).as_posix()
    source = GitSource(str(top), commit_of(top, revision), "" if inside == "." else inside)
    return CommittedFolder(source, own)


def repository_of(folder: Path) -> Path:
    """Return the top folder of the git repository around a folder."""
    try:
        top = output_in(folder, "rev-parse", "--show-toplevel")
    except GitOwnershipError:
        raise
    except GitError as error:
        message = f"{folder}: is not in a git repository ({error.message})"
        raise SourceError(f"{message}. Use a results file as the baseline.") from error
    return Path(top.decode("utf-8", "surrogateescape").rstrip("\n")).resolve()


def commit_of(top: Path, revision: str) -> str:
    """Return the full hash of a revision's commit."""
    if not revision or revision.startswith("-"):
        raise UsageError(f"{revision!r} is not a revision of git")
    try:
        found = output_in(top, "rev-parse", "--verify", "--end-of-options", revision + "^{commit}")
    except GitOwnershipError:
        raise
    except GitError as error:
        message = f"{revision} is not a commit that {top} has. Fetch it, or use another revision"
        raise UsageError(f"{message} (in a GitHub workflow: fetch-depth: 0).") from error
    return found.decode("ascii").strip()


def write_committed(file: Path, revision: str, folder: Path) -> Path | None:
    """Write a file or a folder of a revision into `folder`.

    Return its path, or None if the repository does not have it at that revision.
    """
    try:
        top = repository_of(file.parent)
        commit = commit_of(top, revision)
    except (SourceError, UsageError):
        return None
    inside = file.resolve().relative_to(top).as_posix()
    listing = output_in(top, "ls-tree", "-r", "-z", "--name-only", "--full-tree", commit, inside)
    names = [name.decode("utf-8", "surrogateescape") for name in listing.split(b"\0") if name]
    for name in names:
        if leaves_its_tree(name):
            raise SourceError(f"{name[:200]!r} in {top} leaves its folder; it was refused")
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(output_in(top, "cat-file", "blob", f"{commit}:{name}"))
    return folder / inside if names else None
