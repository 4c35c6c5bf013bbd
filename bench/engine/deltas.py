"""Payloads as deltas from earlier, similar payloads.

The documents, tokens, lines and symbols of a commit are nearly those of the commit before, shifted
by some bytes. Compressed with the earlier payload as a prefix, a payload is as small as its new
parts.
"""

import hashlib
import sys

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

_MOST_SHARE = 0.1
"""Largest delta as a share of the payload; a larger one is not worth a dependency on a file."""
_DIGEST_BYTES = 32
_WINDOWS = (10, 31)
"""Base-2 logarithms of the smallest and the largest window of zstd."""


def delta_from(base: bytes, payload: bytes) -> bytes | None:
    """Return a delta from a base to a payload, or None if it would be too large."""
    window = (len(base) + len(payload)).bit_length()
    options: dict[int, int] = {
        zstd.CompressionParameter.compression_level: 1,
        zstd.CompressionParameter.enable_long_distance_matching: 1,
        zstd.CompressionParameter.window_log: min(max(window, _WINDOWS[0]), _WINDOWS[1]),
    }
    delta = zstd.compress(payload, options=options, zstd_dict=_prefix(base))
    if len(delta) > _MOST_SHARE * len(payload):
        return None
    return hashlib.sha256(payload).digest() + delta


def joined(base: bytes, delta: bytes) -> bytes | None:
    """Return the payload of a delta, or None if the delta has another base or is damaged."""
    options: dict[int, int] = {zstd.DecompressionParameter.window_log_max: _WINDOWS[1]}
    digest, packed = delta[:_DIGEST_BYTES], delta[_DIGEST_BYTES:]
    try:
        payload = zstd.decompress(packed, zstd_dict=_prefix(base), options=options)
    except zstd.ZstdError:
        return None
    return payload if hashlib.sha256(payload).digest() == digest else None


def _prefix(base: bytes) -> tuple[zstd.ZstdDict, int]:
    return zstd.ZstdDict(base, is_raw=True).as_prefix
