"""Retrieval by a walk over the graph of symbols, from the symbols that match a task."""

from retrievers.graph.context_text import FORMATS, Format, Pack, packed, render
from retrievers.graph.data import RepositoryGraph, SymbolFields
from retrievers.graph.explanation import Explanation, explain, find_symbol
from retrievers.graph.hits import Hits
from retrievers.graph.model import CodeGraph, EdgeRows, Keywords, Seeds
from retrievers.graph.observations import Observation, read_observations
from retrievers.graph.packing import Packing
from retrievers.graph.questions import FindSeeds, OpenGraph
from retrievers.graph.ranking import NodeFacts, Ranked, Ranker, RankingSettings
from retrievers.graph.retriever import Graph, GraphIndex, open_graph
from retrievers.graph.scoring import Scored, Scoring
from retrievers.graph.session import Session, SessionSettings
from retrievers.graph.shown_symbols import chunk_of_symbols, chunk_scores
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
    "Hits",
    "Keywords",
    "NodeFacts",
    "Observation",
    "OpenGraph",
    "Pack",
    "Packing",
    "ProvenanceFactors",
    "Ranked",
    "Ranker",
    "RankingSettings",
    "RepositoryGraph",
    "Scored",
    "Scoring",
    "Seeds",
    "Session",
    "SessionSettings",
    "SymbolFields",
    "Walk",
    "chunk_of_symbols",
    "chunk_scores",
    "explain",
    "find_symbol",
    "open_graph",
    "packed",
    "read_observations",
    "render",
]
