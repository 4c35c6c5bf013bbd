"""What uses what: calls, imports, bases, types and tests, across the files of a repository."""

from retrievers.source.edges.extraction import find_edges
from retrievers.source.edges.model import CONFIDENCES, EDGE_KINDS, EDGES, PROVENANCES, Edges

__all__ = ["CONFIDENCES", "EDGES", "EDGE_KINDS", "PROVENANCES", "Edges", "find_edges"]
