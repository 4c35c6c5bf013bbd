"""Seconds per unit of a stage, for a machine that has measured nothing yet.

Printed by `scripts/measure_rates.py`; measured on 2 cores, x86_64 Linux. The units are those of
`bench.study.sizes`.
"""

from collections.abc import Mapping
from types import MappingProxyType

SHIPPED: Mapping[str, float] = MappingProxyType(
    {
        "apply-rules": 0.0014,
        "ask": 0.0074,
        "build-index WordCounts": 1.3e-07,
        "check-out": 0.18,
        "cut-at-breaks": 1.3e-08,
        "describe-chunks": 9.2e-09,
        "embed all-MiniLM-L6-v2": 0.00015,
        "evaluate": 0.0025,
        "find-breaks": 2.3e-08,
        "find-copies": 5.3e-08,
        "find-definitions": 1.7e-08,
        "list-hits": 0.00035,
        "measure-latency BM25": 0.00057,
        "measure-latency BM25+Dense+ServedRules": 0.04,
        "measure-latency BM25+Dense+ServedRules+ServedTokens": 0.5,
        "measure-latency BM25+ServedRules": 0.0017,
        "parse": 1.1e-07,
        "rank-queries BM25": 0.00087,
        "read-paths": 1.5e-08,
        "rerank-by-tokens all-MiniLM-L6-v2": 0.04,
        "resolve-targets": 6.3e-08,
        "tokenize": 9.1e-07,
    }
)
