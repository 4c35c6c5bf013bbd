"""HITS: the centrality of the nodes near a task.

A good authority has links from good hubs, and a good hub has links to good authorities.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from retrievers.graph.model import CodeGraph
from retrievers.graph.weights import check_numbers
from retrievers.interface import Integers

_Doubles = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class Hits:
    """Settings of HITS, and its weights in a score. Values are used only above their `…_over`."""

    nodes: int = 200
    """Number of the best nodes of the walk that take part; 0 turns HITS off."""
    steps: int = 10
    seed_authority_over: float = 0.05
    seed_authority: float = 0.25
    """Weight of the authority of a seed, which raises its score."""
    other_authority_over: float = 0.2
    other_authority: float = 0.15
    """Weight of the authority of any other node, which lowers its score: everything uses it."""
    seed_hub_over: float = 0.1
    seed_hub: float = 0.1

    def __post_init__(self) -> None:
        """Raise an error for numbers out of range."""
        check_numbers(self, 0, 100_000, names=("nodes",))
        check_numbers(self, 1, 1000, names=("steps",))
        overs = ("seed_authority_over", "other_authority_over", "seed_hub_over")
        check_numbers(self, 0, 1, names=overs)
        check_numbers(self, 0, 100, names=("seed_authority", "other_authority", "seed_hub"))

    def of_hub(self, hub: float) -> float:
        """Return the amount that the hub score of a seed adds to its score."""
        return self.seed_hub * hub if hub > self.seed_hub_over else 0.0


@dataclass(frozen=True)
class Centrality:
    """Authority and hub scores. Each vector has Euclidean length 1."""

    authority: _Doubles
    hub: _Doubles


def centrality(graph: CodeGraph, nodes: Integers, steps: int) -> Centrality:
    """Return the centrality of each node in the subgraph of these nodes."""
    source, target = links_among(graph, nodes)
    authority = hub = np.ones(len(nodes))
    for _ in range(steps):
        authority = _unit(_sums(target, hub[source], len(nodes)))
        hub = _unit(_sums(source, authority[target], len(nodes)))
    return Centrality(authority, hub)


def links_among(graph: CodeGraph, nodes: Integers) -> tuple[Integers, Integers]:
    """Return the links between the nodes as positions of sources and targets, without repeats."""
    place = np.full(len(graph), -1, np.int64)
    place[nodes] = np.arange(len(nodes))
    edges = np.concatenate([np.zeros(0, np.int32), *map(graph.leaving, nodes.tolist())])
    source, target = place[graph.edge_source[edges]], place[graph.edge_target[edges]]
    inside = target >= 0
    # Without `return_index`, NumPy would import its masked arrays, which takes longer than all of
    # this function.
    pairs, _ = np.unique(source[inside] * len(nodes) + target[inside], return_index=True)
    return np.divmod(pairs, max(len(nodes), 1))


def adjustment(found: Centrality, is_seed: Any, settings: Hits) -> _Doubles:
    """Return the amount, which may be negative, that centrality adds to each node's score."""
    authority, hub = found.authority, found.hub
    of_seeds = np.where(authority > settings.seed_authority_over, authority, 0)
    of_hubs = np.where(hub > settings.seed_hub_over, hub, 0)
    raised = settings.seed_authority * of_seeds + settings.seed_hub * of_hubs
    of_others = np.where(authority > settings.other_authority_over, authority, 0)
    return np.where(is_seed, raised, -settings.other_authority * of_others)


def _sums(places: Integers, values: _Doubles, size: int) -> _Doubles:
    """Return the sum of the values at each place, as floats even without any values."""
    return np.bincount(places, values, size).astype(np.float64)


def _unit(vector: _Doubles) -> _Doubles:
    length = float(np.linalg.norm(vector))
    return vector / length if length else vector
