"""Pinned repositories, read as documents without unpacking them to disk."""

from bench.corpora.addresses import named_folder, transport_of
from bench.corpora.checkout import content_digest, read_folder, read_source
from bench.corpora.commits import AnyCommit, at_commit
from bench.corpora.committed import CommittedFolder, committed_folder, write_committed
from bench.corpora.file_choice import EVERY_FILE, FileChoice
from bench.corpora.file_filter import Checkout
from bench.corpora.hiding import Hidden, hide
from bench.corpora.indexes import Indexes, configured_indexes
from bench.corpora.pypi import fetch_pypi
from bench.corpora.sources import (
    GitSource,
    LocalSource,
    NpmSource,
    PypiSource,
    Source,
    parse_source,
    pin_of,
)

__all__ = [
    "EVERY_FILE",
    "AnyCommit",
    "Checkout",
    "CommittedFolder",
    "FileChoice",
    "GitSource",
    "Hidden",
    "Indexes",
    "LocalSource",
    "NpmSource",
    "PypiSource",
    "Source",
    "at_commit",
    "committed_folder",
    "configured_indexes",
    "content_digest",
    "fetch_pypi",
    "hide",
    "named_folder",
    "parse_source",
    "pin_of",
    "read_folder",
    "read_source",
    "transport_of",
    "write_committed",
]
