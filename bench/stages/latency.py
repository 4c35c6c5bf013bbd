"""How long one query takes, end to end, alone on the machine and without caches."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np

from bench.pipeline import Read, Record, Stage
from bench.stages.dense import Model, Vectors, joined
from bench.stages.ranking import belonging_of
from bench.stages.reranking import Candidates, Hits, chunk_text, reordered
from bench.stages.sources import Questions
from retrievers.dense import (
    Members,
    VectorEngine,
    Windows,
    load_encoder,
    open_engine,
    window_texts,
)
from retrievers.dense.settings import LongText
from retrievers.fusion import fuse
from retrievers.interface import Chunks, Documents, Floats, Rankings, ranked
from retrievers.lexical import BM25, BM25Index, Postings
from retrievers.rerankers import (
    CrossEncoder,
    CrossEncoderScorer,
    LateInteraction,
    LateInteractionScorer,
)
from retrievers.rules import PathWords, RuleBook, Rules
from retrievers.source import Symbols

MOST_QUERIES, MOST_SECONDS, WARM_UP = 50, 20.0, 3
_POOL = 200
"""Windows that the engine returns: enough for their chunks to fill the fused list."""


@dataclass(frozen=True)
class Latency:
    """Milliseconds of each query asked, and how they were taken."""

    milliseconds: np.ndarray[Any, np.dtype[np.float64]]
    how: dict[str, object]


@dataclass(frozen=True)
class Engine:
    """The vector engine to ask; the address of a server is part of what is measured."""

    kind: str
    url: str = ""
    key_variable: str = ""


@dataclass(frozen=True)
class WindowInputs:
    """What a model saw of a repository, and the model."""

    model: Model
    windows: Stage[Windows]
    vectors: tuple[Stage[Vectors], ...]


@dataclass(frozen=True)
class LiveInputs:
    """The stored data of one repository that a pipeline serves from."""

    questions: Stage[Questions]
    documents: Stage[Documents]
    chunks: Stage[Chunks]
    postings: Stage[Postings] | None
    dense: WindowInputs | None
    closer: WindowInputs | None
    """What late interaction chooses its texts from."""
    paths: Stage[PathWords] | None = None
    symbols: Stage[Symbols] | None = None
    """What rules look at."""


@dataclass(frozen=True)
class LiveSettings:
    """What a pipeline does with a query; fusion weights change no time and are left out."""

    lexical: BM25 | None
    engine: Engine | None
    long_text: LongText
    reranker: LateInteraction | CrossEncoder | None
    rules: Rules | None = None


@dataclass(frozen=True)
class MeasureLatency(Stage[Latency]):
    """Ask a pipeline at most 50 distinct queries for at most 20 seconds, one after another."""

    kind: ClassVar[str] = "measure-latency"
    codec: ClassVar[Record[Latency]] = Record(Latency)
    exclusive: ClassVar[bool] = True

    repositories: tuple[LiveInputs, ...]
    settings: LiveSettings
    machine: str
    limit: int
    fresh: str = ""
    """A name that no earlier study used, when its samples must not be reused."""

    @property
    def subject(self) -> str:
        """All repositories."""
        return ""

    def run(self, read: Read, /) -> Latency:
        """Return a sample per query."""
        pipelines = [LivePipeline(inputs, self.settings, read) for inputs in self.repositories]
        try:
            asked = _in_turn([read(inputs.questions).texts for inputs in self.repositories])
            for place, text in asked[:WARM_UP]:
                pipelines[place].answer(text, self.limit)
            samples = _timed(pipelines, asked, self.limit)
        finally:
            for pipeline in pipelines:
                pipeline.close()
        return Latency(np.array(samples), _how(self, len(samples)))


def _how(stage: MeasureLatency, samples: int) -> dict[str, object]:
    engine = stage.settings.engine
    return {
        "samples": samples,
        "threads": 1,
        "engine": engine.kind if engine else "none",
        "machine": stage.machine,
        "caches": "none",
    }


def _in_turn(texts: Sequence[Sequence[str]]) -> list[tuple[int, str]]:
    """Return distinct queries, a repository's after another's, so that all are heard early."""
    longest = max(len(own) for own in texts)
    turns = [
        (place, own[n]) for n in range(longest) for place, own in enumerate(texts) if n < len(own)
    ]
    return list(dict.fromkeys(turns))[:MOST_QUERIES]


def _timed(
    pipelines: Sequence["LivePipeline"], asked: Sequence[tuple[int, str]], limit: int
) -> list[float]:
    samples: list[float] = []
    end = time.perf_counter() + MOST_SECONDS
    for place, text in asked:
        start = time.perf_counter()
        pipelines[place].answer(text, limit)
        now = time.perf_counter()
        samples.append((now - start) * 1000)
        if now > end:
            break
    return samples


class LivePipeline:
    """A configuration as it would be served: loaded once, asked one query at a time."""

    def __init__(self, inputs: LiveInputs, settings: LiveSettings, read: Read) -> None:
        self._words = None
        if settings.lexical and inputs.postings:
            self._words = BM25Index(read(inputs.postings), settings.lexical)
        self._vectors = None
        if inputs.dense and settings.engine:
            self._vectors = _LiveVectors(inputs, inputs.dense, settings, read)
        self._book = None
        if inputs.paths and inputs.symbols:
            chunks, symbols = read(inputs.chunks), read(inputs.symbols)
            self._book = RuleBook(chunks, read(inputs.paths), symbols)
        self._rules = settings.rules
        self._look = _live_look(inputs, settings, read)
        self._reranker = settings.reranker

    def answer(self, query: str, limit: int) -> list[int]:
        """Return the best chunks for a query."""
        opinions = []
        if self._words is not None:
            opinions.append(ranked([self._words.scores(query)], _POOL, floor=0.0))
        if self._vectors is not None:
            opinions.append(self._vectors.opinion(query))
        whole = opinions[0]
        if len(opinions) > 1:
            whole = fuse(opinions, [0.5, 0.5], depth=_POOL)
        if self._book is not None and self._rules is not None:
            whole = self._book.apply(whole, [query], self._rules, depth=_POOL)
        hits, scores = whole.of_query(0)
        if self._look is not None and self._reranker is not None:
            second = self._look.scores(query, hits[: self._reranker.depth])
            hits, scores = reordered(hits, scores, second, weight=self._reranker.weight)
        return [int(hit) for hit in hits[:limit]]

    def close(self) -> None:
        """Let go of the engine."""
        if self._vectors is not None:
            self._vectors.close()


class _LiveVectors:
    """Dense search through a vector engine."""

    def __init__(
        self, inputs: LiveInputs, dense: WindowInputs, settings: LiveSettings, read: Read
    ) -> None:
        engine = settings.engine or Engine("exact")
        vectors = joined([read(part) for part in dense.vectors])
        self._encoder = load_encoder(dense.model.settings)
        self._chunks = len(read(inputs.chunks))
        belonging = belonging_of(read(dense.windows), read(inputs.chunks), settings.long_text)
        self._chunk_of = _chunk_of(belonging, len(vectors))
        self._engine: VectorEngine = open_engine(
            engine.kind, vectors, url=engine.url, key_variable=engine.key_variable
        )

    def opinion(self, query: str) -> Rankings:
        """Return the chunks of the windows that the engine finds."""
        windows, scores = self._engine.search(self._encoder.queries([query])[0], _POOL)
        row = np.full(self._chunks, -np.inf, np.float32)
        np.maximum.at(row, self._chunk_of[windows], scores)
        found = np.flatnonzero(np.isfinite(row))
        order = found[np.argsort(-row[found], kind="stable")]
        kept = row[order]
        return Rankings.of([(order, kept)], [float(kept.mean())], [float(kept.std())])

    def close(self) -> None:
        """Let go of the engine."""
        self._engine.close()


def _chunk_of(belonging: Members, windows: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return the chunk that each window is shown in; the first, where several share it."""
    chunks, own = belonging
    shown = np.zeros(windows, np.int64)
    shown[own[::-1]] = chunks[::-1]
    return shown


