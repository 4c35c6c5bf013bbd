"""Common words of other tools, with the corresponding names here.

They are not aliases: a wrong name is still refused, with the right one as a suggestion. A test
compares all names with conf/.
"""

from collections.abc import Mapping
from types import MappingProxyType

_YES, _NO = "yes true y 1 enabled", "no false n 0 none null disabled"


def _table(rows: Mapping[str, str]) -> Mapping[str, str]:
    """Return a mapping of words to names from rows `name: words`."""
    return MappingProxyType({word: name for name, words in rows.items() for word in words.split()})


CHOICES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "reranker": _table({"on": f"{_YES} late late_interaction colbert maxsim", "off": _NO}),
        "answerer": _table({"off": _NO, "extractive": _YES, "openai": "gpt chat llm"}),
        "query": _table(
            {
                "plain": f"off {_NO} original",
                "rewrite": "rewriting reformulate",
                "hyde": "hypothetical",
                "several": "multi multi_query multiquery rag_fusion decompose",
            }
        ),
        "tracking": _table({"none": f"off {_NO}".replace("none ", ""), "mlflow": f"on {_YES}"}),
        "retriever": _table(
            {
                "dense": "embedding embeddings vector vectors semantic",
                "bm25": "sparse keyword keywords tfidf okapi",
                "grep": "ripgrep rg regex",
                "late": "colbert maxsim multivector",
                "hybrid": "fusion rrf ensemble",
                "lexical": "text",
            }
        ),
        "chunker": _table(
            {
                "syntax": "tree tree_sitter treesitter ast",
                "symbol": "function class method definition",
                "tokens": "fixed",
                "recursive": "character langchain",
            }
        ),
        "vectors": _table({"edge": "qdrant hnsw memory local"}),
        "embedder": _table(
            {
                "minilm": "all-MiniLM-L6-v2",
                "mpnet": "all-mpnet-base-v2",
                "server": "openai api http ollama",
            }
        ),
        "execution": _table({"local": "multiprocessing processes joblib", "ray": "cluster"}),
        "suite": _table({"own": ". mine"}),
    }
)
"""Choices by group and common word."""

SETTINGS = _table(
    {
        "limit": "k top_k topk n_results num_results",
        "chunk": "chunk_tokens size",
        "chunker.overlap": "overlap chunk_overlap",
        "embedder": "model embedding embeddings embedding_model",
        "execution.workers": "workers n_workers num_workers jobs n_jobs threads",
        "objective": "metric measure",
        "retriever": "search searcher engine method",
        "repository": "repo code path source",
        "queries": "questions question",
        "suite": "dataset corpus benchmark",
        "store": "cache cache_dir",
        "output": "out output_dir outdir results",
        "tracking": "mlflow",
        "weight": "alpha dense_weight",
    }
)
"""Settings by common word."""


def meant_choice(group: str, word: str) -> str:
    """Return the choice of a group for a common word, or ""."""
    words = CHOICES.get(group, {})
    return words.get(word) or words.get(word.lower(), "")


def meant_setting(word: str) -> str:
    """Return the setting for a common word, or ""."""
    return SETTINGS.get(word.lower().replace("-", "_"), "")
