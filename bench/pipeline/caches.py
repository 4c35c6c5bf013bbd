"""Caches finer than a stage: a row of numbers per content it was computed from.

Text → vector of a model, (query, text) → score of a reranker. Rows are kept in segments, each
written whole; a worker that dies loses at most the segment it had not written. Concurrent
writers add segments of their own; a row found twice is the same row.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bench.errors import ArtifactError
from bench.pipeline.codec import Record

if TYPE_CHECKING:
    from bench.pipeline.store import ArtifactStore

Digest = bytes
_DIGEST_BYTES = 16


def digest_of(*texts: str) -> Digest:
    """Return the key of some texts."""
    whole = hashlib.sha256()
    for text in texts:
        content = text.encode("utf-8", "surrogatepass")
        whole.update(len(content).to_bytes(8, "little") + content)
    return whole.digest()[:_DIGEST_BYTES]


@dataclass(frozen=True)
class _Segment:
    digests: np.ndarray[Any, Any]
    rows: np.ndarray[Any, Any]


class ContentCache:
    """Rows of float32 numbers by the digest of their content."""

    def __init__(self, store: "ArtifactStore", name: str) -> None:
        self._store = store
        self._folder = f"contents/{name}"
        self._codec = Record(_Segment)
        self._rows: dict[Digest, np.ndarray[Any, Any]] = {}
        self._seen: set[str] = set()

    def find(self, digests: Sequence[Digest]) -> dict[Digest, np.ndarray[Any, Any]]:
        """Return the rows that are known of `digests`."""
        if any(digest not in self._rows for digest in digests):
            self._read_new_segments()
        return {digest: self._rows[digest] for digest in digests if digest in self._rows}

    def add(self, digests: Sequence[Digest], rows: np.ndarray[Any, Any]) -> None:
        """Keep `rows` under `digests`."""
        if not digests:
            return
        keys = np.frombuffer(b"".join(digests), np.uint8).reshape(len(digests), _DIGEST_BYTES)
        kept = np.array(rows, np.float32)
        name = f"{self._folder}/{hashlib.sha256(keys.tobytes()).hexdigest()[:32]}"
        self._store.write_checked(name, self._codec.encode(_Segment(keys, kept)))
        self._seen.add(name)
        self._rows.update(zip(digests, kept, strict=True))

    def _read_new_segments(self) -> None:
        for name in self._store.names(self._folder):
            if name in self._seen:
                continue
            self._seen.add(name)
            segment = self._segment(name)
            if segment is not None:
                keys = (key.tobytes() for key in segment.digests)
                self._rows.update(zip(keys, segment.rows, strict=True))

    def _segment(self, name: str) -> _Segment | None:
        """Return a segment; nothing if it is damaged, or was written by another version."""
        payload = self._store.read_checked(name)
        try:
            return None if payload is None else self._codec.decode(payload)
        except (ArtifactError, TypeError):
            return None
