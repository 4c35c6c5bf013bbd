"""Reciprocal rank fusion: what several channels find well is found best."""

from collections.abc import Mapping

import numpy as np

from retrievers.graph.model import Nodes
from retrievers.graph.seeding.channel import Finds
from retrievers.interface import Floats


def fuse_ranks(
    found: Mapping[str, Finds], weights: Mapping[str, float], constant: float
) -> tuple[Nodes, Mapping[str, Floats]]:
    """Return the nodes of all channels, best first, and what each channel gave to each.

    A channel gives weight / (constant + rank + 1), the best rank being 0; equal sums go to the
    lower node. A channel of weight 0 finds nothing.
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
