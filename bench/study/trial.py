"""A trial: one configuration as stages, from the sources to its scores."""

import os
import platform
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

from bench.judgements import Query
from bench.pipeline import Stage
from bench.settings import TrialSettings
from bench.stages import (
    PARTS,
    ApplyRules,
    CountWords,
    Cut,
    CutChunkWindows,
    CutWindows,
    EmbedQueries,
    EmbedWindows,
    Engine,
    Evaluate,
    Fuse,
    ListHits,
    LiveInputs,
    LiveSettings,
    MeasureLatency,
    Model,
    Parse,
    RankByVectors,
    RankByWords,
    ReadPaths,
    RerankByPairs,
    RerankByTokens,
    ResolveTargets,
    Tokenize,
    WindowInputs,
)
from bench.study.corpus import Corpus, PreparedRepository
from retrievers.dense import EmbeddingModel
from retrievers.dense.settings import LongText
from retrievers.interface import Chunks, Rankings
from retrievers.rerankers import CrossEncoder, LateInteraction


@dataclass(frozen=True)
class Judged:
    """The last stages of a trial on one repository."""

    repository: PreparedRepository
    scores: Evaluate
    hits: ListHits


@dataclass(frozen=True)
class Trial:
    """A configuration and the stages that judge it."""

    name: str
    settings: TrialSettings
    judged: tuple[Judged, ...]
    latency: MeasureLatency | None

    @classmethod
    def of(cls, name: str, settings: TrialSettings, corpus: Corpus, *, latency: str) -> "Trial":
        """Return the stages of `settings` on every repository of `corpus`.

        `latency` is "off", "reuse", or the name of the study that wants its own samples.
        """
        branches = [_Branch(settings, repository) for repository in corpus.repositories]
        return cls(
            name=name,
            settings=settings,
            judged=tuple(branch.judged for branch in branches),
            latency=None if latency == "off" else _latency(settings, branches, latency),
        )

    @property
    def goals(self) -> tuple[Stage[Any], ...]:
        """The stages that finish the trial."""
        ends = [stage for end in self.judged for stage in (end.scores, end.hits)]
        return (*ends, *([self.latency] if self.latency else []))

    @cached_property
    def fingerprint(self) -> str:
        """The identity of the trial's quality: equal fingerprints, equal scores."""
        whole = "".join(end.scores.fingerprint for end in self.judged)
        return sha256(whole.encode()).hexdigest()


