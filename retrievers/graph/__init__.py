"""Retrieval by walking the graph of symbols from where a task's words are found."""

from retrievers.graph.hits import Hits
from retrievers.graph.model import CodeGraph, EdgeRows, Keywords, Seeds
from retrievers.graph.packing import Packing
from retrievers.graph.ranking import NodeFacts, Ranked, Ranker, RankingSettings, Reordering
from retrievers.graph.scoring import Scored, Scoring
from retrievers.graph.walk import Walk
from retrievers.graph.weights import EdgeWeights, GraphError, ProvenanceFactors

__all__ = [
    "CodeGraph",
    "EdgeRows",
    "EdgeWeights",
    "GraphError",
    "Hits",
    "Keywords",
    "NodeFacts",
    "Packing",
    "ProvenanceFactors",
    "Ranked",
    "Ranker",
    "RankingSettings",
    "Reordering",
    "Scored",
    "Scoring",
    "Seeds",
    "Walk",
]
