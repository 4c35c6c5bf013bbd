"""Documents for `rankgrid show`: a file, a folder, or a part of a suite's repository."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bench.errors import UsageError, nearest

if TYPE_CHECKING:
    import argparse

    from bench.settings import RepositorySettings
    from retrievers.interface import Documents


@dataclass(frozen=True)
class Shown:
    """Documents to show, and whether they are a single file."""

    documents: "Documents"
    is_file: bool


def add_source(parser: "argparse.ArgumentParser") -> None:
    """Add the arguments that select the documents."""
    parser.add_argument("path", metavar="PATH", help="a file (its parts are listed) or a folder")
    parser.add_argument(
        "--suite", default="", help="the suite that PATH belongs to: quick, docs, a file, …"
    )
    parser.add_argument("--repository", default="", help="the repository of the suite")


def documents_of(found: "argparse.Namespace") -> Shown:
    """Return the documents that the arguments of `add_source` select."""
    if found.suite:
        return _of_suite(found.suite, found.repository, found.path)
    if found.repository:
        message = f"--repository {found.repository}: is one of a suite; add --suite NAME"
        raise UsageError(message)
    path = Path(found.path).expanduser()
    return Shown(_on_disk(path), path.is_file())


def _of_suite(suite: str, repository: str, path: str) -> Shown:
    """Return a file or a folder of the suite's pinned source."""
    from bench.authoring.opening import find_suite
    from bench.corpora import AnyCommit, read_source
    from bench.queries import CorpusFolder
    from retrievers.interface import Documents

    opened = find_suite(Path(suite))
    if opened is None:
        message = f"--suite {suite}: no such suite; give quick, docs, … or a suite's file"
        raise UsageError(message)
    chosen = _chosen(opened.repositories, repository)
    if isinstance(chosen.source, CorpusFolder | AnyCommit):
        message = f"--suite {suite}: {chosen.name} has no pinned source; give a folder of it"
        raise UsageError(message)
    found = read_source(chosen.source, files=chosen.files).documents
    folder = path.strip("/").removeprefix("./").rstrip("/")
    wanted = [
        (name, found.text(place))
        for name, place in found.places.items()
        if folder in (".", "", name) or name.startswith(f"{folder}/")
    ]
    if not wanted:
        message = f"{path}: not in {chosen.name} of {suite}; {nearest(path, found.paths)}"
        raise UsageError(message)
    return Shown(Documents.of(wanted), folder in found.places)


def _chosen(repositories: "tuple[RepositorySettings, ...]", wanted: str) -> "RepositorySettings":
    names = {one.name: one for one in repositories}
    if not wanted and len(names) == 1:
        return repositories[0]
    if wanted not in names:
        message = f"--repository {wanted or '(none)'}: the suite has {', '.join(names)}"
        raise UsageError(message)
    return names[wanted]


def _on_disk(path: Path) -> "Documents":
    """Return a file, even one that the rules exclude from a folder, or the files of a folder."""
    from bench.corpora import LocalSource, read_source
    from bench.corpora.text import decode
    from retrievers.interface import Documents

    if not path.exists():
        message = f"{path}: there is no such file or folder; check the path"
        raise UsageError(message)
    if not path.is_file():
        return read_source(LocalSource(str(path))).documents
    content = path.read_bytes()
    text = decode(content, is_python=path.suffix in (".py", ".pyi"))
    if text is None or b"\0" in content:
        message = f"{path}: is not a text file, so there is nothing to cut; pass a text file"
        raise UsageError(message)
    inside = not path.is_absolute() and ".." not in path.parts
    return Documents.of([(path.as_posix() if inside else path.name, text)])
