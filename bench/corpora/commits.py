"""Sources at the commits that queries name."""

from dataclasses import dataclass, replace
from pathlib import Path

from bench.corpora.addresses import fault_of_git_address, redacted
from bench.corpora.sources import GitSource, LocalSource, Source
from bench.errors import SettingError, SourceError


@dataclass(frozen=True)
class AnyCommit:
    """A git repository in which each query names its commit."""

    url: str

    def __post_init__(self) -> None:
        """Refuse an address that is not one of git."""
        fault = fault_of_git_address(self.url)
        if fault:
            raise SettingError(f"repository: {fault}")


def at_commit(source: Source | AnyCommit, commit: str, *, is_only: bool = True) -> Source:
    """Return a source as it is at the commit that its queries name, blank if they name none.

    What is not known to be a repository of git is taken to be a checkout of that commit, if it
    is the only one.
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
    """Whether a folder is a repository of git, bare or with a working tree."""
    is_bare = (folder / "HEAD").is_file() and (folder / "objects").is_dir()
    return is_bare or (folder / ".git").exists()
