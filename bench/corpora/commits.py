"""Sources at commits from the queries."""

from dataclasses import dataclass, replace
from pathlib import Path

from bench.corpora.addresses import fault_of_git_address, redacted
from bench.corpora.sources import GitSource, LocalSource, Source
from bench.errors import SettingError, SourceError


@dataclass(frozen=True)
class AnyCommit:
    """A git repository whose commit is named by each query."""

    url: str

    def __post_init__(self) -> None:
        """Refuse an invalid git address."""
        fault = fault_of_git_address(self.url)
        if fault:
            raise SettingError(f"repository: {fault}")


def at_commit(source: Source | AnyCommit, commit: str, *, is_only: bool = True) -> Source:
    """Return a source at the commit of its queries; blank if they name none.

    A source that is not a git repository is taken for a checkout of that commit, but only if all
    queries name the same commit.
    """
    match source:
        case AnyCommit(url):
            if commit:
                return GitSource(url, commit)
            message = f"{redacted(url)}: some queries name no commit; pin it: URL@COMMIT"
            raise SourceError(message)
        case GitSource() if commit:
            return replace(source, commit=commit)
        case LocalSource() if commit and is_repository(Path(source.path)):
            return GitSource(source.path, commit)
        case _ if commit and not is_only:
            message = "the queries are asked of several commits; give a git repository"
            raise SourceError(message)
    return source


def is_repository(folder: Path) -> bool:
    """Return True for a git repository, bare or with a working tree."""
    is_bare = (folder / "HEAD").is_file() and (folder / "objects").is_dir()
    return is_bare or (folder / ".git").exists()
