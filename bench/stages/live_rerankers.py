"""The live forms of the rerankers: a closer look at the first hits of one query."""

from dataclasses import dataclass
from typing import Protocol

from bench.models import load_encoder
from bench.pipeline import Read, Stage
from bench.stages.reranking import Candidates, Hits, Scorer, chunk_text, pair_scorer, reordered
from bench.stages.vectors import WindowInputs
from retrievers.dense import window_texts
from retrievers.interface import Chunks, Documents, Floats, Rankings
from retrievers.rerankers import (
    CrossEncoder,
    LateInteraction,
    LateInteractionScorer,
    RerankServer,
)


class _Look(Protocol):
    def scores(self, query: str, hits: Hits) -> Floats: ...


class LiveReranker:
    """Any second opinion on the first hits, fused with the first."""

    def __init__(
        self, look: _Look, settings: CrossEncoder | LateInteraction | RerankServer
    ) -> None:
        self._look, self._settings = look, settings

    def reordered(self, query: str, ranking: Rankings) -> Rankings:
        """Return the ranking with its first hits in their joint order."""
        hits, scores = ranking.of_query(0)
        second = self._look.scores(query, hits[: self._settings.depth])
        order, joint = reordered(hits, scores, second, weight=self._settings.weight)
        keep = self._settings.keep or len(order)
        return Rankings.of([(order[:keep], joint[:keep])], ranking.mean, ranking.deviation)


@dataclass(frozen=True)
class LivePairs:
    """What serves a model that reads the query and the chunk together."""

    documents: Stage[Documents]
    chunks: Stage[Chunks]
    settings: CrossEncoder | RerankServer

    def open(self, read: Read, /) -> LiveReranker:
        """Load the model."""
        look = _PairLook(read(self.documents), read(self.chunks), pair_scorer(self.settings))
        return LiveReranker(look, self.settings)


@dataclass(frozen=True)
class _PairLook:
    documents: Documents
    chunks: Chunks
    scorer: Scorer

    def scores(self, query: str, hits: Hits) -> Floats:
        texts = [chunk_text(self.chunks, self.documents, int(hit)) for hit in hits]
        return self.scorer.scores(query, texts)


@dataclass(frozen=True)
class LiveTokens:
    """What serves late interaction that embeds every candidate anew."""

    documents: Stage[Documents]
    chunks: Stage[Chunks]
    closer: WindowInputs
    """What late interaction chooses its texts from."""
    settings: LateInteraction

    def open(self, read: Read, /) -> LiveReranker:
        """Load the model."""
        look = _TokenLook(self, read)
        return LiveReranker(look, self.settings)


class _TokenLook:
    def __init__(self, form: LiveTokens, read: Read) -> None:
        self._documents, self._windows = read(form.documents), read(form.closer.windows)
        self._encoder = load_encoder(form.closer.model.settings)
        vectors = [read(part) for part in form.closer.vectors]
        self._candidates = Candidates.of(self._windows, read(form.chunks), vectors)

    def scores(self, query: str, hits: Hits) -> Floats:
        nearest = self._candidates.nearest(hits, self._encoder.queries([query])[0])
        texts = window_texts(self._documents, self._windows, self._encoder, nearest)
        return LateInteractionScorer(self._encoder).scores(query, texts)
