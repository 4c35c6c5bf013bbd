"""Late interaction: each token of a query with the most similar token of a text (MaxSim)."""

from retrievers.late.retriever import LateSearch, QueryTokens, WindowTokens, query_tokens

__all__ = ["LateSearch", "QueryTokens", "WindowTokens", "query_tokens"]
