"""Caches finer than a stage: values by the content that they were computed from.

Rows of numbers: text → vector of a model, (query, text) → score of a reranker. Bytes: file →
output of a parser. Values are stored in segments, each written atomically; a worker that dies
loses at most one unwritten segment. Concurrent writers add separate segments. If two segments have
the same key, their values are equal.
"""

import hashlib
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from bench.engine.codec import Record, array_in
from bench.errors import ArtifactError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from bench.engine.store import ArtifactStore

Digest = bytes
S = TypeVar("S", bound="DataclassInstance")
_DIGEST_BYTES = 16
_KEPT_BYTES = 16_000_000
"""Bytes of rows that a cache keeps in memory."""
_ROW_BYTES = 250
"""Bytes of a row in memory, beside its numbers."""


def digest_of(*texts: str) -> Digest:
    """Return the cache key of a sequence of texts."""
    whole = hashlib.sha256()
    for text in texts:
        content = text.encode("utf-8", "surrogatepass")
        whole.update(len(content).to_bytes(8, "little") + content)
    return whole.digest()[:_DIGEST_BYTES]


class Memory:
    """Values in memory that this process used last, limited by their size."""

    def __init__(self, bound: int) -> None:
        self.bound = bound
        self._values: OrderedDict[str, tuple[Any, int]] = OrderedDict()
        self._bytes = 0

    def get(self, name: str) -> Any:
        """Return a cached value, or None."""
        if name not in self._values:
            return None
        self._values.move_to_end(name)
        return self._values[name][0]

    def keep(self, name: str, value: Any, size: int) -> None:
        """Cache `value` and drop the values that were used longest ago."""
        if name in self._values or size > self.bound:
            return
        self._values[name] = (value, size)
        self._bytes += size
        while self._bytes > self.bound:
            _, (_, dropped) = self._values.popitem(last=False)
            self._bytes -= dropped


@dataclass(frozen=True)
class _Segment:
    digests: np.ndarray[Any, Any]
    rows: np.ndarray[Any, Any]


class ContentCache:
    """Cache of float32 rows by the digest of their content.

    Memory holds the segment of each digest, and the rows of the segments that were used last.
    """

    def __init__(
        self, store: "ArtifactStore", name: str, *, kept_bytes: int = _KEPT_BYTES
    ) -> None:
        self._store = store
        self._folder = f"contents/{name}"
        self._codec = Record(_Segment)
        self._segment_of: dict[Digest, str] = {}
        self._seen: set[str] = set()
        self._kept = Memory(kept_bytes)

    def find(self, digests: Sequence[Digest]) -> dict[Digest, np.ndarray[Any, Any]]:
        """Return the cached rows of `digests`; absent ones are left out."""
        if any(digest not in self._segment_of for digest in digests):
            self._read_new_segments()
        by_segment: dict[str, list[Digest]] = {}
        for digest in digests:
            if digest in self._segment_of:
                by_segment.setdefault(self._segment_of[digest], []).append(digest)
        found: dict[Digest, np.ndarray[Any, Any]] = {}
        for name, own in by_segment.items():
            rows = self._kept.get(name) or self._rows_in(name)
            found.update((digest, rows[digest]) for digest in own if digest in rows)
        return {digest: found[digest] for digest in digests if digest in found}

    def add(self, digests: Sequence[Digest], rows: np.ndarray[Any, Any]) -> None:
        """Store `rows` under `digests`, as one segment."""
        if not digests:
            return
        keys, kept = table_of(digests), np.array(rows, np.float32)
        name = segment_name(self._folder, keys)
        self._store.write_checked(name, self._codec.encode(_Segment(keys, kept)))
        self._remember(name, digests, kept)

    def _read_new_segments(self) -> None:
        for name in self._store.names(self._folder):
            if name not in self._seen:
                self._rows_in(name)

    def _rows_in(self, name: str) -> Mapping[Digest, np.ndarray[Any, Any]]:
        """Return the rows of a segment; empty if it is damaged or was removed."""
        segment = read_segment(self._store, name, self._codec)
        if segment is None:
            self._seen.add(name)
            return {}
        return self._remember(name, list(keys_of(segment.digests)), segment.rows)

    def _remember(
        self, name: str, digests: Sequence[Digest], rows: np.ndarray[Any, Any]
    ) -> Mapping[Digest, np.ndarray[Any, Any]]:
        self._seen.add(name)
        self._segment_of.update(dict.fromkeys(digests, name))
        by_digest = dict(zip(digests, rows, strict=True))
        self._kept.keep(name, by_digest, rows.nbytes + _ROW_BYTES * len(rows))
        return by_digest


