"""What module rules work on, and what they answer."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from retrievers.interface import Documents
from retrievers.source.edges.names import Names
from retrievers.source.edges.values import Value

_LONGEST = 200_000
"""Bytes of a file that declares a package."""


@dataclass(frozen=True, slots=True)
class Tree:
    """The files of a repository that are in one family of languages, and the others."""

    documents: Documents
    names: Names
    packages: Mapping[int, str]
    """The package that each document says it is in."""
    held: Sequence[int]
    """The documents of the family."""

    def files(self, name: str) -> Iterator[tuple[str, str]]:
        """Return path and text of the files of a name, in any folder."""
        return files_named(self.documents, name)


def files_named(documents: Documents, name: str) -> Iterator[tuple[str, str]]:
    """Return path and text of the files of a name, in any folder; huge ones are left out."""
    for document, path in enumerate(documents.paths):
        is_named = path == name or path.endswith(f"/{name}")
        if is_named and documents.size(document) <= _LONGEST:
            yield path, documents.source(document).decode("utf-8-sig", "replace")


class Modules(Protocol):
    """How a language finds modules."""

    def find(self, document: int, module: str) -> Value | None:
        """Return what a document means by a module's name, or None if it is not here."""
        ...

    def inside(self, value: Value, name: str) -> Value | None:
        """Return what a module holds that is not a definition at the top of a file."""
        ...

    def local(self, module: str) -> tuple[str, str]:
        """Return the name that importing a module gives it, and the module it then means."""
        ...
