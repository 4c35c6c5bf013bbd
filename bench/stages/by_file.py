"""Caches of results that depend on one file only, by the file's content.

Commits of a repository differ in few files, as do the states of a folder before and after an edit.
The results of all other files are read from the store.
"""

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from bench.engine import Digest, Read
from retrievers.interface import Documents

Table = np.ndarray[Any, np.dtype[np.int32]]
_DIGEST_BYTES = 16


def file_digests(documents: Documents) -> list[Digest]:
    """Return a digest of each document's content."""
    sources = (documents.source(number) for number in range(len(documents)))
    return [hashlib.sha256(source).digest()[:_DIGEST_BYTES] for source in sources]


def tables_by_file(
    read: Read, cache: str, keys: Sequence[Digest], make: Callable[[int], Table]
) -> list[Table]:
    """Return the table of each file, from the cache or from `make` with the file's number.

    `keys` identify the contents. `cache` names everything else that the tables depend on.
    """
    kept = read.blobs(cache)
    known, new = dict(kept.find(keys)), dict[Digest, bytes]()
    read.count(files_known=sum(key in known for key in keys))
    for number, key in enumerate(keys):
        if key not in known:
            table = np.ascontiguousarray(make(number), np.int32)
            known[key] = new[key] = table.tobytes()
    kept.add(new)
    return [np.frombuffer(known[key], np.int32) for key in keys]
