"""Rerankers as they are served: each scores the first hits of one query again."""

from dataclasses import dataclass
from typing import Protocol

from bench.engine import Read, Stage
from bench.models import load_encoder
from bench.stages.dense import EmbeddedWindows
from bench.stages.reranking import Candidates, Hits, chunk_text, pair_scorer, reordered
from retrievers.dense import window_texts
from retrievers.interface import Chunks, Documents, Floats, Rankings, Reranker
from retrievers.rerankers import (
    CrossEncoder,
    LateInteraction,
    LateInteractionScorer,
    RerankServer,
)


class _HitScorer(Protocol):
    def scores(self, query: str, hits: Hits) -> Floats: ...


class RerankingReorderer:
    """Fuses a second score of the first hits with the first."""

    def __init__(
        self, scorer: _HitScorer, settings: CrossEncoder | LateInteraction | RerankServer
    ) -> None:
        self._scorer, self._settings = scorer, settings

    def reordered(self, query: str, ranking: Rankings) -> Rankings:
        """Return the ranking with its first hits in their joint order."""
        hits, scores = ranking.of_query(0)
        second = self._scorer.scores(query, hits[: self._settings.depth])
        order, joint = reordered(hits, scores, second, weight=self._settings.weight)
        keep = self._settings.keep or len(order)
        return Rankings.of([(order[:keep], joint[:keep])], ranking.mean, ranking.deviation)


@dataclass(frozen=True)
class ServedPairs:
    """A model that reads the query and the chunk together, as it is served."""

    documents: Stage[Documents]
    chunks: Stage[Chunks]
    settings: CrossEncoder | RerankServer

    def open(self, read: Read, /) -> RerankingReorderer:
        """Load the model."""
        scorer = _PairScorer(read(self.documents), read(self.chunks), pair_scorer(self.settings))
        return RerankingReorderer(scorer, self.settings)


@dataclass(frozen=True)
class _PairScorer:
    documents: Documents
    chunks: Chunks
    scorer: Reranker

    def scores(self, query: str, hits: Hits) -> Floats:
        texts = [chunk_text(self.chunks, self.documents, int(hit)) for hit in hits]
        return self.scorer.scores(query, texts)


@dataclass(frozen=True)
class ServedTokens:
    """Late interaction as it is served: it embeds every candidate again."""

    documents: Stage[Documents]
    chunks: Stage[Chunks]
    embedded: EmbeddedWindows
    """The windows that late interaction chooses its texts from."""
    settings: LateInteraction

    def open(self, read: Read, /) -> RerankingReorderer:
        """Load the model."""
        scorer = _TokenScorer(self, read)
        return RerankingReorderer(scorer, self.settings)


class _TokenScorer:
    def __init__(self, served: ServedTokens, read: Read) -> None:
        self._documents, self._windows = read(served.documents), read(served.embedded.windows)
        self._encoder = load_encoder(served.embedded.model.settings)
        vectors = [read(part) for part in served.embedded.vectors]
        self._candidates = Candidates.of(self._windows, read(served.chunks), vectors)

    def scores(self, query: str, hits: Hits) -> Floats:
        nearest = self._candidates.nearest(hits, self._encoder.queries([query])[0])
        texts = window_texts(self._documents, self._windows, nearest)
        return LateInteractionScorer(self._encoder).scores(query, texts)
