"""The stages of a trial: from a pinned repository to scores and latency."""

from bench.stages.dense import (
    PARTS,
    CutChunkWindows,
    CutWindows,
    EmbedQueries,
    EmbedWindows,
    Model,
    Vectors,
)
from bench.stages.judging import Evaluate, HitList, ListHits, ResolveTargets
from bench.stages.latency import (
    Engine,
    Latency,
    LiveInputs,
    LiveSettings,
    MeasureLatency,
    WindowInputs,
)
from bench.stages.ranking import Fuse, RankByVectors, RankByWords
from bench.stages.reranking import RerankByPairs, RerankByTokens
from bench.stages.rules import ApplyRules, ReadPaths
from bench.stages.sources import (
    Ask,
    CheckOut,
    CheckOutFolder,
    Cut,
    Parse,
    Questions,
    ReadCorpus,
    Tokenize,
)
from bench.stages.words import CountWords

__all__ = [
    "PARTS",
    "ApplyRules",
    "Ask",
    "CheckOut",
    "CheckOutFolder",
    "CountWords",
    "Cut",
    "CutChunkWindows",
    "CutWindows",
    "EmbedQueries",
    "EmbedWindows",
    "Engine",
    "Evaluate",
    "Fuse",
    "HitList",
    "Latency",
    "ListHits",
    "LiveInputs",
    "LiveSettings",
    "MeasureLatency",
    "Model",
    "Parse",
    "Questions",
    "RankByVectors",
    "RankByWords",
    "ReadCorpus",
    "ReadPaths",
    "RerankByPairs",
    "RerankByTokens",
    "ResolveTargets",
    "Tokenize",
    "Vectors",
    "WindowInputs",
]
