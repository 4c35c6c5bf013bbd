"""Interface of formats of queries: detection, reading and writing.

Formats are detected from content. Depending on the format, that content is a file or folder, one
document of YAML or JSON, or one record of JSON Lines or of a table.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from bench.errors import UsageError, nearest
from bench.queries.building import Entry, Faults
from bench.queries.chunk_map import ChunkMap
from bench.queries.located import Located
from bench.queries.query import Query
from bench.queries.resolution import resolve
from bench.queries.resolved import Judgements
from retrievers.interface import Documents
from retrievers.source import find_symbols


class QuerySet(Protocol):
    """Queries to write, and the documents that they refer to."""

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The queries."""

    @property
    def documents(self) -> Documents:
        """The documents; an error if the queries refer to several commits."""


Write = Callable[[QuerySet, Path], None]


@dataclass(frozen=True)
class Format:
    """A format. The subclasses add reading; this class alone can only be written."""

    name: str
    write: Write | None = None
    suffix: str = ""
    """Suffix of the written file; "" if a folder is written."""
    found_as: tuple[str, ...] = ()
    """Suffixes of the files to read in a folder of queries."""
    is_half: bool = False
    """Whether the format has only questions or only judgements, so it cannot be read alone."""


@dataclass(frozen=True, kw_only=True)
class PathFormat(Format):
    """A format of whole files or folders."""

    sniff: Callable[[Path], bool]
    read: Callable[[Path, Faults | None], tuple[Entry, ...]]
    documents: Callable[[Path], Documents] | None = None
    """Function that reads the documents, if folders of this format contain them."""


@dataclass(frozen=True, kw_only=True)
class DocumentFormat(Format):
    """A format with a single mapping in YAML or JSON."""

    sniff: Callable[[Located], bool]
    read: Callable[[Located, Faults | None], tuple[Entry, ...]]


@dataclass(frozen=True, kw_only=True)
class RecordFormat(Format):
    """A format with one query per record, in JSON Lines and in tables."""

    sniff: Callable[[Located], bool]
    read: Callable[[Located, ChunkMap | None], Entry]


Formats = Sequence[Format]


def written_formats(formats: Formats) -> tuple[str, ...]:
    """Return the names of the formats that can be written."""
    return tuple(one.name for one in formats if one.write)


def written_format(name: str, formats: Formats) -> tuple[Format, Write]:
    """Return a format by name, with its function for writing."""
    for one in formats:
        if one.name == name and one.write:
            return one, one.write
    message = f"--format {name}: no such format; {nearest(name, written_formats(formats))}"
    raise UsageError(message)


def as_text(write: Callable[[Iterable[Entry]], str]) -> Write:
    """Return a function that writes queries as a text file."""

    def written(queries: QuerySet, path: Path) -> None:
        path.write_text(write(queries.entries), encoding="utf-8", newline="")

    return written


def judged(queries: QuerySet) -> tuple[tuple[Query, ...], Judgements]:
    """Return queries and judgements, for formats that only support whole documents."""
    asked = tuple(one.query for one in queries.entries)
    return asked, resolve(asked, queries.documents, find_symbols(queries.documents))
