"""The stages of a trial: from a pinned repository to scores and latency."""

from bench.stages.answering import (
    Answerer,
    AnswerQueries,
    CalibrateRefusal,
    Replies,
    Threshold,
    best_scores,
)
from bench.stages.copies import Copies, FindCopies
from bench.stages.cutting import AddHeaders, Cut, Cuttable, DescribeChunks, Tokenize
from bench.stages.dense import PARTS, EmbeddedWindows, Model, TokenizeByModel
from bench.stages.engine_recall import EngineRecall, MeasureEngineRecall
from bench.stages.expanding import Expanded, ExpandQueries, ServedExpansion, TakeWording
from bench.stages.external import AskEngine, TakePlaces, TakeRun
from bench.stages.inputs import BuildIndex, RepositoryStages
from bench.stages.judging import Evaluate, HitList, ListHits, ResolveTargets
from bench.stages.late import StoreTokens, stored_tokens
from bench.stages.latency import Latency, MeasureLatency
from bench.stages.listing import FindDefinitions, Listed, ListEntries, ServedEntries
from bench.stages.ranking import Fuse, FuseByKind, RankQueries
from bench.stages.reference_rankers import BOUNDS, Bound, Chance, Constant, JudgedChunks, Oracle
from bench.stages.reranking import RerankByPairs, RerankByTokens
from bench.stages.rules import ApplyRules, ReadPaths, ServedRules
from bench.stages.served_rerankers import ServedPairs, ServedTokens
from bench.stages.serving import Served, ServedRetriever, ServedStep
from bench.stages.sources import (
    Ask,
    CheckOut,
    CheckOutFolder,
    FindEdges,
    Parse,
    Questions,
    ReadCorpus,
    size_of,
)
from bench.stages.weighing import (
    ChooseWeights,
    ChosenWeights,
    ScoreWeights,
    Weighing,
    WeightScores,
    by_repository,
)

__all__ = [
    "BOUNDS",
    "PARTS",
    "AddHeaders",
    "AnswerQueries",
    "Answerer",
    "ApplyRules",
    "Ask",
    "AskEngine",
    "Bound",
    "BuildIndex",
    "CalibrateRefusal",
    "Chance",
    "CheckOut",
    "CheckOutFolder",
    "ChooseWeights",
    "ChosenWeights",
    "Constant",
    "Copies",
    "Cut",
    "Cuttable",
    "DescribeChunks",
    "EmbeddedWindows",
    "EngineRecall",
    "Evaluate",
    "ExpandQueries",
    "Expanded",
    "FindCopies",
    "FindDefinitions",
    "FindEdges",
    "Fuse",
    "FuseByKind",
    "HitList",
    "JudgedChunks",
    "Latency",
    "ListEntries",
    "ListHits",
    "Listed",
    "MeasureEngineRecall",
    "MeasureLatency",
    "Model",
    "Oracle",
    "Parse",
    "Questions",
    "RankQueries",
    "ReadCorpus",
    "ReadPaths",
    "Replies",
    "RepositoryStages",
    "RerankByPairs",
    "RerankByTokens",
    "ResolveTargets",
    "ScoreWeights",
    "Served",
    "ServedEntries",
    "ServedExpansion",
    "ServedPairs",
    "ServedRetriever",
    "ServedRules",
    "ServedStep",
    "ServedTokens",
    "StoreTokens",
    "TakePlaces",
    "TakeRun",
    "TakeWording",
    "Threshold",
    "Tokenize",
    "TokenizeByModel",
    "Weighing",
    "WeightScores",
    "best_scores",
    "by_repository",
    "size_of",
    "stored_tokens",
]