@dataclass(frozen=True)
class _BlobSegment:
    digests: np.ndarray[Any, Any]
    ends: np.ndarray[Any, Any]
    content: np.ndarray[Any, Any]


class BlobCache:
    """Cache of bytes by the digest of their content.

    Memory holds only the segment of each digest, because many repositories may share a cache.
    """

    def __init__(self, store: "ArtifactStore", name: str) -> None:
        self._store = store
        self._folder = f"contents/{name}"
        self._codec = Record(_BlobSegment)
        self._segment_of: dict[Digest, str] = {}
        self._seen: set[str] = set()

    def find(self, digests: Sequence[Digest]) -> dict[Digest, bytes]:
        """Return the cached bytes of `digests`; absent ones are left out."""
        wanted, found = set(digests), dict[Digest, bytes]()
        if not wanted <= self._segment_of.keys():
            self._look_into_new_segments()
        known = {self._segment_of[digest] for digest in wanted if digest in self._segment_of}
        for name in sorted(known):
            found.update(self._blobs_in(name, wanted))
        return found

    def add(self, blobs: Mapping[Digest, bytes]) -> None:
        """Store each of `blobs` under its digest, as one segment."""
        if not blobs:
            return
        keys = table_of(list(blobs))
        ends = np.cumsum([len(blob) for blob in blobs.values()], dtype=np.int64)
        content = np.frombuffer(b"".join(blobs.values()), np.uint8)
        segment = self._codec.encode(_BlobSegment(keys, ends, content))
        self._store.write_checked(segment_name(self._folder, keys), segment)

    def _look_into_new_segments(self) -> None:
        """Remember the digests of new segments, without reading their bytes.

        They are not checked here. A segment with a wanted one is read and checked as a whole.
        """
        for name in self._store.names(self._folder):
            if name in self._seen:
                continue
            keys = array_in(partial(self._store.read_part, name), "digests")
            if keys is not None:
                self._seen.add(name)
                self._segment_of.update(dict.fromkeys(keys_of(keys), name))

    def _blobs_in(self, name: str, wanted: set[Digest]) -> Iterator[tuple[Digest, bytes]]:
        """Yield the wanted values of a segment."""
        segment = read_segment(self._store, name, self._codec)
        if segment is None:
            return
        ends = segment.ends.tolist()
        for key, start, end in zip(keys_of(segment.digests), [0, *ends], ends, strict=False):
            if key in wanted:
                yield key, segment.content[start:end].tobytes()


def table_of(digests: Sequence[Digest]) -> np.ndarray[Any, Any]:
    """Return digests as a table with one row each."""
    return np.frombuffer(b"".join(digests), np.uint8).reshape(len(digests), _DIGEST_BYTES)


def keys_of(table: np.ndarray[Any, Any]) -> Iterator[Digest]:
    """Return the digests of a table."""
    return (key.tobytes() for key in table)


def segment_name(folder: str, keys: np.ndarray[Any, Any]) -> str:
    """Return the name of the segment with these digests."""
    return f"{folder}/{hashlib.sha256(keys.tobytes()).hexdigest()[:32]}"


def read_segment(store: "ArtifactStore", name: str, codec: Record[S]) -> S | None:
    """Return a segment, or None if it is damaged or from another version."""
    payload = store.read_checked(name)
    try:
        return None if payload is None else codec.decode(payload)
    except (ArtifactError, TypeError):
        return None
