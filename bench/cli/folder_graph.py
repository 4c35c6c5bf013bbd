"""The graph of a folder on this machine, made once for what the folder contains."""

from dataclasses import dataclass
from typing import Any, TypeVar

from bench.corpora import LocalSource, content_digest, read_source
from bench.engine import (
    ArtifactStore,
    BlobCache,
    ContentCache,
    Cost,
    Stage,
    Task,
    TextCache,
    perform,
)
from bench.errors import RankgridError, UsageError
from bench.stages import CheckOutFolder, Parse, StoredGraph, Tokenize
from retrievers.graph import Graph
from retrievers.interface import Documents

T = TypeVar("T")


@dataclass(frozen=True)
class FolderGraph:
    """A folder as it is now, and the stages that lead from it to its graph."""

    documents: Documents
    checked_out: CheckOutFolder
    graph: StoredGraph

    @classmethod
    def of(cls, folder: str, store: ArtifactStore, settings: Graph) -> "FolderGraph":
        """Read a folder and put its documents into the store."""
        source = LocalSource(folder)
        documents = read_source(source).documents
        if not len(documents):
            message = f"{folder}: no text files found that could be searched; give another folder"
            raise UsageError(message)
        stage = CheckOutFolder(content_digest(documents), source=source, repository=folder)
        if store.load(stage) is None:
            counts = {"documents": len(documents)}
            store.save(stage, stage.codec.encode(documents), Cost(counts=counts))
        graph = StoredGraph.of(settings, stage, Parse(stage), Tokenize(stage))
        return cls(documents, stage, graph)


class Stored:
    """Gives the results of stages out of a store, after making those that it does not have."""

    def __init__(self, store: ArtifactStore) -> None:
        self._store = store

    def __call__(self, stage: Stage[T], /) -> T:
        """Return what a stage made, now or before."""
        kept = self._store.load(stage) or self._made(stage)
        value: T = stage.codec.decode(kept.payload)
        return value

    def cache(self, name: str) -> ContentCache:
        """Return the cache of that name."""
        return ContentCache(self._store, name)

    def texts(self, name: str) -> TextCache:
        """Return the cache of texts of that name."""
        return TextCache(self._store, name)

    def blobs(self, name: str) -> BlobCache:
        """Return the cache of bytes of that name."""
        return BlobCache(self._store, name)

    def count(self, **amounts: int) -> None:
        """Count nothing: what is made here is kept by nobody."""

    def _made(self, stage: Stage[Any]) -> Any:
        failure = perform(Task(stage, self._store.url)).failure
        if failure is not None:
            raise RankgridError(failure.cause)
        kept = self._store.load(stage)
        if kept is None:
            message = f"{self._store.url}: {stage.kind} was stored and cannot be read; check it"
            raise RankgridError(message)
        return kept
