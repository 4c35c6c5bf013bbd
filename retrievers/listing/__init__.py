"""The unit of a ranking: what has one entry in it, whatever retriever made the ranking."""

from retrievers.listing.definitions import ChunkDefinitions
from retrievers.listing.entries import Entries
from retrievers.listing.settings import UNITS, Listing, Unit

__all__ = ["UNITS", "ChunkDefinitions", "Entries", "Listing", "Unit"]
