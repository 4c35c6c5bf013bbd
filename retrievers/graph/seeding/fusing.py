"""Reciprocal rank fusion of the channels."""

from collections.abc import Mapping

import numpy as np

from retrievers.graph.model import Nodes
from retrievers.graph.seeding.channel import Finds
from retrievers.interface import Floats


def fuse_ranks(
    found: Mapping[str, Finds], weights: Mapping[str, float], constant: float
) -> tuple[Nodes, Mapping[str, Floats]]:
    """Return the nodes of all channels, best first, and the score of each node per channel.

    The score is weight * share / (constant + rank + 1), with rank 0 for the best node. Equal sums
    go to the lower node. A channel with weight 0 is ignored.
    """
    counted = {name: finds for name, finds in found.items() if weights[name] > 0}
    nodes = np.array(sorted({node for finds in counted.values() for node in finds}), np.int32)
    given = {
        name: _contribution(nodes, finds, weights[name], constant)
        for name, finds in counted.items()
    }
    total = np.sum([np.zeros(len(nodes)), *given.values()], axis=0)
    order = np.argsort(-total, kind="stable")
    return nodes[order], {name: part[order].astype(np.float32) for name, part in given.items()}


def _contribution(
    nodes: Nodes, finds: Finds, weight: float, constant: float
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    part = np.zeros(len(nodes))
    for rank, (node, share) in enumerate(finds.items()):
        part[np.searchsorted(nodes, node)] = weight * share / (constant + rank + 1)
    return part
