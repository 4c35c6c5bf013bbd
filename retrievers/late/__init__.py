"""Late interaction: each token of a query is matched with its most similar text token (MaxSim)."""

from retrievers.late.retriever import LateSearch, QueryTokens, WindowTokens, query_tokens

__all__ = ["LateSearch", "QueryTokens", "WindowTokens", "query_tokens"]
