"""What a channel is: one way to find the symbols that a task points at."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol, get_args

import numpy as np

from retrievers.graph.model import Flags, Keywords
from retrievers.interface import Floats, best_first

ChannelName = Literal["tiered", "bm25", "text", "equivalence", "path", "learned"]
CHANNELS: tuple[ChannelName, ...] = get_args(ChannelName)

Finds = Mapping[int, float]
"""Nodes, best first, and what each counts in its channel: 1, unless the channel is unsure."""


@dataclass(frozen=True)
class Asked:
    """A task, what it names, and what channels asked before have found."""

    task: str
    keywords: Keywords
    eligible: Flags
    """Whether each node may be found."""
    earlier: Mapping[str, Finds] = field(default_factory=dict)


class Channel(Protocol):
    """One way to find nodes."""

    def find(self, asked: Asked) -> Finds:
        """Return what the task points at."""
        ...


def in_order(nodes: Mapping[int, object] | list[int]) -> dict[int, float]:
    """Return finds that count in full, in the order given."""
    return dict.fromkeys(nodes, 1.0)


def best_scored(scores: Floats, asked: Asked, limit: int) -> dict[int, float]:
    """Return the eligible symbols with the highest scores above zero, best first."""
    counted = np.where(asked.eligible[: len(scores)], scores, 0)
    best = best_first(counted, limit)
    return in_order([node for node in best.tolist() if counted[node] > 0])
