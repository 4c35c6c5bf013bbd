"""A configuration as it would be served: loaded once, asked one query at a time.

What ranks offline as a stage has a live form beside it, that the latency of a query is taken
from: a frozen description (part of a fingerprint) that opens into the thing itself.
"""

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from bench.pipeline import Read
from retrievers.fusion import fuse
from retrievers.interface import Rankings

POOL = 200
"""Hits that a channel gives to what comes after it: enough to fill the fused list."""

Hits = np.ndarray[Any, np.dtype[np.int32]]


class LiveChannel(Protocol):
    """A retriever that is ready to be asked."""

    def opinion(self, query: str) -> Rankings:
        """Return the ranking of one query."""
        ...

    def close(self) -> None:
        """Let go of what it holds."""
        ...


@runtime_checkable
class Approximate(Protocol):
    """A channel whose engine may miss what an exact search finds."""

    def recall(self, query: str, limit: int) -> float | None:
        """Return the share of the nearest that is found; None where nothing can be missed."""
        ...


class LiveStep(Protocol):
    """What reorders a ranking: rules, a reranker."""

    def reordered(self, query: str, ranking: Rankings) -> Rankings:
        """Return the ranking of one query in another order."""
        ...


class ChannelForm(Protocol):
    """What a live channel is opened from."""

    def open(self, read: Read, /) -> LiveChannel:
        """Load the channel."""
        ...


class StepForm(Protocol):
    """What a live step is opened from."""

    def open(self, read: Read, /) -> LiveStep:
        """Load the step."""
        ...


@dataclass(frozen=True)
class Served:
    """A pipeline on one repository; fusion weights change no time and are left out."""

    channels: tuple[ChannelForm, ...]
    steps: tuple[StepForm, ...] = ()

    def open(self, read: Read, /) -> "LivePipeline":
        """Load everything."""
        return LivePipeline(
            [channel.open(read) for channel in self.channels],
            [step.open(read) for step in self.steps],
        )


class LivePipeline:
    """Channels and steps that answer together."""

    def __init__(self, channels: list[LiveChannel], steps: list[LiveStep]) -> None:
        self._channels, self._steps = channels, steps

    def answer(self, query: str, limit: int) -> list[int]:
        """Return the best chunks for a query."""
        opinions = [channel.opinion(query) for channel in self._channels]
        whole = opinions[0]
        if len(opinions) > 1:
            whole = fuse(opinions, [1.0] * len(opinions), depth=POOL)
        for step in self._steps:
            whole = step.reordered(query, whole)
        return [int(hit) for hit in whole.of_query(0)[0][:limit]]

    def recall(self, query: str, limit: int) -> list[float]:
        """Return what share of the nearest each approximate engine finds for a query."""
        asked = (c.recall(query, limit) for c in self._channels if isinstance(c, Approximate))
        return [share for share in asked if share is not None]

    def close(self) -> None:
        """Let go of everything."""
        for channel in self._channels:
            channel.close()
