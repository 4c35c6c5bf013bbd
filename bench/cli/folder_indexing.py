"""Indexing of a folder with the stages of a study."""

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from bench.cli.folder_state import PRECISION_NANOSECONDS, Address, is_settled, remember, remembered
from bench.corpora import LocalSource, content_digest, read_folder
from bench.engine import (
    ArtifactStore,
    BlobCache,
    ContentCache,
    Cost,
    Earlier,
    PartCache,
    Record,
    Stage,
    Task,
    TextCache,
    perform,
)
from bench.errors import ArtifactError, RankgridError, UsageError
from bench.stages import CheckOutFolder, Parse, RepositoryStages, Tokenize
from retrievers.graph.reordered import SymbolVectors
from retrievers.interface import DOCUMENTS, Derived, Documents, Input

T = TypeVar("T")


def indexed(
    folder: str, store: ArtifactStore, wanted: Sequence[Input[Any]]
) -> Callable[[Input[Any]], Any]:
    """Return a reader of a folder's inputs, after storing them."""
    store.create()  # before reading the folder, which may contain the store
    reading = _read(folder)
    stages = _stages(folder, store, reading.documents)
    stored = Stored(store)
    read = stages.inputs(wanted).reader(stored)
    for one in wanted:
        read(one)
    if all(one == DOCUMENTS or isinstance(one, Derived | SymbolVectors) for one in wanted):
        _remember(folder, store, reading, stages, wanted)
    return read


@dataclass(frozen=True)
class _Reading:
    """The documents of a folder, with the status of all visited files."""

    documents: Documents
    seen: tuple[tuple[str, os.stat_result], ...]
    began: int
    """The start of the reading, in nanoseconds since the epoch."""


def _read(folder: str) -> _Reading:
    seen: list[tuple[str, os.stat_result]] = []
    began = time.time_ns()
    documents = read_folder(LocalSource(folder), seen).documents
    if not len(documents):
        message = f"{folder}: no text files found that could be searched; give another folder"
        raise UsageError(message)
    return _Reading(documents, tuple(seen), began)


def checked_out(folder: str, store: ArtifactStore) -> Stage[Documents]:
    """Return the stage with the texts of a folder, after storing them.

    An unchanged folder is not read again.
    """
    store.create()
    known = remembered(store, folder, (DOCUMENTS,))
    found = store.load_at(*known[DOCUMENTS][0]) if known else None
    if known and found:
        content = content_digest(Record(Documents).decode(found.payload))
        stage = CheckOutFolder(content, source=LocalSource(folder), repository=folder)
        if (stage.kind, stage.fingerprint) == known[DOCUMENTS][0]:
            return stage
    reading = _read(folder)
    stages = _stages(folder, store, reading.documents)
    _remember(folder, store, reading, stages, (DOCUMENTS,))
    return stages.documents


def _stages(folder: str, store: ArtifactStore, documents: Documents) -> RepositoryStages:
    stage = _checked_out(folder, store, documents)
    return RepositoryStages(stage, Tokenize(stage), Parse(stage))


def _checked_out(folder: str, store: ArtifactStore, documents: Documents) -> CheckOutFolder:
    source = LocalSource(folder)
    stage = CheckOutFolder(content_digest(documents), source=source, repository=folder)
    if store.load(stage) is None:
        counts = {"documents": len(documents)}
        store.save(stage, stage.codec.encode(documents), Cost(counts=counts))
    return stage


def _remember(
    folder: str,
    store: ArtifactStore,
    reading: _Reading,
    stages: RepositoryStages,
    wanted: Sequence[Input[Any]],
) -> None:
    """Store the state of the folder if the reading is settled.

    Otherwise, the folder is read again. The state of the second reading is stored if it is
    settled and has the same content.
    """
    if not is_settled(reading.seen, reading.began):
        if time.time_ns() < reading.began + PRECISION_NANOSECONDS:
            return  # reading a small folder again costs less than to wait
        again = _read(folder)
        same = content_digest(again.documents) == content_digest(reading.documents)
        if not same or not is_settled(again.seen, again.began):
            return
        reading = again
    addresses: dict[Input[Any], tuple[Address, ...]] = {}
    for one in wanted:
        provider = stages.provider(one)
        parts = provider if isinstance(provider, tuple) else (provider,)
        made = [(part.kind, part.fingerprint) for part in parts if isinstance(part, Stage)]
        if len(made) != len(parts):
            return
        addresses[one] = tuple(made)
    remember(store, folder, addresses, reading.seen)


class Stored:
    """Results of stages from a store. Missing results are made and stored."""

    def __init__(self, store: ArtifactStore) -> None:
        self._store = store

    def __call__(self, stage: Stage[T], /) -> T:
        """Return the result of a stage, after running it if the store lacks it."""
        kept = self._store.load(stage)
        try:
            value: T = stage.codec.decode((kept or self._made(stage)).payload)
        except ArtifactError:  # another version stored it in another form
            value = stage.codec.decode(self._made(stage).payload)
        return value

    def earlier(self, _stage: Stage[T], /, *_inputs: Stage[Any]) -> Earlier[T] | None:
        """Return None: the stages of a folder do not reuse an earlier commit."""
        return None

    def cache(self, name: str) -> ContentCache:
        """Return the cache of that name."""
        return ContentCache(self._store, name)

    def texts(self, name: str) -> TextCache:
        """Return the cache of texts of that name."""
        return TextCache(self._store, name)

    def blobs(self, name: str) -> BlobCache:
        """Return the cache of bytes of that name."""
        return BlobCache(self._store, name)

    def parts(self, name: str) -> PartCache:
        """Return the cache of large values of that name."""
        return PartCache(self._store, name)

    def count(self, **amounts: int) -> None:
        """Ignore counts, because nothing reports them here."""

    def _made(self, stage: Stage[Any]) -> Any:
        failure = perform(Task(stage, self._store.url)).failure
        if failure is not None:
            raise RankgridError(failure.cause)
        kept = self._store.load(stage)
        if kept is None:
            message = f"{self._store.url}: {stage.kind} was stored and cannot be read; check it"
            raise RankgridError(message)
        return kept
