"""Random walk with restart: the closeness of each node to the seeds of a task.

A walker follows edges in proportion to their weights. It returns to a seed with probability
`alpha`, and from nodes without edges.
"""

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from retrievers.graph.model import CodeGraph, Flags, Nodes, Seeds
from retrievers.graph.weights import (
    EdgeWeights,
    ProvenanceFactors,
    check_numbers,
    edge_weights,
)
from retrievers.interface import Integers, best_first

_Doubles = np.ndarray[Any, np.dtype[np.float64]]
Stopped = Literal["converged", "stable", "steps", "no seeds"]


@dataclass(frozen=True)
class Walk:
    """Settings of a walk and of its end."""

    alpha: float = 0.2
    """Probability of a return to a seed at each step."""
    steps: int = 20
    tolerance: float = 0.001
    """A walk ends if less probability than this moves in a step."""
    stable_top: int = 10
    """A walk ends if this number of best nodes keeps its order; 0 turns this criterion off."""
    stable_steps: int = 2
    """Number of steps for which the best nodes must keep their order."""
    hops: int = 4
    """Maximum number of edges between a seed and a node of the walk."""
    backward: float = 0.5
    """Weight of an edge from its target to its source, as a share of its weight."""
    floor: float = 0.02
    """Minimum score of a node in the ranking, as a share of the best score."""
    first_seed: float = 1.0
    last_seed: float = 0.4
    """Weights of the best and the last seed in a restart. Weights between them are linear in the
    rank, and equal scores have equal weights."""
    supplement: float = 0.3
    """Weight of the supplementary seeds in a restart."""
    weights: EdgeWeights = field(default_factory=EdgeWeights)
    provenances: ProvenanceFactors = field(default_factory=ProvenanceFactors)

    def __post_init__(self) -> None:
        """Raise an error for values out of range: a walk must end and restart."""
        check_numbers(self, 0.001, 1, names=("alpha",))
        check_numbers(self, 1, 1000, names=("steps", "stable_steps", "hops"))
        check_numbers(self, 0, 1000, names=("stable_top",))
        shares = ("backward", "floor", "tolerance", "first_seed", "last_seed", "supplement")
        check_numbers(self, 0, 1, names=shares)


@dataclass(frozen=True)
class Walked:
    """The result of a walk."""

    score: _Doubles
    """Visits of each node; 1 for the most visited one."""
    steps: int
    stopped: Stopped


class Walker:
    """A graph that is prepared for walks from any seeds."""

    def __init__(self, graph: CodeGraph, settings: Walk) -> None:
        self._settings = settings
        weight = edge_weights(graph, settings.weights, settings.provenances)
        self._nodes = len(graph)
        self._links = _Links.of(graph, weight, settings.backward)

    def walk(self, seeds: Seeds) -> Walked:
        """Return the closeness of each node to the seeds."""
        restart = self._restart(seeds)
        if not restart.any():
            return Walked(restart, 0, "no seeds")
        return self._walk(restart / restart.sum())

    def _restart(self, seeds: Seeds) -> _Doubles:
        settings = self._settings
        restart = np.zeros(self._nodes)
        restart[seeds.supplement] = settings.supplement
        scores, place = np.unique(-seeds.score, return_inverse=True)
        weights = np.linspace(settings.first_seed, settings.last_seed, len(scores))
        restart[seeds.node] = weights[place]
        return restart

    def _walk(self, restart: _Doubles) -> Walked:
        settings, within = self._settings, self._within(restart)
        links = self._links.among(within)
        leaving = np.bincount(links.source, links.weight, self._nodes).astype(np.float64)
        share = np.divide(1.0, leaving, out=np.zeros_like(leaving), where=leaving > 0)
        stuck = leaving == 0
        at, watch = restart, _Watch(settings.stable_top, settings.floor)
        for step in range(1, settings.steps + 1):
            moved = links.carried(at * share)
            # Walkers at nodes without links return to the seeds, so that the sum stays 1.
            home = settings.alpha + (1 - settings.alpha) * at[stuck].sum()
            following = home * restart + (1 - settings.alpha) * moved
            change, at = np.abs(following - at).sum(), following
            if change < settings.tolerance:
                return _walked(at, step, "converged")
            if watch.unchanged(at) >= settings.stable_steps:
                return _walked(at, step, "stable")
        return _walked(at, settings.steps, "steps")

    def _within(self, restart: _Doubles) -> Flags:
        """Return whether each node is within `hops` edges of a seed."""
        reached = restart > 0
        for _ in range(self._settings.hops):
            further = reached.copy()
            further[self._links.target[reached[self._links.source]]] = True
            if np.array_equal(further, reached):
                break
            reached = further
        return np.asarray(reached)


