"""Stored results of the parser by file, with counts of parsed files."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bench.engine import Read


@dataclass(frozen=True)
class ParsedBefore:
    """Store of the parser's results that a stage reads and extends."""

    read: Read
    cache: str

    def find(self, digests: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """Return the stored results and count them."""
        found = self.read.blobs(self.cache).find(digests)
        self.read.count(files_known=len(found))
        return found

    def add(self, blobs: Mapping[bytes, bytes]) -> None:
        """Store results and count them as parsed files."""
        self.read.blobs(self.cache).add(blobs)
        self.read.count(files_parsed=len(blobs))
