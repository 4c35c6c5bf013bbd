"""Documents of pinned sources: the entry point for the rest of rankgrid."""

import hashlib

from bench.corpora.file_choice import EVERY_FILE, FileChoice
from bench.corpora.file_filter import Checkout, FileFilter
from bench.corpora.git import read_git
from bench.corpora.indexes import Indexes, configured_indexes
from bench.corpora.local import Seen, read_local
from bench.corpora.npm import configured_registry, read_npm
from bench.corpora.pypi import read_pypi
from bench.corpora.repository import FETCH_SECONDS
from bench.corpora.sources import (
    GitSource,
    LocalSource,
    NpmSource,
    PypiSource,
    Source,
    fault_of,
)
from bench.errors import SourceError
from retrievers.interface import Documents


def read_source(  # noqa: PLR0913 - a source, what is wanted of it, and where packages come from
    source: Source,
    *,
    exclude: tuple[str, ...] = (),
    files: FileChoice = EVERY_FILE,
    indexes: Indexes | None = None,
    registry: str = "",
    seconds: float = FETCH_SECONDS,
    before: Documents | None = None,
) -> Checkout:
    """Return the documents of a source: the same source gives the same bytes.

    `exclude` leaves out more files, by patterns of gitignore. `files` is the user's choice among
    the rest. `indexes` and `registry` are the sources of packages; by default, the configuration
    of pip and npm. `seconds` is the time limit of each git command. Files of a commit that are
    documents of `before` are not read again.
    """
    fault = fault_of(source)
    if fault:
        raise SourceError(f"{type(source).__name__}.{fault}")
    file_filter = FileFilter(exclude, files)
    match source:
        case LocalSource():
            read_local(source, file_filter)
        case GitSource():
            read_git(source, file_filter, seconds=seconds, before=before)
        case PypiSource():
            read_pypi(source, file_filter, indexes or configured_indexes())
        case NpmSource():
            read_npm(source, file_filter, registry or configured_registry(source.package))
    return file_filter.checkout()


def read_folder(source: LocalSource, seen: Seen) -> Checkout:
    """Return the documents of a folder, and record in `seen` everything that they depend on."""
    file_filter = FileFilter()
    read_local(source, file_filter, seen)
    return file_filter.checkout()


def content_digest(documents: Documents) -> str:
    """Return the sha256 of paths, sizes and bytes: the identity of a local tree."""
    whole = hashlib.sha256()
    for number, path in enumerate(documents.paths):
        name = path.encode("utf-8", "surrogatepass")
        whole.update(len(name).to_bytes(8, "little") + name)
        whole.update(documents.size(number).to_bytes(8, "little"))
    whole.update(documents.content.tobytes())
    return whole.hexdigest()
