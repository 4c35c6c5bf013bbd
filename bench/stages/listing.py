"""Units of rankings as stages: the definition of each chunk, and one entry per unit."""

from dataclasses import dataclass
from typing import ClassVar

from bench.engine import Read, Record, Stage
from bench.stages.ranking import DEPTH
from retrievers.interface import SEARCHED, Chunks, Floor, Rankings
from retrievers.listing import ChunkDefinitions, Entries, Listing
from retrievers.source import Symbols


@dataclass(frozen=True)
class FindDefinitions(Stage[ChunkDefinitions]):
    """Find the definition that each chunk shows, shared by all rankings of the chunks."""

    kind: ClassVar[str] = "find-definitions"
    codec: ClassVar[Record[ChunkDefinitions]] = Record(ChunkDefinitions)

    chunks: Stage[Chunks]
    symbols: Stage[Symbols]

    def run(self, read: Read, /) -> ChunkDefinitions:
        """Return the definitions."""
        return ChunkDefinitions.of(read(self.chunks), read(self.symbols))


@dataclass(frozen=True)
class Listed:
    """Chunks of a repository with the unit that their rankings list."""

    listing: Listing
    chunks: Stage[Chunks]
    definitions: FindDefinitions | None
    """None for other units than definitions."""
    floor: Floor
    """Zero point of the scores: the mean for a single retriever, zero for fused scores."""

    @classmethod
    def of(
        cls,
        listing: Listing,
        chunks: Stage[Chunks],
        symbols: Stage[Symbols],
        floor: Floor,
    ) -> "Listed":
        """Return the unit of the rankings of these chunks."""
        is_definition = listing.unit == "definition"
        definitions = FindDefinitions(chunks, symbols) if is_definition else None
        return cls(listing, chunks, definitions, floor)

    def entries(self, read: Read, /) -> Entries:
        """Return the entry of every chunk."""
        definitions = read(self.definitions) if self.definitions else None
        return Entries.of(self.listing, read(self.chunks), definitions)


@dataclass(frozen=True)
class ListEntries(Stage[Rankings]):
    """List each file or definition in a ranking of chunks only once."""

    kind: ClassVar[str] = "list-entries"
    version: ClassVar[int] = 2
    codec: ClassVar[Record[Rankings]] = Record(Rankings)

    ranking: Stage[Rankings]
    listed: Listed
    depth: int = DEPTH

    def run(self, read: Read, /) -> Rankings:
        """Return the rankings with one entry per unit."""
        entries = self.listed.entries(read)
        return entries.listed(read(self.ranking), floor=self.listed.floor, depth=self.depth)


@dataclass(frozen=True)
class ServedEntries:
    """The unit of a ranking when it is served."""

    listed: Listed

    def open(self, read: Read, /) -> "_EntryLister":
        """Return the entries of the chunks, ready for queries."""
        return _EntryLister(self.listed.entries(read), self.listed.floor)


@dataclass(frozen=True)
class _EntryLister:
    entries: Entries
    floor: Floor

    def reordered(self, _query: str, ranking: Rankings) -> Rankings:
        """Return the ranking with one entry per unit."""
        return self.entries.listed(ranking, floor=self.floor, depth=SEARCHED)
