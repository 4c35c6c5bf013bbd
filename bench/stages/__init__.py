"""The stages of a trial: from a pinned repository to scores and latency."""

from bench.stages.answering import (
    Answerer,
    AnswerQueries,
    CalibrateRefusal,
    Replies,
    Threshold,
    best_scores,
)
from bench.stages.bounds import RankByAnswers, RankByChance
from bench.stages.cutting import AddHeaders, Cut, Cuttable, DescribeChunks, Tokenize
from bench.stages.dense import (
    PARTS,
    CutChunkWindows,
    CutWindows,
    EmbedQueries,
    EmbedWindows,
    Model,
    Vectors,
)
from bench.stages.external import AskEngine, EngineAnswers, Opening, TakePlaces, TakeRankings
from bench.stages.graph import (
    BuildGraph,
    ContextPack,
    ContextRequest,
    GraphForm,
    GraphInputs,
    PackContext,
    SplitSymbols,
    graph_inputs,
)
from bench.stages.judging import Evaluate, HitList, ListHits, ResolveTargets
from bench.stages.late import (
    EmbedQueryTokens,
    EmbedTokens,
    LiveTokenVectors,
    RankByTokenVectors,
)
from bench.stages.latency import Latency, MeasureLatency
from bench.stages.live import ChannelForm, Served, StepForm
from bench.stages.live_external import LiveEngine
from bench.stages.live_rerankers import LivePairs, LiveTokens
from bench.stages.placing import RankByPlaces
from bench.stages.ranking import Fuse, FuseByKind
from bench.stages.reranking import RerankByPairs, RerankByTokens
from bench.stages.rules import ApplyRules, LiveRules, ReadPaths
from bench.stages.sources import (
    Ask,
    CheckOut,
    CheckOutFolder,
    FindEdges,
    Parse,
    Questions,
    ReadCorpus,
)
from bench.stages.vectors import LiveVectors, RankByVectors, WindowInputs
from bench.stages.weighing import (
    ChooseWeights,
    ChosenWeights,
    ScoreWeights,
    Weighing,
    WeightScores,
    by_repository,
)
from bench.stages.words import (
    CountWords,
    FieldsForm,
    GrepForm,
    IndexForm,
    LiveIndex,
    LiveWords,
    NamesForm,
    RankByWords,
    SplitFields,
    WordsForm,
)

__all__ = [
    "PARTS",
    "AddHeaders",
    "AnswerQueries",
    "Answerer",
    "ApplyRules",
    "Ask",
    "AskEngine",
    "BuildGraph",
    "CalibrateRefusal",
    "ChannelForm",
    "CheckOut",
    "CheckOutFolder",
    "ChooseWeights",
    "ChosenWeights",
    "ContextPack",
    "ContextRequest",
    "CountWords",
    "Cut",
    "CutChunkWindows",
    "CutWindows",
    "Cuttable",
    "DescribeChunks",
    "EmbedQueries",
    "EmbedQueryTokens",
    "EmbedTokens",
    "EmbedWindows",
    "EngineAnswers",
    "Evaluate",
    "FieldsForm",
    "FindEdges",
    "Fuse",
    "FuseByKind",
    "GraphForm",
    "GraphInputs",
    "GrepForm",
    "HitList",
    "IndexForm",
    "Latency",
    "ListHits",
    "LiveEngine",
    "LiveIndex",
    "LivePairs",
    "LiveRules",
    "LiveTokenVectors",
    "LiveTokens",
    "LiveVectors",
    "LiveWords",
    "MeasureLatency",
    "Model",
    "NamesForm",
    "Opening",
    "PackContext",
    "Parse",
    "Questions",
    "RankByAnswers",
    "RankByChance",
    "RankByPlaces",
    "RankByTokenVectors",
    "RankByVectors",
    "RankByWords",
    "ReadCorpus",
    "ReadPaths",
    "Replies",
    "RerankByPairs",
    "RerankByTokens",
    "ResolveTargets",
    "ScoreWeights",
    "Served",
    "SplitFields",
    "SplitSymbols",
    "StepForm",
    "TakePlaces",
    "TakeRankings",
    "Threshold",
    "Tokenize",
    "Vectors",
    "Weighing",
    "WeightScores",
    "WindowInputs",
    "WordsForm",
    "best_scores",
    "by_repository",
    "graph_inputs",
]
