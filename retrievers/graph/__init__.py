"""Retrieval by walking the graph of symbols from where a task's words are found."""

from retrievers.graph.explanation import Explanation, explain
from retrievers.graph.hits import Hits
from retrievers.graph.homes import chunk_scores, homes
from retrievers.graph.model import CodeGraph, EdgeRows, Keywords, Seeds
from retrievers.graph.packing import Packing
from retrievers.graph.packs import FORMATS, Format, Pack, packed, render
from retrievers.graph.ranking import NodeFacts, Ranked, Ranker, RankingSettings, Reordering
from retrievers.graph.retriever import GraphRetriever, Seeder
from retrievers.graph.scoring import Scored, Scoring
from retrievers.graph.session import Session, SessionSettings
from retrievers.graph.walk import Walk
from retrievers.graph.weights import EdgeWeights, GraphError, ProvenanceFactors

__all__ = [
    "FORMATS",
    "CodeGraph",
    "EdgeRows",
    "EdgeWeights",
    "Explanation",
    "Format",
    "GraphError",
    "GraphRetriever",
    "Hits",
    "Keywords",
    "NodeFacts",
    "Pack",
    "Packing",
    "ProvenanceFactors",
    "Ranked",
    "Ranker",
    "RankingSettings",
    "Reordering",
    "Scored",
    "Scoring",
    "Seeder",
    "Seeds",
    "Session",
    "SessionSettings",
    "Walk",
    "chunk_scores",
    "explain",
    "homes",
    "packed",
    "render",
]
