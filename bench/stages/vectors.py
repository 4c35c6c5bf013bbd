"""Ranking by vectors: what a model saw of a repository, the ranking, and its live form."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bench.models import load_encoder
from bench.pipeline import Read, Record, Stage
from bench.stages.dense import EmbedQueries, Model, Vectors, joined
from bench.stages.live import POOL
from bench.stages.ranking import DEPTH
from bench.stages.sources import Questions
from retrievers.dense import (
    Members,
    VectorEngine,
    VectorSettings,
    Windows,
    chunk_scores,
    members,
    open_engine,
    recall,
)
from retrievers.dense.settings import LongText
from retrievers.interface import Chunks, Documents, Floats, Integers, Rankings, ranked


@dataclass(frozen=True)
class WindowInputs:
    """What a model saw of a repository, and the model."""

    model: Model
    windows: Stage[Windows]
    vectors: tuple[Stage[Vectors], ...]

    def queries(self, questions: Stage[Questions]) -> EmbedQueries:
        """Return the stage that embeds what is asked with the same model."""
        return EmbedQueries(questions, self.model)


@dataclass(frozen=True)
class RankByVectors(Stage[Rankings]):
    """Score every chunk by the cosine of its windows with each query; exact."""

    kind: ClassVar[str] = "rank-by-vectors"
    codec: ClassVar[Record[Rankings]] = Record(Rankings)

    questions: Stage[Vectors]
    documents: Stage[Documents]
    chunks: Stage[Chunks]
    windows: Stage[Windows]
    vectors: tuple[Stage[Vectors], ...]
    long_text: LongText
    depth: int = DEPTH

    def run(self, read: Read, /) -> Rankings:
        """Return the best chunks."""
        chunks = read(self.chunks)
        belonging = belonging_of(read(self.windows), chunks, self.long_text)
        rows = chunk_scores(
            read(self.questions).vector,
            joined([read(part) for part in self.vectors]),
            belonging,
            chunk_count=len(chunks),
            long_text=self.long_text,
        )
        return ranked(rows, self.depth, floor=None)


def belonging_of(windows: Windows, chunks: Chunks, long_text: LongText) -> Members:
    """Return which windows count for which chunk; truncated, each chunk has its own."""
    if long_text == "truncate":
        own = np.arange(len(chunks))
        return own, own
    return members(windows, chunks)


@dataclass(frozen=True)
class LiveVectors:
    """What serves by vectors."""

    chunks: Stage[Chunks]
    dense: WindowInputs
    long_text: LongText
    engine: VectorSettings

    def open(self, read: Read, /) -> "_LiveVectors":
        """Give the vectors to the engine and load the model."""
        return _LiveVectors(self, read)


class _LiveVectors:
    """Dense search through a vector engine."""

    def __init__(self, form: LiveVectors, read: Read) -> None:
        chunks = read(form.chunks)
        vectors = joined([read(part) for part in form.dense.vectors])
        self._encoder = load_encoder(form.dense.model.settings)
        self._chunks = len(chunks)
        belonging = belonging_of(read(form.dense.windows), chunks, form.long_text)
        self._chunk_of = chunk_of_each(belonging, len(vectors))
        self._engine: VectorEngine = open_engine(form.engine, vectors)
        self._known = None if form.engine.is_exact else vectors

    def opinion(self, query: str) -> Rankings:
        """Return the chunks of the windows that the engine finds."""
        windows, scores = self._engine.search(self._encoder.queries([query])[0], POOL)
        return of_windows(scores, self._chunk_of[windows], self._chunks)

    def recall(self, query: str, limit: int) -> float | None:
        """Return the share of the nearest windows that the engine finds, unless it must."""
        if self._known is None:
            return None
        vector = self._encoder.queries([query])[0]
        found, _ = self._engine.search(vector, limit)
        return recall(found, self._known, vector, limit)

    def close(self) -> None:
        """Let go of the engine."""
        self._engine.close()


def of_windows(scores: Floats, chunks: Integers, chunk_count: int) -> Rankings:
    """Return the ranking of one query by the best of the windows found in each chunk."""
    row = np.full(chunk_count, -np.inf, np.float32)
    np.maximum.at(row, chunks, scores)
    found = np.flatnonzero(np.isfinite(row))
    order = found[np.argsort(-row[found], kind="stable")]
    kept = row[order]
    mean, deviation = (float(kept.mean()), float(kept.std())) if len(kept) else (0.0, 0.0)
    return Rankings.of([(order, kept)], [mean], [deviation])


def chunk_of_each(belonging: Members, windows: int) -> Integers:
    """Return the chunk that each window is shown in; the first, where several share it."""
    chunks, own = belonging
    shown = np.zeros(windows, np.int64)
    shown[own[::-1]] = chunks[::-1]
    return shown
