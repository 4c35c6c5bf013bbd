"""Names of columns as people read them."""

import re

from bench.measures import OF_ANSWERS

_COSTS = {
    "latency_p50_ms": "median latency in ms",
    "latency_p95_ms": "p95 latency in ms",
    "index_seconds": "seconds to index",
    "peak_memory_bytes": "bytes of memory",
    "avg_shown_tokens_at_10": "tokens of text in 10 hits",
}
_SHORT = {"mrr": "MRR", "map": "MAP", "ndcg": "NDCG", "f1": "F1"}
_CUT = re.compile(r"(?P<name>\w+?)_at_(?P<limit>\d+)(?P<tokens>_tokens)?")


def plural(count: float | None, one: str, many: str) -> str:
    """Return a count with the word that goes with it."""
    return f"{count} {one if count == 1 else many}"


def said_of_measure(column: str) -> str:
    """Return a measure's column as people read it: NDCG@10, recall at 4,000 tokens."""
    found = _CUT.fullmatch(column)
    if found is None:
        return _SHORT.get(column, column.replace("_", " "))
    name = _SHORT.get(found["name"], found["name"].replace("_", " "))
    if found["tokens"]:
        return f"{name} at {int(found['limit']):,} tokens"
    return f"{name}@{found['limit']}"


def at_level(column: str, level: str) -> str:
    """Return the level of the judgements that a measure is of; those of answers have none."""
    return "" if column in OF_ANSWERS else f" at {level} level"


def said_of_cost(column: str) -> str:
    """Return a cost's column as people read it."""
    return _COSTS[column]
