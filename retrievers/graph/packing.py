"""Fills a budget of tokens with the symbols that are worth the most for what they cost."""

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from retrievers.graph.model import CodeGraph
from retrievers.graph.weights import GraphError, check_numbers
from retrievers.interface import Integers

_Doubles = np.ndarray[Any, np.dtype[np.float64]]
Detail = Literal["signature", "source"]
DETAILS: tuple[Detail, ...] = get_args(Detail)
SMALLEST_BUDGET = 500


@dataclass(frozen=True)
class Packing:
    """How much is packed, and what nearness counts beside worth."""

    tokens: int = 50_000
    detail: Detail = "signature"
    """What is shown of a symbol: its name, kind and signature, or its whole source."""
    characters_per_token: float = 4.0
    """How the cost of a signature is estimated; that of source is counted."""
    nearness: float = 0.3
    """Exponent of a node's share in the walk."""
    nearness_outside: float = 0.2
    """What is added to it for each node outside the repository per node inside."""
    most_nearness: float = 0.7

    def __post_init__(self) -> None:
        """Refuse a budget that would hold nothing."""
        check_numbers(self, SMALLEST_BUDGET, 10_000_000, names=("tokens",))
        check_numbers(self, 1, 100, names=("characters_per_token",))
        check_numbers(self, 0, 10, names=("nearness", "nearness_outside", "most_nearness"))
        if self.detail not in DETAILS:
            raise GraphError(f"detail={self.detail} is not known; choose {' or '.join(DETAILS)}")

    def exponent(self, outside: int, inside: int) -> float:
        """Return the exponent of nearness when so many nodes are outside the repository."""
        ratio = outside / inside if inside else 0.0
        raised = self.nearness + self.nearness_outside * ratio
        return min(max(raised, self.nearness), max(self.most_nearness, self.nearness))


def costs(graph: CodeGraph, nodes: Integers, settings: Packing) -> Integers:
    """Return what showing each node costs in tokens."""
    if settings.detail == "source":
        return np.maximum(graph.source_tokens[nodes], 1).astype(np.int64)
    characters = np.array(
        [
            len(graph.names[node]) + len(graph.kinds[node]) + len(graph.signatures[node])
            for node in nodes.tolist()
        ],
        np.float64,
    )
    return np.maximum(np.ceil(characters / settings.characters_per_token), 1).astype(np.int64)


def pack(worth: _Doubles, cost: Integers, budget: int, *, nearness: _Doubles) -> Integers:
    """Return the places of what is packed, in the order of worth.

    Things are taken in the order of worth times `nearness` per token, ties by worth and place;
    what does not fit any more is passed over.
    """
    density = worth / cost * nearness
    taken: list[int] = []
    for place in np.lexsort((np.arange(len(worth)), -worth, -density)).tolist():
        if cost[place] <= budget:
            taken.append(place)
            budget -= int(cost[place])
    places = np.array(taken, np.int64)
    return places[np.lexsort((places, -worth[places]))]
