"""The interface of a channel, which finds seeds for a task in one way."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol, get_args

import numpy as np

from retrievers.graph.model import Flags, Keywords
from retrievers.interface import Floats, best_first

ChannelName = Literal["tiered", "bm25", "text", "equivalence", "path", "learned"]
CHANNELS: tuple[ChannelName, ...] = get_args(ChannelName)

Finds = Mapping[int, float]
"""Nodes, best first, with their weights in the channel: 1, or less if the channel is unsure."""


@dataclass(frozen=True)
class Asked:
    """A task with its keywords, and the results of the channels that ran before."""

    task: str
    keywords: Keywords
    eligible: Flags
    """Whether each node may become a seed."""
    earlier: Mapping[str, Finds] = field(default_factory=dict)


class Channel(Protocol):
    """A way to find seeds."""

    def find(self, asked: Asked) -> Finds:
        """Return the nodes that match the task, best first."""
        ...


def in_order(nodes: Mapping[int, object] | list[int]) -> dict[int, float]:
    """Return these nodes with weight 1, in their order."""
    return dict.fromkeys(nodes, 1.0)


def best_scored(scores: Floats, asked: Asked, limit: int) -> dict[int, float]:
    """Return the eligible symbols with the highest scores above zero, best first."""
    counted = np.where(asked.eligible[: len(scores)], scores, 0)
    best = best_first(counted, limit)
    return in_order([node for node in best.tolist() if counted[node] > 0])
