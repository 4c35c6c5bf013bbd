"""The order that vectors of their own texts give to the first symbols of an answer.

Nothing here is imported, and no model is loaded, unless the settings ask for vectors.
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
    """How vectors ordered the first symbols, each with its cosine and its rank before."""

    model: str
    weight: float
    cosines: dict[int, float]
    ranks: dict[int, int]
    """From 1, by the graph alone."""

    @property
    def summary(self) -> str:
        """What was done, in a few words."""
        how = f"vectors of {self.model}, weight {self.weight:g}"
        return f"the first {len(self.cosines)} reordered by {how}"

    def reason(self, node: int) -> "VectorReason":
        """Return what the vectors say of a symbol."""
        return VectorReason(
            self.model, self.weight, self.cosines.get(node), self.ranks.get(node, 0)
        )


@dataclass(frozen=True)
class VectorReason:
    """What vectors say of one symbol."""

    model: str
    weight: float
    cosine: float | None
    """None where the symbol is not among the first, which alone are reordered."""
    rank_before: int
    """From 1, by the graph alone; 0 where the symbol is not among the first."""

    @property
    def text(self) -> str:
        """The same as a line."""
        how = f"vectors of {self.model}, weight {self.weight:g}"
        if self.cosine is None:
            return f"{how}: not among the symbols that are reordered"
        return f"{how}: cosine {self.cosine:.4f}, rank {self.rank_before} by the graph alone"


def in_vector_order(
    ranked: Ranked, task: str, settings: ReorderedGraph, read: ReadInput
) -> tuple[Ranked, SymbolOrder]:
    """Return an answer with its first symbols in the order of both scores, and how."""
    nodes, reordering = ranked.scored.node[: settings.reordering.depth], settings.reordering
    # The model is what every such question loads; without symbols it has nothing to do.
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
    """Return the vectors at some places; joining all parts would copy a hundred times as much."""
    found = np.zeros((len(places), parts[0].vector.shape[1]), np.float32)
    for part in parts:
        held = np.flatnonzero(np.isin(places, part.place))
        order = np.argsort(part.place)
        found[held] = part.vector[order[np.searchsorted(part.place[order], places[held])]]
    return found
