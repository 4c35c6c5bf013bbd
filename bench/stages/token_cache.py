"""Token vectors by text, shared by all windows with this text and independent of chunks.

A repository with more than `MOST_BYTES` of token vectors stores none. They are then computed for
the hits.
"""

from collections.abc import Sequence

import numpy as np

from bench.engine import Digest, PartCache, Read, digest_of
from retrievers.dense import Encoder, TokenVectors, Windows
from retrievers.rerankers import ComputedPassages, Passages, embedded_passages

MOST_BYTES = 2_000_000_000
"""Maximum bytes of the token vectors of one set of windows: a tenth of a store's default size."""
_WRITTEN_TOGETHER = 50_000_000
_EMBEDDED_TOGETHER = 256
_FACTOR_BYTES = 4
_ROWS = np.dtype("<u4")
_FACTOR = np.dtype("<f4")


class TokenCache:
    """Stored token vectors of a model by text."""

    def __init__(self, parts: PartCache) -> None:
        self._parts = parts
        self._new: dict[Digest, bytes] = {}
        self._size = 0

    def missing(self, texts: Sequence[str]) -> list[str]:
        """Return the distinct texts without stored vectors."""
        by_digest = {digest_of(text): text for text in texts}
        return [by_digest[digest] for digest in self._parts.missing(list(by_digest))]

    def find(self, texts: Sequence[str]) -> dict[str, TokenVectors]:
        """Return the stored vectors of texts that have them."""
        by_digest = {digest_of(text): text for text in texts}
        found = self._parts.find(list(by_digest))
        return {by_digest[digest]: _unpacked(value) for digest, value in found.items()}

    def add(self, text: str, tokens: TokenVectors) -> None:
        """Add the vectors of a text. They are written in batches; call `write` at the end."""
        value = _packed(tokens)
        self._new[digest_of(text)] = value
        self._size += len(value)
        if self._size >= _WRITTEN_TOGETHER:
            self.write()

    def write(self) -> None:
        """Write the vectors that are not written yet."""
        self._parts.add(self._new)
        self._new, self._size = {}, 0


class StoredPassages:
    """Token vectors from the store, with a fallback for missing texts."""

    def __init__(self, cache: TokenCache, others: Passages) -> None:
        self._cache, self._others = cache, others

    def of(self, texts: Sequence[str], /) -> list[TokenVectors]:
        """Return the token vectors of each text."""
        found = self._cache.find(texts)
        absent = [text for text in texts if text not in found]
        found.update(zip(absent, self._others.of(absent), strict=True))
        return [found[text] for text in texts]


def token_cache(read: Read, model_cache_name: str) -> TokenCache:
    """Return the token cache of the model with this cache name."""
    return TokenCache(read.parts(f"tokens-of-{model_cache_name}"))


def are_stored(windows: Windows, encoder: Encoder) -> bool:
    """Return True if the token vectors of these windows are small enough to be stored."""
    return int(windows.length.sum()) * (encoder.dimensions + _FACTOR_BYTES) <= MOST_BYTES


def store_missing(cache: TokenCache, encoder: Encoder, texts: Sequence[str]) -> int:
    """Embed the texts without stored vectors and store them; return their number."""
    missing = cache.missing(texts)
    for start in range(0, len(missing), _EMBEDDED_TOGETHER):
        some = missing[start : start + _EMBEDDED_TOGETHER]
        for text, tokens in zip(some, embedded_passages(encoder, some), strict=True):
            cache.add(text, tokens)
    cache.write()
    return len(missing)


def passages_of(read: Read, model_cache_name: str, encoder: Encoder, *, stored: bool) -> Passages:
    """Return a source of token vectors: the store, or the model if they are not stored."""
    computed = ComputedPassages(encoder)
    if not stored:
        return computed
    return StoredPassages(token_cache(read, model_cache_name), computed)


def _packed(tokens: TokenVectors) -> bytes:
    rows = np.array([len(tokens.vector)], _ROWS)
    factors = tokens.factor.astype(_FACTOR)
    return b"".join((rows.tobytes(), factors.tobytes(), tokens.vector.tobytes()))


def _unpacked(value: bytes) -> TokenVectors:
    rows = int(np.frombuffer(value, _ROWS, 1)[0])
    factor = np.frombuffer(value, _FACTOR, rows, _ROWS.itemsize)
    vector = np.frombuffer(value, np.int8, -1, _ROWS.itemsize + factor.nbytes).reshape(rows, -1)
    stops = np.array([rows], np.int64)
    return TokenVectors(np.zeros(1, np.int32), stops, vector, factor)
