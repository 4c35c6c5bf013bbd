"""The graph of a folder on this machine, opened from what the store keeps of the folder.

Nothing is imported here that only making a graph needs: a question to a folder that has not
changed since the last one takes less time than those imports.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from bench.cli.folder_state import Address, remembered
from bench.engine import ArtifactStore, Record
from bench.errors import ArtifactError
from retrievers.graph import CodeGraph, Graph, OpenGraph, RepositoryGraph
from retrievers.graph.seeding import Vocabulary
from retrievers.interface import DOCUMENTS, Derived, Documents, Input, ReadInput

T = TypeVar("T")


@dataclass(frozen=True)
class FolderGraph:
    """A folder as it is now, and what its graph is opened from."""

    settings: Graph
    read: ReadInput

    @classmethod
    def of(cls, folder: str, store: ArtifactStore, settings: Graph) -> "FolderGraph":
        """Return the graph of a folder, after making what the store does not have."""
        wanted = (DOCUMENTS, *settings.graph_inputs)
        addresses = remembered(store, folder, wanted)
        if addresses is not None:
            read = _Inputs(_from_store(store, addresses))
            try:
                for one in settings.graph_inputs:
                    read(one)
                return cls(settings, read)
            except ArtifactError:  # it was removed or damaged: it is made again
                pass
        from bench.cli.folder_indexing import indexed

        return cls(settings, _Inputs(indexed(folder, store, wanted)))

    @property
    def graph(self) -> CodeGraph:
        """The graph itself."""
        return self.read(RepositoryGraph())

    @property
    def documents(self) -> Documents:
        """The texts of the folder, which only some questions need."""
        return self.read(DOCUMENTS)

    def open(self, vocabulary: Vocabulary | None = None) -> OpenGraph:
        """Return the graph, ready to be asked."""
        return self.settings.open(self.read, vocabulary)


class _Inputs:
    """Gives each input, read once."""

    def __init__(self, read: Callable[[Input[Any]], Any]) -> None:
        self._read = read
        self._held: dict[Input[Any], Any] = {}

    def __call__(self, wanted: Input[T], /) -> T:
        if wanted not in self._held:
            self._held[wanted] = self._read(wanted)
        return cast("T", self._held[wanted])


def _from_store(
    store: ArtifactStore, addresses: dict[Input[Any], Address]
) -> Callable[[Input[Any]], Any]:
    def read(wanted: Input[Any]) -> Any:
        found = store.load_at(*addresses[wanted])
        if found is None:
            message = f"{store.url}: an index of the folder is damaged; remove the store"
            raise ArtifactError(message)
        kind = wanted.record if isinstance(wanted, Derived) else Documents
        return Record(kind).decode(found.payload)

    return read
