"""Seconds per unit of a stage, for a machine that has measured nothing yet.

Printed by `scripts/measure_rates.py`; measured on 2 cores, x86_64 Linux. The units are those of
`bench.study.sizes`.
"""

from collections.abc import Mapping
from types import MappingProxyType

SHIPPED: Mapping[str, float] = MappingProxyType(
    {
        "apply-rules": 0.00073,
        "ask": 0.0027,
        "build-index WordCounts": 1e-07,
        "check-out": 0.57,
        "cut-at-breaks": 1.1e-08,
        "describe-chunks": 1.2e-08,
        "embed all-MiniLM-L6-v2": 0.0002,
        "evaluate": 0.0016,
        "find-breaks": 2.2e-08,
        "find-copies": 4.5e-08,
        "find-definitions": 1e-08,
        "list-hits": 0.00015,
        "measure-latency BM25": 0.00082,
        "measure-latency BM25+Dense+ServedRules": 0.04,
        "measure-latency BM25+Dense+ServedRules+ServedTokens": 0.05,
        "measure-latency BM25+ServedRules": 0.0035,
        "parse": 3.8e-07,
        "rank-queries BM25": 0.00054,
        "read-paths": 8.5e-09,
        "rerank-by-tokens all-MiniLM-L6-v2": 0.0013,
        "resolve-targets": 5.3e-08,
        "store-tokens all-MiniLM-L6-v2": 1.5e-07,
        "tokenize": 2.1e-07,
    }
)
