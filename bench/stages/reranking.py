"""Rerankers as stages: they score the first hits again and reorder them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, ClassVar

import numpy as np

from bench.engine import ContentCache, Digest, Read, Record, Stage, digest_of
from bench.models import load_encoder
from bench.stages.dense import Model
from bench.stages.late import StoreTokens
from bench.stages.sources import Questions
from bench.stages.token_cache import passages_of
from retrievers.dense import Members, Vectors, Windows, joined, members, window_texts
from retrievers.interface import Chunks, Documents, Floats, Rankings, Reranker
from retrievers.rerankers import (
    CrossEncoder,
    CrossEncoderScorer,
    LateInteraction,
    LateInteractionScorer,
    RerankServer,
    ServedScorer,
    fuse,
)

Hits = np.ndarray[Any, np.dtype[np.int32]]


@dataclass(frozen=True)
class RerankByTokens(Stage[Rankings]):
    """Reorder the first hits by late interaction with the best window of each."""

    kind: ClassVar[str] = "rerank-by-tokens"
    version: ClassVar[int] = 2
    codec: ClassVar[Record[Rankings]] = Record(Rankings)

    ranking: Stage[Rankings]
    questions: Stage[Questions]
    documents: Stage[Documents]
    chunks: Stage[Chunks]
    windows: Stage[Windows]
    vectors: tuple[Stage[Vectors], ...]
    query_vectors: Stage[Vectors]
    model: Model
    settings: LateInteraction
    tokens: tuple[StoreTokens, ...] = ()
    """Stages that store the token vectors; empty if the vectors are computed here."""

    def prepare(self) -> None:
        """Load the model."""
        load_encoder(self.model.settings)

    def run(self, read: Read, /) -> Rankings:
        """Return the rankings with reordered first hits."""
        encoder = load_encoder(self.model.settings)
        documents, windows = read(self.documents), read(self.windows)
        candidates = Candidates.of(
            windows, read(self.chunks), [read(part) for part in self.vectors]
        )
        query_vectors = read(self.query_vectors).vector

        def passages(query: int, hits: Hits) -> list[str]:
            nearest = candidates.nearest(hits, query_vectors[query])
            return window_texts(documents, windows, nearest)

        name = self.model.cache_name
        tokens = passages_of(read, name, encoder, stored=bool(self.tokens))
        cache = read.cache(f"maxsim-{name}")
        scorer = CachedScorer(LateInteractionScorer(encoder, tokens), cache)
        return _reranked(self, read, scorer, passages)


@dataclass(frozen=True)
class RerankByPairs(Stage[Rankings]):
    """Reorder the first hits by a model that reads query and chunk together."""

    kind: ClassVar[str] = "rerank-by-pairs"
    codec: ClassVar[Record[Rankings]] = Record(Rankings)

    ranking: Stage[Rankings]
    questions: Stage[Questions]
    documents: Stage[Documents]
    chunks: Stage[Chunks]
    identity: str
    settings: CrossEncoder | RerankServer

    def run(self, read: Read, /) -> Rankings:
        """Return the rankings with reordered first hits."""
        documents, chunks = read(self.documents), read(self.chunks)

        def passages(_query: int, hits: Hits) -> list[str]:
            return [chunk_text(chunks, documents, int(hit)) for hit in hits]

        digest = sha256(
            f"{replace(self.settings, depth=1, weight=1.0, keep=0)!r} {self.identity}".encode()
        )
        cache = read.cache(f"pairs-{digest.hexdigest()[:24]}")
        scorer = CachedScorer(pair_scorer(self.settings), cache)
        return _reranked(self, read, scorer, passages)


def pair_scorer(settings: CrossEncoder | RerankServer) -> Reranker:
    """Return a scorer of pairs: a model in this process or a server."""
    if isinstance(settings, RerankServer):
        return ServedScorer(settings)
    return CrossEncoderScorer(settings)


def chunk_text(chunks: Chunks, documents: Documents, chunk: int) -> str:
    """Return a chunk's text for pair models, with the path as the first line."""
    if chunks.headers:  # the first line of a header is the path
        return chunks.shown(chunk, documents)
    return f"{documents.paths[int(chunks.document[chunk])]}\n{chunks.text(chunk, documents)}"


