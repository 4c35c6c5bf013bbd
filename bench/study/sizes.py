"""Amounts of work in the stages of a plan before they run: bytes, tokens, pairs or queries.

A size is exact once a finished stage has counted it, and estimated until then. This module does
not know about time.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from bench.engine import Fingerprint, Stage
from bench.stages import (
    Ask,
    BuildIndex,
    MeasureLatency,
    RankQueries,
    RerankByPairs,
    RerankByTokens,
    StoreTokens,
)
from bench.stages.dense import EmbedWindows
from bench.stages.late import EmbedTokens
from bench.stages.latency import MOST_QUERIES

REPOSITORY_BYTES = 1_200_000
"""Assumed bytes of a repository before its download: the mean of the shipped suites."""
_DOCUMENT_BYTES = 7_000
"""Assumed bytes of a document if no stage has counted them."""
_TOKENS_PER_BYTE = 0.3
"""Assumed tokens per byte before documents are cut into windows, for code and prose with the
packaged model."""
_NEW_TOKENS = 0.6
"""Assumed share of new tokens for a second chunk size. The vectors of the other texts are
cached."""
_SOURCES = ("check-out", "check-out-folder", "read-corpus")
_BY_QUERIES = (
    "rank-queries",
    "apply-rules",
    "fuse",
    "fuse-by-kind",
    "rank-by-chance",
    "rank-by-answers",
    "evaluate",
    "list-hits",
    "list-entries",
    "embed-queries",
    "embed-query-tokens",
    "ask-engine",
    "expand-queries",
    "take-wording",
    "answer-queries",
    "score-weights",
    "pack-context",
)

Counts = Callable[[Stage[Any]], Mapping[str, int] | None]


def rate_name(stage: Stage[Any]) -> str:
    """Return the name of a stage's rate: its kind, with the model or class that decides its
    speed."""
    match stage:
        case RankQueries():
            made_by = type(stage.retriever).__name__
        case BuildIndex():
            made_by = type(stage.derived).__name__
        case RerankByPairs() | RerankByTokens():
            made_by = str(getattr(stage.settings, "model", type(stage.settings).__name__))
        case MeasureLatency():
            made_by = _served(stage)
        case _:
            model = getattr(stage, "model", None)
            made_by = str(model.settings.model) if model is not None else ""
    return f"{stage.kind} {made_by}".strip()


def _served(stage: MeasureLatency) -> str:
    pipelines = stage.served[:1]
    channels = [type(one.retriever).__name__ for each in pipelines for one in each.channels]
    return "+".join(
        [*channels, *(type(step).__name__ for each in pipelines for step in each.steps)]
    )


class Sizes:
    """Sizes of stages. `counts_of` returns the counts of finished stages and None for others."""

    def __init__(self, counts_of: Counts, stages: Iterable[Stage[Any]] = ()) -> None:
        """Take the stages of a plan in order; the first windows of each document are all new."""
        self._counts_of = counts_of
        self._embedded_first: dict[tuple[Fingerprint, str], Fingerprint] = {}
        self._sources: dict[Fingerprint, Stage[Any] | None] = {}
        self._asked: dict[Fingerprint, Ask | None] = {}
        for stage in stages:
            if isinstance(stage, EmbedWindows):
                self._is_new(stage)

    def of(self, stage: Stage[Any]) -> float:
        """Return the size of a stage in the unit of its kind, at least 1."""
        match stage:
            case EmbedWindows():
                share = 1.0 if self._is_new(stage) else _NEW_TOKENS
                size = share * self._tokens(stage.windows) / stage.parts
            case EmbedTokens():
                size = self._tokens(stage.windows) / stage.parts
            case StoreTokens():
                size = self._tokens(stage.windows) / stage.embedding.parts
            case RerankByPairs() | RerankByTokens():
                size = self._queries(stage) * stage.settings.depth
            case MeasureLatency():
                size = min(MOST_QUERIES, sum(map(self._queries, stage.questions)))
            case _:
                size = self._plain(stage)
        return max(1.0, size)

    def unknown_repositories(self, stages: tuple[Stage[Any], ...]) -> int:
        """Return the number of repositories in a plan whose size is assumed."""
        sources = {source.fingerprint: source for source in map(self._source, stages) if source}
        return sum(self._counts_of(source) is None for source in sources.values())

    def _is_new(self, stage: EmbedWindows) -> bool:
        """Return True unless an earlier stage embeds other windows of the same documents."""
        which = stage.documents.fingerprint, stage.model.cache_name
        own = stage.windows.fingerprint
        return self._embedded_first.setdefault(which, own) == own

    def _plain(self, stage: Stage[Any]) -> float:
        if stage.kind in _SOURCES or isinstance(stage, Ask):
            return 1
        return self._queries(stage) if stage.kind in _BY_QUERIES else self._bytes(stage)

    def _tokens(self, windows: Stage[Any]) -> float:
        counts = self._counts_of(windows) or {}
        return counts.get("tokens", _TOKENS_PER_BYTE * self._bytes(windows))

    def _bytes(self, stage: Stage[Any]) -> float:
        source = self._source(stage)
        counts = (self._counts_of(source) if source else None) or {}
        documents = counts.get("documents")
        known = REPOSITORY_BYTES if documents is None else documents * _DOCUMENT_BYTES
        return counts.get("bytes", known)

    def _queries(self, stage: Stage[Any]) -> int:
        asked = _nearest(stage, lambda one: isinstance(one, Ask), self._asked)
        return len(asked.texts) if isinstance(asked, Ask) else 1

    def _source(self, stage: Stage[Any]) -> Stage[Any] | None:
        return _nearest(stage, lambda one: one.kind in _SOURCES, self._sources)


def _nearest(
    stage: Stage[Any], is_wanted: Callable[[Stage[Any]], bool], known: dict[Fingerprint, Any]
) -> Stage[Any] | None:
    """Return `stage` or its nearest input that is wanted, or None."""
    # Plans of many trials share most stages, so each stage is searched only once.
    if stage.fingerprint not in known:
        behind = (_nearest(needed, is_wanted, known) for needed in stage.inputs)
        known[stage.fingerprint] = (
            stage if is_wanted(stage) else next((one for one in behind if one is not None), None)
        )
    found: Stage[Any] | None = known[stage.fingerprint]
    return found
