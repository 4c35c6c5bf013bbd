"""Cache of large values by the digest of their content, read one by one.

Values are stored in segments of two files: the bytes, and an index with the position and the
checksum of each value. A value is read from the middle of its segment and checked by itself.
Reading some values costs only the time for these.
"""

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bench.engine.caches import Digest, keys_of, read_segment, segment_name, table_of
from bench.engine.codec import Record

if TYPE_CHECKING:
    from bench.engine.store import ArtifactStore


@dataclass(frozen=True)
class _Index:
    digests: np.ndarray[Any, Any]
    ends: np.ndarray[Any, Any]
    checks: np.ndarray[Any, Any]


@dataclass(frozen=True)
class _Place:
    segment: str
    start: int
    end: int
    check: int


class PartCache:
    """Cache of bytes by the digest of their content; memory holds only their positions."""

    def __init__(self, store: "ArtifactStore", name: str) -> None:
        self._store = store
        self._indexes, self._bodies = f"contents/{name}", f"contents/{name}-bytes"
        self._codec = Record(_Index)
        self._places: dict[Digest, _Place] = {}
        self._seen: set[str] = set()

    def missing(self, digests: Sequence[Digest]) -> list[Digest]:
        """Return the distinct `digests` without a value, in their order."""
        if any(digest not in self._places for digest in digests):
            self._read_new_indexes()
        return [one for one in dict.fromkeys(digests) if one not in self._places]

    def find(self, digests: Sequence[Digest]) -> dict[Digest, bytes]:
        """Return the cached values of `digests`; absent and damaged ones are left out."""
        self.missing(digests)
        found: dict[Digest, bytes] = {}
        for digest in dict.fromkeys(digests):
            value = self._read(digest)
            if value is not None:
                found[digest] = value
        return found

    def add(self, values: Mapping[Digest, bytes]) -> None:
        """Store each of `values` under its digest, as one segment."""
        if not values:
            return
        ends = np.cumsum([len(value) for value in values.values()], dtype=np.int64)
        checks = np.array([zlib.crc32(value) for value in values.values()], np.uint32)
        index = _Index(table_of(list(values)), ends, checks)
        name = segment_name("", index.digests)
        # The bytes first: an index must never refer to missing bytes.
        self._store.write_checked(self._bodies + name, b"".join(values.values()))
        self._store.write_checked(self._indexes + name, self._codec.encode(index))
        self._remember(name, index)

    def _read_new_indexes(self) -> None:
        bodies = {name.removeprefix(self._bodies) for name in self._store.names(self._bodies)}
        for full in self._store.names(self._indexes):
            name = full.removeprefix(self._indexes)
            if name in self._seen or name not in bodies:
                continue
            index = read_segment(self._store, full, self._codec)
            if index is not None:
                self._store.mark_used(self._bodies + name)
                self._remember(name, index)

    def _remember(self, name: str, index: _Index) -> None:
        self._seen.add(name)
        ends, checks = index.ends.tolist(), index.checks.tolist()
        keys = keys_of(index.digests)
        for key, start, end, check in zip(keys, [0, *ends], ends, checks, strict=False):
            self._places[key] = _Place(self._bodies + name, start, end, check)

    def _read(self, digest: Digest) -> bytes | None:
        place = self._places.get(digest)
        if place is None:
            return None
        value = self._store.read_part(place.segment, place.start, place.end)
        if value is None or zlib.crc32(value) != place.check:
            del self._places[digest]
            return None
        return value
