"""What a format of queries is: how it is recognised, read and written.

A format is recognised by its content. What has to be looked at differs: a file or folder as it
lies there, one document of YAML or JSON, or one record of JSON Lines or of a table.
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
    """Queries that are to be written, and the documents that they are asked of."""

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The queries."""

    @property
    def documents(self) -> Documents:
        """The documents; an error if the queries are asked of several commits."""


Write = Callable[[QuerySet, Path], None]


@dataclass(frozen=True)
class Format:
    """A format that is only written, unless it is one of the kinds below."""

    name: str
    write: Write | None = None
    suffix: str = ""
    """Of the file that is written; blank if that is a folder."""
    found_as: tuple[str, ...] = ()
    """Suffixes of the files that are read where a folder of queries is given."""
    is_half: bool = False
    """Whether it holds only what is asked or only what is right, so that it is not read alone."""


@dataclass(frozen=True, kw_only=True)
class PathFormat(Format):
    """A format of whole files or folders."""

    sniff: Callable[[Path], bool]
    read: Callable[[Path, Faults | None], tuple[Entry, ...]]
    documents: Callable[[Path], Documents] | None = None
    """Reads the documents, if a folder of this format brings its own."""


@dataclass(frozen=True, kw_only=True)
class DocumentFormat(Format):
    """A format of one mapping in YAML or JSON."""

    sniff: Callable[[Located], bool]
    read: Callable[[Located, Faults | None], tuple[Entry, ...]]


@dataclass(frozen=True, kw_only=True)
class RecordFormat(Format):
    """A format of one query a record, in JSON Lines and in tables."""

    sniff: Callable[[Located], bool]
    read: Callable[[Located, ChunkMap | None], Entry]


Formats = Sequence[Format]


def written_formats(formats: Formats) -> tuple[str, ...]:
    """Return the names of the formats that can be written."""
    return tuple(one.name for one in formats if one.write)


def written_format(name: str, formats: Formats) -> tuple[Format, Write]:
    """Return a format that can be written, with what writes it."""
    for one in formats:
        if one.name == name and one.write:
            return one, one.write
    message = f"--format {name}: no such format; {nearest(name, written_formats(formats))}"
    raise UsageError(message)


def as_text(write: Callable[[Iterable[Entry]], str]) -> Write:
    """Return what writes queries as a text file."""

    def written(queries: QuerySet, path: Path) -> None:
        path.write_text(write(queries.entries), encoding="utf-8", newline="")

    return written


def judged(queries: QuerySet) -> tuple[tuple[Query, ...], Judgements]:
    """Return the queries with what is right, for formats that only know whole documents."""
    asked = tuple(one.query for one in queries.entries)
    return asked, resolve(asked, queries.documents, find_symbols(queries.documents))
