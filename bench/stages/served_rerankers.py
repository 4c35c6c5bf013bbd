"""Rerankers when they are served: each rescores the first hits of one query."""

from dataclasses import dataclass
from typing import Protocol

from bench.engine import Read, Stage
from bench.models import load_encoder
from bench.stages.dense import EmbeddedWindows
from bench.stages.late import StoreTokens
from bench.stages.reranking import Candidates, Hits, chunk_text, pair_scorer, reordered
from bench.stages.token_cache import (
    StoredPassages,
    are_stored,
    store_missing,
    token_cache,
)
from retrievers.dense import window_texts
from retrievers.interface import Chunks, Documents, Floats, Rankings, Reranker
from retrievers.rerankers import (
    ComputedPassages,
    CrossEncoder,
    LateInteraction,
    LateInteractionScorer,
    Passages,
    RerankServer,
)


class _HitScorer(Protocol):
    def scores(self, query: str, hits: Hits) -> Floats: ...


class RerankingReorderer:
    """Reorderer that fuses a second score of the first hits with the first score."""

    def __init__(
        self, scorer: _HitScorer, settings: CrossEncoder | LateInteraction | RerankServer
    ) -> None:
        self._scorer, self._settings = scorer, settings

    def reordered(self, query: str, ranking: Rankings) -> Rankings:
        """Return the ranking with its first hits in the order of both scores."""
        hits, scores = ranking.of_query(0)
        second = self._scorer.scores(query, hits[: self._settings.depth])
        order, joint = reordered(hits, scores, second, weight=self._settings.weight)
        keep = self._settings.keep or len(order)
        return Rankings.of([(order[:keep], joint[:keep])], ranking.mean, ranking.deviation)


@dataclass(frozen=True)
class ServedPairs:
    """A pair model when it is served."""

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
    """Late interaction when it is served, with stored token vectors.

    Nothing is cached between queries.
    """

    documents: Stage[Documents]
    chunks: Stage[Chunks]
    embedded: EmbeddedWindows
    """Windows from which late interaction chooses its texts."""
    settings: LateInteraction
    tokens: tuple[StoreTokens, ...] = ()
    """Stages that store the token vectors; empty if the vectors are computed."""

    def open(self, read: Read, /) -> RerankingReorderer:
        """Load the model, and store missing token vectors again."""
        scorer = _TokenScorer(self, read)
        return RerankingReorderer(scorer, self.settings)


class _TokenScorer:
    def __init__(self, served: ServedTokens, read: Read) -> None:
        self._documents, self._windows = read(served.documents), read(served.embedded.windows)
        model = served.embedded.model
        self._encoder = load_encoder(model.settings)
        vectors = [read(part) for part in served.embedded.vectors]
        self._candidates = Candidates.of(self._windows, read(served.chunks), vectors)
        computed = ComputedPassages(self._encoder, kept_bytes=0)
        self._passages: Passages = computed
        if served.tokens and are_stored(self._windows, self._encoder):
            cache = token_cache(read, model.cache_name)
            store_missing(cache, self._encoder, window_texts(self._documents, self._windows))
            self._passages = StoredPassages(cache, computed)

    def scores(self, query: str, hits: Hits) -> Floats:
        asked = self._encoder.query(query)
        nearest = self._candidates.nearest(hits, asked.vector)
        texts = window_texts(self._documents, self._windows, nearest)
        scorer = LateInteractionScorer(self._encoder, self._passages)
        return scorer.token_scores(asked.tokens, texts)
