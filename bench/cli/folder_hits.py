"""Search of a folder with any configuration: the hits, and each channel's share in them.

The stages are those of a trial, and the searchers are those of a server. A hit therefore has the
same rank as in a study.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from bench.cli.folder_indexing import Stored, checked_out
from bench.engine import ArtifactStore, Stage
from bench.errors import UsageError
from bench.files import data_folder
from bench.launcher.points import read_points
from bench.launcher.study_files import with_study_file
from bench.settings import Fusion, SuiteSettings, TrialSettings, parse_trial
from bench.stages import Ask, RepositoryStages, ServedRetriever
from bench.study.corpus import PreparedRepository
from bench.study.repository_trial import RepositoryTrial
from retrievers.fusion import Aligned, align, weigh_each
from retrievers.fusion.weighted import given_out
from retrievers.graph import CodeGraph, Ranked, RepositoryGraph, Scored, Seeds
from retrievers.interface import SEARCHED, Documents, Rankings
from retrievers.reading import QueryKind, read_query

T = TypeVar("T")

_OF_QUESTIONS = ("suite", "repository", "queries", "seed", "half", "half_of", "only")
"""Settings about questions. They are ignored, because `ask` has a question of its own."""
_USUAL = ("chunker=symbol", "retriever.unit=definition")
"""Settings that make a shipped retriever return symbols. A file has settings of its own."""


@dataclass(frozen=True)
class Hit:
    """An entry of an answer."""

    rank: int
    path: str
    start: int
    end: int
    symbol: str
    """The name of the definition that it shows, or blank."""
    score: float
    """The score after rules, unit and reranker."""
    fused: float
    """The sum of the shares, before rules, unit and reranker."""
    shares: dict[str, float]
    """The share of each channel: its weight times its score on the common scale."""
    ranks: dict[str, int]
    """The rank, from 1, in each channel that found it."""
    node: int
    """The symbol's node in the graph, or -1."""


@dataclass(frozen=True)
class Answer:
    """The hits of a question, with the weights of the channels for it."""

    kind: QueryKind
    weights: dict[str, float]
    model: str
    """The embedding model of the first channel with one and a weight, or blank."""
    hits: tuple[Hit, ...]


def channel_settings(
    retriever: str, assignments: Sequence[str], *, embedder: str = ""
) -> TrialSettings:
    """Return the settings of a shipped retriever or of a configuration file, with assignments."""
    is_file = retriever.endswith((".yaml", ".yml"))
    named = (f"study={retriever}",) if is_file else (f"retriever={retriever}", *_USUAL)
    typed = [*named, *(f"retriever.{one}" for one in assignments)]
    typed += [f"embedder={embedder}"] if embedder else []
    overrides, is_grid = with_study_file(typed, data_folder("conf"))
    if is_grid:
        raise UsageError(f"--retriever {retriever}: a grid; give one configuration")
    kept = [one for one in overrides if one.partition("=")[0] not in _OF_QUESTIONS]
    point = read_points(kept, data_folder("conf"), multirun=False)[0]
    settings = parse_trial(point.config, choices=point.choices, suite=SuiteSettings("folder", ()))
    _refuse(settings, retriever)
    return settings


def _refuse(settings: TrialSettings, retriever: str) -> None:
    retrieval = settings.retrieval
    reason = (
        "a file of rankings or a bound answers no question"
        if retrieval.is_bound or retrieval.is_imported
        else "an external engine is asked by studies only"
        if retrieval.engines
        else "weights are to be chosen by a study first"
        if retrieval.fusion is not None and retrieval.fusion.steps
        else "it expands questions by a server"
        if settings.expansion is not None
        else ""
    )
    if reason:
        raise UsageError(f"--retriever {retriever}: {reason}; use another configuration")


