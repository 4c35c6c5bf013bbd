"""Stored answers of the parser about files; counts the files that were parsed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bench.engine import Read


@dataclass(frozen=True)
class ParsedBefore:
    """The parser's answers that a stage finds, and adds to."""

    read: Read
    cache: str

    def find(self, digests: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """Return the answers that are known, and count them."""
        found = self.read.blobs(self.cache).find(digests)
        self.read.count(files_known=len(found))
        return found

    def add(self, blobs: Mapping[bytes, bytes]) -> None:
        """Keep answers, and count them as files that were parsed."""
        self.read.blobs(self.cache).add(blobs)
        self.read.count(files_parsed=len(blobs))