class _LiveLook(Protocol):
    def scores(self, query: str, hits: Hits) -> Floats: ...


def _live_look(inputs: LiveInputs, settings: LiveSettings, read: Read) -> _LiveLook | None:
    if isinstance(settings.reranker, CrossEncoder):
        return _LivePairs(inputs, settings.reranker, read)
    if settings.reranker is not None and inputs.closer is not None:
        return _LiveTokens(inputs, inputs.closer, read)
    return None


class _LivePairs:
    """A pair model, loaded once."""

    def __init__(self, inputs: LiveInputs, settings: CrossEncoder, read: Read) -> None:
        self._documents, self._chunks = read(inputs.documents), read(inputs.chunks)
        self._scorer = CrossEncoderScorer(settings)

    def scores(self, query: str, hits: Hits) -> Floats:
        """Return a score a hit."""
        texts = [chunk_text(self._chunks, self._documents, int(hit)) for hit in hits]
        return self._scorer.scores(query, texts)


class _LiveTokens:
    """Late interaction that embeds every candidate anew."""

    def __init__(self, inputs: LiveInputs, closer: WindowInputs, read: Read) -> None:
        self._documents, self._windows = read(inputs.documents), read(closer.windows)
        self._encoder = load_encoder(closer.model.settings)
        vectors = [read(part) for part in closer.vectors]
        self._candidates = Candidates.of(self._windows, read(inputs.chunks), vectors)

    def scores(self, query: str, hits: Hits) -> Floats:
        """Return a score a hit."""
        nearest = self._candidates.nearest(hits, self._encoder.queries([query])[0])
        texts = window_texts(self._documents, self._windows, self._encoder, nearest)
        return LateInteractionScorer(self._encoder).scores(query, texts)