@dataclass(frozen=True)
class _Branch:
    """The stages of one configuration on one repository, each made once."""

    settings: TrialSettings
    repository: PreparedRepository

    @cached_property
    def tokens(self) -> Tokenize:
        return Tokenize(self.repository.documents)

    @cached_property
    def chunks(self) -> Stage[Chunks]:
        return Cut(self.repository.documents, self.tokens, self.settings.chunker)

    @cached_property
    def postings(self) -> CountWords | None:
        lexical = self.settings.lexical
        if lexical is None:
            return None
        return CountWords(self.repository.documents, self.chunks, lexical.tokenizer)

    @cached_property
    def dense(self) -> WindowInputs | None:
        embedder = self.settings.embedder
        if embedder is None:
            return None
        if embedder.long_text != "truncate":
            return self._windows(embedder)
        model = Model.of(embedder)
        windows = CutChunkWindows(self.repository.documents, self.chunks, model)
        return self._embedded(model, windows)

    @cached_property
    def closer(self) -> WindowInputs | None:
        """What late interaction chooses its texts from."""
        reranker = self.settings.reranker
        return self._windows(reranker.embedder) if isinstance(reranker, LateInteraction) else None

    def _windows(self, embedder: EmbeddingModel) -> WindowInputs:
        model = Model.of(embedder)
        return self._embedded(model, CutWindows(self.repository.documents, model))

    def _embedded(self, model: Model, windows: Stage[Any]) -> WindowInputs:
        documents = self.repository.documents
        parts = (EmbedWindows(documents, windows, model, part) for part in range(PARTS))
        return WindowInputs(model, windows, tuple(parts))

    @cached_property
    def first_ranking(self) -> Stage[Rankings]:
        opinions: list[Stage[Rankings]] = []
        if self.postings is not None and self.settings.lexical is not None:
            opinions.append(
                RankByWords(self.repository.questions, self.postings, self.settings.lexical)
            )
        if self.dense is not None and self.settings.embedder is not None:
            opinions.append(self._by_vectors(self.dense, self.settings.embedder.long_text))
        if self.settings.weights is None:
            return opinions[0]
        return Fuse(tuple(opinions), self.settings.weights)

    def _by_vectors(self, dense: WindowInputs, long_text: LongText) -> RankByVectors:
        return RankByVectors(
            questions=EmbedQueries(self.repository.questions, dense.model),
            documents=self.repository.documents,
            chunks=self.chunks,
            windows=dense.windows,
            vectors=dense.vectors,
            long_text=long_text,
        )

    @cached_property
    def paths(self) -> ReadPaths | None:
        return ReadPaths(self.repository.documents) if self.settings.rules else None

    @cached_property
    def ruled_ranking(self) -> Stage[Rankings]:
        if self.settings.rules is None or self.paths is None:
            return self.first_ranking
        return ApplyRules(
            ranking=self.first_ranking,
            questions=self.repository.questions,
            chunks=self.chunks,
            paths=self.paths,
            symbols=self.symbols,
            rules=self.settings.rules,
            floor="zero" if self.settings.weights else "mean",
        )

    @cached_property
    def symbols(self) -> Parse:
        return Parse(self.repository.documents)

    @cached_property
    def ranking(self) -> Stage[Rankings]:
        reranker = self.settings.reranker
        if isinstance(reranker, CrossEncoder):
            return RerankByPairs(
                ranking=self.ruled_ranking,
                questions=self.repository.questions,
                documents=self.repository.documents,
                chunks=self.chunks,
                identity=reranker.identity,
                settings=reranker,
            )
        if self.closer is None or reranker is None:
            return self.ruled_ranking
        return RerankByTokens(
            ranking=self.ruled_ranking,
            questions=self.repository.questions,
            documents=self.repository.documents,
            chunks=self.chunks,
            windows=self.closer.windows,
            vectors=self.closer.vectors,
            query_vectors=EmbedQueries(self.repository.questions, self.closer.model),
            model=self.closer.model,
            settings=reranker,
        )

    @cached_property
    def judged(self) -> Judged:
        documents, limit = self.repository.documents, self.settings.limit
        asked = tuple(_asked(query) for query in self.repository.queries)
        judgements = ResolveTargets(documents, self.symbols, asked)
        scores = Evaluate(self.ranking, self.chunks, documents, self.tokens, judgements, limit)
        hits = ListHits(self.ranking, self.chunks, documents, limit)
        return Judged(self.repository, scores, hits)

    @property
    def live(self) -> LiveInputs:
        """What the configuration would be served from."""
        return LiveInputs(
            questions=self.repository.questions,
            documents=self.repository.documents,
            chunks=self.chunks,
            postings=self.postings,
            dense=self.dense,
            closer=self.closer,
            paths=self.paths,
            symbols=self.symbols if self.settings.rules else None,
        )


def _asked(query: Query) -> Query:
    """Return what decides where the targets are: neither the wording nor any label."""
    return Query(query.id, "", query.targets, query.negative)


def _latency(settings: TrialSettings, branches: list[_Branch], latency: str) -> MeasureLatency:
    vectors = settings.vectors
    engine = Engine(vectors.kind, vectors.url, vectors.key_variable) if vectors else None
    return MeasureLatency(
        repositories=tuple(branch.live for branch in branches),
        settings=LiveSettings(
            lexical=settings.lexical,
            engine=engine if settings.embedder else None,
            long_text=settings.embedder.long_text if settings.embedder else "max",
            reranker=settings.reranker,
            rules=settings.rules,
        ),
        machine=machine(),
        limit=settings.limit,
        fresh="" if latency == "reuse" else latency,
    )


def machine() -> str:
    """Return what decides this machine's speed, as far as it says so."""
    model = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as lines:  # noqa: PTH123
            model = next(line for line in lines if line.startswith("model name")).split(":")[1]
    except (OSError, StopIteration):
        pass
    return f"{model.strip()}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}"
