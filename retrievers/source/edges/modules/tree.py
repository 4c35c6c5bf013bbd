"""Input and interface of the module rules."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from retrievers.interface import Documents
from retrievers.source.edges.names import Names
from retrievers.source.edges.values import Value

_LONGEST = 200_000
"""Maximum size of a manifest in bytes."""


@dataclass(frozen=True, slots=True)
class Tree:
    """The documents of a repository and the part in one language family."""

    documents: Documents
    names: Names
    packages: Mapping[int, str]
    """The declared package of each document."""
    held: Sequence[int]
    """The documents of the family."""

    def files(self, name: str) -> Iterator[tuple[str, str]]:
        """Yield path and text of the files with a name, in any folder."""
        return files_named(self.documents, name)


def files_named(documents: Documents, name: str) -> Iterator[tuple[str, str]]:
    """Yield path and text of the files with a name, in any folder, without huge files."""
    for document, path in enumerate(documents.paths):
        is_named = path == name or path.endswith(f"/{name}")
        if is_named and documents.size(document) <= _LONGEST:
            yield path, documents.source(document).decode("utf-8-sig", "replace")


class Modules(Protocol):
    """The rules of a language that resolve modules."""

    def find(self, document: int, module: str) -> Value | None:
        """Return the module with a name in an import of a document, or None if it is external."""
        ...

    def inside(self, value: Value, name: str) -> Value | None:
        """Return a submodule of a module, or a member of a package."""
        ...

    def local(self, module: str) -> tuple[str, str]:
        """Return the local name of an imported module, and the module that it refers to."""
        ...
