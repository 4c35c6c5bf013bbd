"""Packing of a budget of tokens with the symbols of the highest worth per token."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, get_args

import numpy as np

from retrievers.errors import GraphError
from retrievers.graph.model import CodeGraph
from retrievers.graph.weights import check_numbers
from retrievers.interface import Integers

_Doubles = np.ndarray[Any, np.dtype[np.float64]]
Detail = Literal["signature", "source"]
DETAILS: tuple[Detail, ...] = get_args(Detail)
SMALLEST_BUDGET = 500


@dataclass(frozen=True)
class Packing:
    """The budget of a pack, and the influence of nearness."""

    tokens: int = 50_000
    detail: Detail = "signature"
    """The shown part of a symbol: its name, kind and signature, or its whole source."""
    characters_per_token: float = 0.0
    """For an estimate of the cost from name, kind and signature; 0 counts the tokens instead."""
    nearness: float = 0.3
    """Exponent of the nearness of a node, which is its score in the walk."""
    nearness_outside: float = 0.2
    """Added to the exponent, times the ratio of external nodes to nodes of the repository."""
    most_nearness: float = 0.7

    def __post_init__(self) -> None:
        """Raise an error for values out of range."""
        check_numbers(self, SMALLEST_BUDGET, 10_000_000, names=("tokens",))
        check_numbers(self, 0, 100, names=("characters_per_token",))
        check_numbers(self, 0, 10, names=("nearness", "nearness_outside", "most_nearness"))
        if self.detail not in DETAILS:
            raise GraphError(f"detail={self.detail} is not known; choose {' or '.join(DETAILS)}")

    def exponent(self, outside: int, inside: int) -> float:
        """Return the exponent of nearness for these numbers of external and internal nodes."""
        ratio = outside / inside if inside else 0.0
        raised = self.nearness + self.nearness_outside * ratio
        return min(max(raised, self.nearness), max(self.most_nearness, self.nearness))


def estimated_costs(graph: CodeGraph, nodes: Integers, characters_per_token: float) -> Integers:
    """Return the tokens of each node's name, kind and signature, estimated by length."""
    parts = (graph.names, graph.kinds, graph.signatures)
    lengths = [sum(len(part[node]) for part in parts) for node in nodes.tolist()]
    return np.ceil(np.array(lengths, np.float64) / characters_per_token).astype(np.int64)


def pack(
    worth: _Doubles,
    cost: Integers,
    budget: int,
    *,
    nearness: _Doubles,
    around: Mapping[int, Collection[int]] = MappingProxyType({}),
) -> Integers:
    """Return the indexes of the packed items, in the order of worth.

    Items are taken in the order of worth times `nearness` per token, with ties by worth and
    index. An item that does not fit is skipped. So is an item that contains a taken item or is
    inside one: `around` has the indexes of the items around each item.
    """
    density = worth / np.maximum(cost, 1) * nearness
    taken: dict[int, None] = {}
    holding: set[int] = set()
    for place in np.lexsort((np.arange(len(worth)), -worth, -density)).tolist():
        holders = around.get(place, ())
        is_new = place not in holding and taken.keys().isdisjoint(holders)
        if is_new and cost[place] <= budget:
            taken[place] = None
            budget -= int(cost[place])
            holding.update(holders)
    places = np.array(list(taken), np.int64)
    return places[np.lexsort((places, -worth[places]))]
