"""The channel that finds symbols by their names, in tiers."""

from dataclasses import dataclass

from retrievers.errors import SeedError
from retrievers.graph.model import CodeGraph
from retrievers.graph.seeding.channel import Asked, Finds
from retrievers.lexical.names import Names, NameTable, Tier, tiered


@dataclass(frozen=True)
class TieredSeeds(Names):
    """Settings of the tiers, and the weight of a symbol that only single words find."""

    word_share: float = 0.25
    """Relative to a symbol that an identifier of the task finds: common words match many names."""

    def __post_init__(self) -> None:
        """Raise an error for unknown tiers and for values out of range."""
        super().__post_init__()
        if not 0 <= self.word_share <= 1:
            raise SeedError(f"word_share={self.word_share} is out of range; choose 0 to 1")


class TieredChannel:
    """Finds symbols with the names in the task, in looser tiers if there are few."""

    def __init__(self, graph: CodeGraph, settings: TieredSeeds) -> None:
        documents = graph.document[: graph.symbol_count].tolist()
        paths = [graph.files[document] for document in documents]
        self._table = NameTable(graph.names[: graph.symbol_count], paths)
        self._settings = settings

    def find(self, asked: Asked) -> Finds:
        """Return the symbols of the tiers, with a lower weight if only single words find them."""
        sure = self._tiered(asked, ())
        share = self._settings.word_share
        return {node: 1.0 if node in sure else share for node in self.tiers(asked)}

    def tiers(self, asked: Asked) -> dict[int, Tier]:
        """Return the symbols with the tier that found them, best first."""
        return self._tiered(asked, asked.keywords.components)

    def _tiered(self, asked: Asked, words: tuple[str, ...]) -> dict[int, Tier]:
        named = (*asked.keywords.exact, *asked.keywords.compounds)
        return tiered(self._table, named, words, self._settings, eligible=asked.eligible)
