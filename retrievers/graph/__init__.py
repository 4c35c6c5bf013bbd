"""Retrieval by walking the graph of symbols from where a task's words are found."""

from retrievers.graph.explanation import Explanation, explain, find_symbol
from retrievers.graph.hits import Hits
from retrievers.graph.homes import chunk_scores, homes
from retrievers.graph.index import GraphIndex, open_graph
from retrievers.graph.model import CodeGraph, EdgeRows, Keywords, Seeds
from retrievers.graph.observations import Observation, read_observations
from retrievers.graph.packing import Packing
from retrievers.graph.packs import FORMATS, Format, Pack, packed, render
from retrievers.graph.ranking import NodeFacts, Ranked, Ranker, RankingSettings, Reordering
from retrievers.graph.retriever import FindSeeds, GraphRetriever
from retrievers.graph.scoring import Scored, Scoring
from retrievers.graph.session import Session, SessionSettings
from retrievers.graph.settings import Graph
from retrievers.graph.walk import Walk
from retrievers.graph.weights import EdgeWeights, ProvenanceFactors

__all__ = [
    "FORMATS",
    "CodeGraph",
    "EdgeRows",
    "EdgeWeights",
    "Explanation",
    "FindSeeds",
    "Format",
    "Graph",
    "GraphIndex",
    "GraphRetriever",
    "Hits",
    "Keywords",
    "NodeFacts",
    "Observation",
    "Pack",
    "Packing",
    "ProvenanceFactors",
    "Ranked",
    "Ranker",
    "RankingSettings",
    "Reordering",
    "Scored",
    "Scoring",
    "Seeds",
    "Session",
    "SessionSettings",
    "Walk",
    "chunk_scores",
    "explain",
    "find_symbol",
    "homes",
    "open_graph",
    "packed",
    "read_observations",
    "render",
]