class _Watch:
    """Counts the steps for which the best nodes above the floor have kept their order."""

    def __init__(self, top: int, floor: float) -> None:
        self._top, self._floor = top, floor
        self._last, self._steps = np.zeros(0, np.int64), 0

    def unchanged(self, at: _Doubles) -> int:
        if not self._top:
            return 0
        high = np.flatnonzero(at >= self._floor * at.max())
        best: Integers = high[best_first(at[high].astype(np.float32), self._top)]
        self._steps = self._steps + 1 if np.array_equal(best, self._last) else 0
        self._last = best
        return self._steps


def _walked(at: _Doubles, steps: int, stopped: Stopped) -> Walked:
    return Walked(at / at.max(), steps, stopped)


@dataclass(frozen=True)
class _Links:
    """The links between nodes, sorted by target.

    A sparse matrix would work equally well, but its import takes longer than many walks.
    """

    source: Nodes
    target: Nodes
    weight: _Doubles
    ends: Nodes
    """The distinct targets."""
    starts: Integers
    """The index of the first link to each of `ends`."""
    nodes: int

    @classmethod
    def of(cls, graph: CodeGraph, weight: _Doubles, backward: float) -> "_Links":
        """Return the edges as links, and if `backward` is above 0, also their reverse."""
        source, target = graph.edge_source, graph.edge_target
        if backward:
            source, target = np.concatenate([source, target]), np.concatenate([target, source])
            weight = np.concatenate([weight, weight * backward])
        order = by_target(graph) if backward else graph.in_order
        order = order[weight[order] > 0]
        return cls._ordered(source[order], target[order], weight[order], len(graph))

    @classmethod
    def _ordered(cls, source: Nodes, target: Nodes, weight: _Doubles, nodes: int) -> "_Links":
        starts = np.flatnonzero(np.diff(target, prepend=-1))
        return cls(source, target, weight, target[starts], starts, nodes)

    def among(self, within: Flags) -> "_Links":
        """Return the links whose source and target are both in `within`."""
        kept = within[self.source] & within[self.target]
        kept_links = (self.source[kept], self.target[kept], self.weight[kept])
        return self._ordered(*kept_links, self.nodes)

    def carried(self, at: _Doubles) -> _Doubles:
        """Return the amount that each node receives, given the amount that leaves each node."""
        arrived = np.zeros(self.nodes)
        if len(self.starts):
            arrived[self.ends] = np.add.reduceat(self.weight * at[self.source], self.starts)
        return arrived


def by_target(graph: CodeGraph) -> Integers:
    """Return the numbers of links sorted by target. Numbers from `count` on are reversed edges.

    Each direction is already sorted: forward edges by target, reversed edges by source. A merge
    of the two takes a third of the time of a sort.
    """
    count = len(graph.edge_source)
    starts = np.concatenate([[0], graph.out_stops])
    order = np.empty(2 * count, np.int64)
    order[np.arange(count) + starts[graph.edge_target[graph.in_order]]] = graph.in_order
    order[np.arange(count) + graph.in_stops[graph.edge_source]] = np.arange(count, 2 * count)
    return order
