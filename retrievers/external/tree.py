"""A temporary folder with a repository's documents, for an engine.

The paths come from an untrusted repository. No file leaves the folder, no file is executable, and
`.git` is not written, so that no tool reads settings from there.
"""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from retrievers.errors import ExternalError
from retrievers.interface import Documents

_SHOWN = 120


@dataclass(frozen=True)
class Scratch:
    """The tree, and an empty working folder next to it."""

    root: Path
    work: Path
    """Programs start here, since Python and others load files from the current folder."""


@contextmanager
def laid_out(documents: Documents) -> Iterator[Scratch]:
    """Yield a private folder with the documents as files, and remove it afterwards."""
    with tempfile.TemporaryDirectory(prefix="rankgrid-", ignore_cleanup_errors=True) as name:
        place = Path(name).resolve()
        scratch = Scratch(place / "tree", place / "work")
        scratch.root.mkdir()
        scratch.work.mkdir()
        for document, path in enumerate(documents.paths):
            _write(scratch.root, path, documents.source(document))
        yield scratch


def _write(root: Path, path: str, content: bytes) -> None:
    written = PurePosixPath(path)
    if not path or written.is_absolute() or ".." in written.parts or "\0" in path:
        raise ExternalError(f"file {path[:_SHOWN]!r} cannot be laid out: it leaves the folder")
    if any(part.lower() == ".git" for part in written.parts):
        return
    place = root.joinpath(*written.parts)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("xb") as file:
            file.write(content)
    except (OSError, ValueError) as error:
        message = f"file {path[:_SHOWN]!r} cannot be laid out ({error.__class__.__name__})"
        raise ExternalError(message) from error
