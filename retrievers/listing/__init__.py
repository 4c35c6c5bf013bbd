"""The unit of a ranking: entries for chunks, definitions or files, with any retriever."""

from retrievers.listing.definitions import ChunkDefinitions
from retrievers.listing.entries import Entries
from retrievers.listing.settings import UNITS, Listing, Unit

__all__ = ["UNITS", "ChunkDefinitions", "Entries", "Listing", "Unit"]