def _reranked(
    stage: RerankByTokens | RerankByPairs,
    read: Read,
    scorer: "CachedScorer",
    passages: Callable[[int, Hits], list[str]],
) -> Rankings:
    rankings, texts = read(stage.ranking), read(stage.questions).texts
    hits = []
    for query, text in enumerate(texts):
        found, scores = rankings.of_query(query)
        second = scorer.scores(text, passages(query, found[: stage.settings.depth]))
        order, joint = reordered(found, scores, second, weight=stage.settings.weight)
        keep = stage.settings.keep or len(order)
        hits.append((order[:keep], joint[:keep]))
    scorer.keep()
    read.count(pairs=scorer.asked, scored=scorer.scored)
    return Rankings.of(hits, rankings.mean, rankings.deviation)


def reordered(hits: Hits, scores: Floats, second: Floats, *, weight: float) -> tuple[Hits, Floats]:
    """Return the hits, with those that have a second score in the order of both scores."""
    depth = len(second)
    if not depth:
        return hits, scores
    joint = fuse(scores[:depth], second, weight)
    order = np.argsort(-joint, kind="stable")
    # The new scores are shifted to stay above the scores of hits without a second score.
    first = joint[order] - joint.min() + scores[depth - 1]
    return (
        np.concatenate([hits[:depth][order], hits[depth:]]),
        np.concatenate([first, scores[depth:]]).astype(np.float32),
    )


@dataclass(frozen=True)
class Candidates:
    """Windows of a repository, to find the window of each hit that is nearest to a query."""

    belonging: Members
    vectors: np.ndarray[Any, np.dtype[np.float32]]

    @classmethod
    def of(cls, windows: Windows, chunks: Chunks, parts: Sequence[Vectors]) -> "Candidates":
        """Return the windows of these chunks with their vectors."""
        return cls(members(windows, chunks), joined(parts))

    def nearest(self, hits: Hits, query: Floats) -> Hits:
        """Return the window of each hit that is nearest to the query."""
        chunks, windows = self.belonging
        # `chunks` is sorted, so the windows of each hit are a contiguous range.
        bounds = np.searchsorted(chunks, [hits, hits + 1])
        own = (windows[first:last] for first, last in bounds.T.tolist())
        chosen = [int(mine[np.argmax(self.vectors[mine] @ query)]) for mine in own]
        return np.asarray(chosen, np.int32)


_KEPT_TOGETHER = 256
"""Number of new scores that triggers a write. An interruption loses the unwritten scores."""


class CachedScorer:
    """A scorer with a cache of known pairs."""

    def __init__(self, scorer: Reranker, cache: ContentCache) -> None:
        self._scorer = scorer
        self._cache = cache
        self._new: dict[Digest, Floats] = {}
        self.asked = 0
        self.scored = 0

    def scores(self, query: str, texts: Sequence[str]) -> Floats:
        """Return a score for each text."""
        digests = [digest_of(query, text) for text in texts]
        known = self._cache.find(digests) | {d: self._new[d] for d in digests if d in self._new}
        missing = {d: t for d, t in zip(digests, texts, strict=True) if d not in known}
        if missing:
            new = self._scorer.scores(query, list(missing.values())).reshape(-1, 1)
            self._new.update(zip(missing, new, strict=True))
            known.update(zip(missing, new, strict=True))
            if len(self._new) >= _KEPT_TOGETHER:
                self.keep()
        self.asked, self.scored = self.asked + len(texts), self.scored + len(missing)
        return np.array([known[digest][0] for digest in digests], np.float32)

    def keep(self) -> None:
        """Write the new scores to the cache."""
        if self._new:
            self._cache.add(list(self._new), np.stack(list(self._new.values())))
            self._new.clear()