class FolderHits:
    """A folder that is ready for questions. Missing stages run first."""

    def __init__(self, folder: str, store: ArtifactStore, settings: TrialSettings) -> None:
        documents = checked_out(folder, store)
        prepared = PreparedRepository(Path(folder).name, documents, Ask(()), ())
        self._trial = trial = RepositoryTrial(settings, prepared)
        self._read = _Held(store)
        stages = RepositoryStages(documents, trial.tokens, trial.symbols)
        self.graph: CodeGraph = self._read(stages.built(RepositoryGraph()))
        self._definition = self._read(trial.definitions).symbol
        self._chunks = self._read(trial.chunks)

    @property
    def documents(self) -> Documents:
        """The texts of the folder."""
        return self._read(self._trial.repository.documents)

    def ask(self, query: str, limit: int = SEARCHED) -> Answer:
        """Return the best entries for a query."""
        retrieval, served = self._trial.settings.retrieval, self._trial.served
        kind = read_query(query).kind
        alone = str(self._trial.settings.axes["retriever"])
        fusion = retrieval.fusion or Fusion((1.0,), names=(alone,))
        weights = dict(fusion.of_kind).get(kind, fusion.weights)
        # A channel of weight 0 is as good as absent, so its model is not loaded.
        none = Rankings.of([((), ())], [0.0], [0.0])
        pairs = [*zip(served.channels, weights, strict=True)]
        rankings = [self._searched(one, query) if weight else none for one, weight in pairs]
        aligned = align(
            rankings, normalisation=fusion.normalisation, rank_constant=fusion.rank_constant
        )
        is_fused = retrieval.fusion is not None
        whole = weigh_each(aligned, [weights], SEARCHED) if is_fused else rankings[0]
        for step in served.steps:
            whole = step.open(self._read).reordered(query, whole)
        given = given_out(np.array([weights]), aligned)[0]
        shares = _Shares(fusion.names, aligned, given, rankings, self._definition)
        used = zip(retrieval.channels, weights, strict=True)
        models = (getattr(one, "embedder", None) for one, weight in used if weight)
        model = next((one.model for one in models if one is not None), "")
        own = dict(zip(fusion.names, given.tolist(), strict=True))
        return Answer(kind, own, model, tuple(self._hits(whole, shares, limit)))

    def _searched(self, channel: ServedRetriever, query: str) -> Rankings:
        # An engine would be filled for this one question; a trial's ranking is exact as well.
        settings = channel.retriever.for_ranking
        with closing(settings.searcher(channel.data.reader(self._read))) as searcher:
            return searcher.search(query)

    def _hits(self, whole: Rankings, shares: "_Shares", limit: int) -> Iterator[Hit]:
        chunks, scores = whole.of_query(0)
        pairs = zip(chunks[:limit].tolist(), scores[:limit].tolist(), strict=True)
        for rank, (chunk, score) in enumerate(pairs, 1):
            span = self._chunks.span(chunk, self.documents)
            node = int(self._definition[chunk])
            given, ranks = shares.of(chunk)
            yield Hit(
                rank=rank,
                path=span.path,
                start=span.start,
                end=span.end,
                symbol=self.graph.names[node] if node >= 0 else "",
                score=score,
                fused=sum(given.values()),
                shares=given,
                ranks=ranks,
                node=node,
            )


@dataclass(frozen=True)
class _Shares:
    """The share of each channel in the score of each chunk."""

    names: tuple[str, ...]
    aligned: Aligned
    weights: Any
    rankings: Sequence[Rankings]
    definition: Any

    def of(self, chunk: int) -> tuple[dict[str, float], dict[str, int]]:
        """Return the shares and ranks of an entry, which are those of its best chunk.

        The chunk that shows an entry may differ from the chunk that was found.
        """
        own = self.aligned.chunk == chunk
        if self.definition[chunk] >= 0:
            own |= self.definition[self.aligned.chunk] == self.definition[chunk]
        places = np.flatnonzero(own)
        if not len(places):
            return dict.fromkeys(self.names, 0.0), {}
        parts = self.weights[:, None] * self.aligned.values[:, places]
        best = int(np.argmax(parts.sum(axis=0)))
        found = int(self.aligned.chunk[places[best]])
        ranks = (np.flatnonzero(ranking.of_query(0)[0] == found) for ranking in self.rankings)
        return (
            dict(zip(self.names, parts[:, best].tolist(), strict=True)),
            {name: int(at[0]) + 1 for name, at in zip(self.names, ranks, strict=True) if len(at)},
        )


class _Held(Stored):
    """Results of stages, each read once because channels share chunks and documents."""

    def __init__(self, store: ArtifactStore) -> None:
        super().__init__(store)
        self._values: dict[str, Any] = {}

    def __call__(self, stage: Stage[T], /) -> T:
        """Return the result of a stage."""
        if stage.fingerprint not in self._values:
            self._values[stage.fingerprint] = super().__call__(stage)
        value: T = self._values[stage.fingerprint]
        return value


def as_ranked(answer: Answer) -> Ranked:
    """Return the symbols of an answer in the form for packing. All have the same nearness, 1."""
    hits = {hit.node: hit.score for hit in reversed(answer.hits) if hit.node >= 0}
    nodes = np.array([*reversed(hits)], np.int64)
    scores = np.array([*reversed(hits.values())], np.float64)
    none = np.zeros(0)
    seeds = Seeds(none.astype(np.int32), none.astype(np.float32), {})
    return Ranked(Scored(nodes, scores, {}), np.ones(len(nodes)), 0, seeds, None)
