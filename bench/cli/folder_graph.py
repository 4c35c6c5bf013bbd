"""The graph of a folder on this machine, opened from stored indexes.

The imports of indexing are avoided here, because they take longer than a query to an unchanged
folder.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar, cast

from bench.cli.folder_state import Address, Addresses, remembered
from bench.engine import ArtifactStore, Record
from bench.errors import ArtifactError
from retrievers.graph import CodeGraph, Graph, OpenGraph, Ranked, RepositoryGraph
from retrievers.graph.seeding import Vocabulary
from retrievers.interface import DOCUMENTS, Derived, Documents, Input, ReadInput

if TYPE_CHECKING:
    from bench.cli.vector_order import SymbolOrder
    from retrievers.graph.reordered import ReorderedGraph

T = TypeVar("T")


@dataclass(frozen=True)
class FolderGraph:
    """The current state of a folder with the inputs of its graph."""

    settings: Graph
    read: ReadInput
    reordered: "ReorderedGraph | None" = None
    """Settings of the vectors that reorder the graph's results, or None."""

    @classmethod
    def of(
        cls, folder: str, store: ArtifactStore, settings: "Graph | ReorderedGraph"
    ) -> "FolderGraph":
        """Return the graph of a folder, after indexing it if the store lacks something."""
        whole = None if isinstance(settings, Graph) else settings
        graph = settings if isinstance(settings, Graph) else settings.graph
        needed = (*graph.graph_inputs, *(whole.vector_inputs if whole else ()))
        wanted = (DOCUMENTS, *needed)
        addresses = remembered(store, folder, wanted)
        if addresses is not None:
            read = _Inputs(_from_store(store, addresses))
            try:
                for one in needed:
                    read(one)
                return cls(graph, read, whole)
            # an index was removed or damaged, so the folder is indexed again
            except ArtifactError:
                pass
        from bench.cli.folder_indexing import indexed

        return cls(graph, _Inputs(indexed(folder, store, wanted)), whole)

    @property
    def graph(self) -> CodeGraph:
        """The code graph."""
        return self.read(RepositoryGraph())

    @property
    def documents(self) -> Documents:
        """The documents of the folder, which only some requests need."""
        return self.read(DOCUMENTS)

    def open(self, vocabulary: Vocabulary | None = None) -> OpenGraph:
        """Return the graph, ready for queries."""
        return self.settings.open(self.read, vocabulary)

    def in_order(self, ranked: Ranked, task: str) -> "tuple[Ranked, SymbolOrder | None]":
        """Return a ranking reordered by vectors and a description of the order, if enabled.

        Requests with files or changes keep their order, because they have no text for a vector.
        """
        if self.reordered is None or not task:
            return ranked, None
        from bench.cli.vector_order import in_vector_order

        return in_vector_order(ranked, task, self.reordered, self.read)


class _Inputs:
    """Reader that loads each input only once."""

    def __init__(self, read: Callable[[Input[Any]], Any]) -> None:
        self._read = read
        self._held: dict[Input[Any], Any] = {}

    def __call__(self, wanted: Input[T], /) -> T:
        if wanted not in self._held:
            self._held[wanted] = self._read(wanted)
        return cast("T", self._held[wanted])


def _from_store(store: ArtifactStore, addresses: Addresses) -> Callable[[Input[Any]], Any]:
    def stored(address: Address, kind: type[Any]) -> Any:
        found = store.load_at(*address)
        if found is None:
            message = f"{store.url}: an index of the folder is damaged; remove the store"
            raise ArtifactError(message)
        return Record(kind).decode(found.payload)

    def read(wanted: Input[Any]) -> Any:
        places = addresses[wanted]
        if isinstance(wanted, Derived):
            return stored(places[0], wanted.record)
        if wanted == DOCUMENTS:
            return stored(places[0], Documents)
        from retrievers.dense import Vectors

        return tuple(stored(place, Vectors) for place in places)

    return read
