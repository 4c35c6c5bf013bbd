"""Reordering of the first symbols of an answer by vectors of their texts.

The command imports this module, and the module loads a model, only for settings with vectors.
"""

from dataclasses import dataclass

import numpy as np

from retrievers.dense import Vectors, load_encoder
from retrievers.graph import Ranked
from retrievers.graph.reordered import ReorderedGraph, SymbolVectors
from retrievers.graph.reordering import reordered_pack
from retrievers.interface import Floats, Integers, ReadInput


@dataclass(frozen=True)
class SymbolOrder:
    """A reordering by vectors: the cosine and the previous rank of each reordered symbol."""

    model: str
    weight: float
    cosines: dict[int, float]
    ranks: dict[int, int]
    """Ranks by the graph alone, from 1."""

    @property
    def summary(self) -> str:
        """The reordering in a few words."""
        how = f"vectors of {self.model}, weight {self.weight:g}"
        return f"the first {len(self.cosines)} reordered by {how}"

    def reason(self, node: int) -> "VectorReason":
        """Return the vectors' part in the rank of a symbol."""
        return VectorReason(
            self.model, self.weight, self.cosines.get(node), self.ranks.get(node, 0)
        )


@dataclass(frozen=True)
class VectorReason:
    """The vectors' part in the rank of one symbol."""

    model: str
    weight: float
    cosine: float | None
    """None for a symbol below the reordered depth."""
    rank_before: int
    """Rank by the graph alone, from 1; 0 for a symbol below the reordered depth."""

    @property
    def text(self) -> str:
        """The reason as a line of text."""
        how = f"vectors of {self.model}, weight {self.weight:g}"
        if self.cosine is None:
            return f"{how}: not among the symbols that are reordered"
        return f"{how}: cosine {self.cosine:.4f}, rank {self.rank_before} by the graph alone"


def in_vector_order(
    ranked: Ranked, task: str, settings: ReorderedGraph, read: ReadInput
) -> tuple[Ranked, SymbolOrder]:
    """Return an answer with its first symbols ordered by both scores, and a description."""
    nodes, reordering = ranked.scored.node[: settings.reordering.depth], settings.reordering
    # Loading the model is slow, so skip it for an answer without symbols.
    cosines = np.zeros(0, np.float32)
    if len(nodes):
        query = load_encoder(settings.embedder).queries([task])[0]
        cosines = rows_of(read(SymbolVectors(settings.embedder)), nodes) @ query
    order = SymbolOrder(
        model=settings.embedder.model,
        weight=reordering.weight,
        cosines=dict(zip(nodes.tolist(), cosines.tolist(), strict=True)),
        ranks={node: rank for rank, node in enumerate(nodes.tolist(), 1)},
    )
    return reordered_pack(ranked, cosines, reordering.weight), order


def rows_of(parts: tuple[Vectors, ...], places: Integers) -> Floats:
    """Return vectors by place without joining the parts, which would copy 100 times as much."""
    found = np.zeros((len(places), parts[0].vector.shape[1]), np.float32)
    for part in parts:
        held = np.flatnonzero(np.isin(places, part.place))
        # Places of a part are not sorted, because parts are cut by the length of texts.
        order = np.argsort(part.place)
        found[held] = part.vector[order[np.searchsorted(part.place[order], places[held])]]
    return found
