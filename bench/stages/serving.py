"""A configuration when it is served: loaded once, with one query at a time.

The descriptions here are frozen and part of a latency's fingerprint. `open` loads the described
objects.
"""

from dataclasses import dataclass, field
from typing import Protocol

from bench.engine import Read
from bench.errors import EngineError
from bench.stages.expanding import ServedExpansion, Wordings
from bench.stages.inputs import Inputs
from retrievers.errors import ExternalError
from retrievers.fusion import fuse
from retrievers.interface import SEARCHED, ApproximateSearcher, Rankings, Retriever, Searcher


@dataclass(frozen=True)
class ServedRetriever:
    """A retriever on one repository with the inputs of its searcher."""

    retriever: Retriever
    data: Inputs

    def open(self, read: Read, /) -> Searcher:
        """Load the searcher."""
        return self.retriever.searcher(self.data.reader(read))


class Reorderer(Protocol):
    """Reorders the ranking of one query, such as rules or a reranker."""

    def reordered(self, query: str, ranking: Rankings) -> Rankings:
        """Return the ranking in another order."""
        ...


class ServedStep(Protocol):
    """Frozen description of a reorderer."""

    def open(self, read: Read, /) -> Reorderer:
        """Load the reorderer."""
        ...


@dataclass(frozen=True)
class Served:
    """A pipeline on one repository. Fusion weights are omitted because they do not change the
    time."""

    channels: tuple[ServedRetriever, ...]
    steps: tuple[ServedStep, ...] = ()
    expansion: ServedExpansion | None = field(default=None, metadata={"later": True})
    """Search texts of each question, or None if the question itself is searched."""

    def open(self, read: Read, /) -> "ServedPipeline":
        """Load all parts of the pipeline."""
        return ServedPipeline(
            [channel.open(read) for channel in self.channels],
            [step.open(read) for step in self.steps],
            self.expansion.open(read) if self.expansion else Wordings({}, {}),
        )


class ServedPipeline:
    """Searchers and reorderers that answer queries together."""

    def __init__(
        self, searchers: list[Searcher], reorderers: list[Reorderer], wordings: Wordings
    ) -> None:
        self._searchers, self._reorderers = searchers, reorderers
        self._wordings = wordings

    def answer(self, query: str, limit: int) -> list[int]:
        """Return the best `limit` chunks for a query."""
        rankings = [self._searched(text) for text in self._wordings.of(query)]
        whole = rankings[0]
        if len(rankings) > 1:
            equal = [1.0] * len(rankings)
            whole = fuse(rankings, equal, normalisation="rrf", depth=SEARCHED)
        for reorderer in self._reorderers:
            whole = reorderer.reordered(query, whole)
        return [int(hit) for hit in whole.of_query(0)[0][:limit]]

    def waited(self, query: str) -> float:
        """Return the seconds that the chat server took to expand a query."""
        return self._wordings.seconds.get(query, 0.0)

    def _searched(self, text: str) -> Rankings:
        """Return the ranking of one text, fused over all channels."""
        try:
            rankings = [searcher.search(text) for searcher in self._searchers]
        except ExternalError as error:
            raise EngineError(str(error)) from error
        if len(rankings) == 1:
            return rankings[0]
        return fuse(rankings, [1.0] * len(rankings), depth=SEARCHED)

    def recall(self, query: str, limit: int) -> list[float]:
        """Return the recall of each approximate engine for a query."""
        approximate = (one for one in self._searchers if isinstance(one, ApproximateSearcher))
        shares = (searcher.recall(query, limit) for searcher in approximate)
        return [share for share in shares if share is not None]

    def close(self) -> None:
        """Close every searcher."""
        for searcher in self._searchers:
            searcher.close()
