"""The weight of each edge in a walk, by its kind and by its provenance."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from retrievers.errors import GraphError
from retrievers.graph.model import CodeGraph

_Doubles = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class EdgeWeights:
    """The weight of each kind of edge."""

    calls: float = 1.0
    implements: float = 0.8
    overrides: float = 0.8
    contains: float = 0.8
    handles_route: float = 0.7
    extends: float = 0.7
    member_of: float = 0.6
    tests: float = 0.6
    accesses_field: float = 0.6
    imports: float = 0.5
    depends_on: float = 0.5
    consumes_endpoint: float = 0.5
    tested_by: float = 0.5
    co_tested_with: float = 0.5
    type_hint_of: float = 0.5
    executes_process: float = 0.5
    references: float = 0.4
    throws: float = 0.4
    reads_env: float = 0.4
    decorates: float = 0.3
    inherits: float = 0.3
    documents: float = 0.2
    owned_by: float = 0.0
    authored_by: float = 0.0

    def __post_init__(self) -> None:
        """Raise an error for weights that are negative or not finite."""
        check_numbers(self, 0, math.inf)

    def of(self, kinds: Sequence[str]) -> _Doubles:
        """Return the weight of each kind."""
        return np.array([getattr(self, kind) for kind in kinds], np.float64)


@dataclass(frozen=True)
class ProvenanceFactors:
    """The factor of an edge's weight, by its provenance."""

    resolved: float = 1.0
    inferred: float = 1.0

    def __post_init__(self) -> None:
        """Raise an error for factors out of range."""
        check_numbers(self, 0, 1)

    def of(self, provenances: Sequence[str]) -> _Doubles:
        """Return the factor of each provenance."""
        return np.array([getattr(self, name) for name in provenances], np.float64)


def edge_weights(
    graph: CodeGraph, weights: EdgeWeights, provenances: ProvenanceFactors
) -> _Doubles:
    """Return the weight of each edge."""
    by_kind, by_provenance = weights.of(graph.edge_kinds), provenances.of(graph.provenances)
    return np.asarray(by_kind[graph.edge_kind] * by_provenance[graph.edge_provenance])


def check_numbers(settings: Any, low: float, high: float, *, names: Sequence[str] = ()) -> None:
    """Raise an error if a field among `names`, or any field, is not from `low` to `high`."""
    for name in names or [field.name for field in fields(settings)]:
        value = getattr(settings, name)
        if not low <= value <= high or not math.isfinite(value):
            upper = "up" if high == math.inf else f"to {high:g}"
            raise GraphError(f"{name}={value} is out of range; choose {low:g} {upper}")
