"""A configuration as it would be served: loaded once, asked one query at a time.

The descriptions here are frozen and part of the fingerprint of a latency; `open` loads what they
describe.
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
    """A retriever on one repository, with the data that its searcher is loaded from."""

    retriever: Retriever
    data: Inputs

    def open(self, read: Read, /) -> Searcher:
        """Load the searcher."""
        return self.retriever.searcher(self.data.reader(read))


class Reorderer(Protocol):
    """Reorders the ranking of one query: rules, a reranker."""

    def reordered(self, query: str, ranking: Rankings) -> Rankings:
        """Return the ranking in another order."""
        ...


class ServedStep(Protocol):
    """What a reorderer is loaded from; a frozen dataclass."""

    def open(self, read: Read, /) -> Reorderer:
        """Load the reorderer."""
        ...


@dataclass(frozen=True)
class Served:
    """A pipeline on one repository; fusion weights change no time and are left out."""

    channels: tuple[ServedRetriever, ...]
    steps: tuple[ServedStep, ...] = ()
    expansion: ServedExpansion | None = field(default=None, metadata={"later": True})
    """The texts that are searched for each question, if they are not the question."""

    def open(self, read: Read, /) -> "ServedPipeline":
        """Load everything."""
        return ServedPipeline(
            [channel.open(read) for channel in self.channels],
            [step.open(read) for step in self.steps],
            self.expansion.open(read) if self.expansion else Wordings({}, {}),
        )


class ServedPipeline:
    """Searchers and reorderers that answer together."""

    def __init__(
        self, searchers: list[Searcher], reorderers: list[Reorderer], wordings: Wordings
    ) -> None:
        self._searchers, self._reorderers = searchers, reorderers
        self._wordings = wordings

    def answer(self, query: str, limit: int) -> list[int]:
        """Return the best chunks for a query."""
        rankings = [self._searched(text) for text in self._wordings.of(query)]
        whole = rankings[0]
        if len(rankings) > 1:
            equal = [1.0] * len(rankings)
            whole = fuse(rankings, equal, normalisation="rrf", depth=SEARCHED)
        for reorderer in self._reorderers:
            whole = reorderer.reordered(query, whole)
        return [int(hit) for hit in whole.of_query(0)[0][:limit]]

    def waited(self, query: str) -> float:
        """Return the seconds that the chat server took to expand a query, when it was asked."""
        return self._wordings.seconds.get(query, 0.0)

    def _searched(self, text: str) -> Rankings:
        """Return the ranking of one text, by all channels together."""
        try:
            rankings = [searcher.search(text) for searcher in self._searchers]
        except ExternalError as error:
            raise EngineError(str(error)) from error
        if len(rankings) == 1:
            return rankings[0]
        return fuse(rankings, [1.0] * len(rankings), depth=SEARCHED)

    def recall(self, query: str, limit: int) -> list[float]:
        """Return what share of the nearest each approximate engine finds for a query."""
        approximate = (one for one in self._searchers if isinstance(one, ApproximateSearcher))
        shares = (searcher.recall(query, limit) for searcher in approximate)
        return [share for share in shares if share is not None]

    def close(self) -> None:
        """Close every searcher."""
        for searcher in self._searchers:
            searcher.close()
