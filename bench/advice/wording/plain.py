"""A configuration in words for readers who do not know the settings."""

from collections.abc import Mapping, Sequence

_RETRIEVERS = {
    "bm25": "keyword search",
    "dense": "search by meaning",
    "exact": "search by exact names",
    "fields": "keyword search by field",
    "graph": "search along the links of the code",
    "grep": "plain text search",
    "hybrid": "keyword search and search by meaning together",
    "late": "search by meaning, word by word",
    "lexical": "keyword search with rules for code",
    "tiered": "search by names",
}
_RERANKERS = {
    "off": "without the reranker",
    "on": "with the reranker",
    "cross_encoder": "with the cross-encoder as reranker",
}
_NAMED = ("retriever", "chunk", "embedder", "reranker")


def configuration_text(axes: Mapping[str, object], varied: Sequence[str]) -> str:
    """Return the settings of a trial that set it apart, as a noun phrase."""
    said = {name: axes[name] for name in varied if axes.get(name) is not None}
    base = [
        _RETRIEVERS.get(str(value), f"the {value} retriever") for value in _of("retriever", said)
    ]
    base += [f"{value}-token chunks" for value in _of("chunk", said)]
    parts = [" on ".join(base)] if base else []
    parts += [f"with the model {value}" for value in _of("embedder", said)]
    parts += [
        _RERANKERS.get(str(value), f"with the {value} reranker") for value in _of("reranker", said)
    ]
    others = [f"{name}={value}" for name, value in said.items() if name not in _NAMED]
    if others:
        parts.append(f"{'with ' if parts else ''}{', '.join(others)}")
    return " ".join(parts)


def _of(name: str, said: Mapping[str, object]) -> tuple[object, ...]:
    return (said[name],) if name in said else ()
