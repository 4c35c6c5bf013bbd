"""Retrieval by walking the graph of symbols from where a task's words are found."""

from retrievers.graph.model import CodeGraph, EdgeRows, Keywords, Seeds

__all__ = ["CodeGraph", "EdgeRows", "Keywords", "Seeds"]
