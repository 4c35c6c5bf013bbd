"""From what is known of each node near a task to one score, component by component.

A component is what it adds to the score, so that an explanation is the same arithmetic.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from retrievers.graph.model import CodeGraph
from retrievers.graph.weights import check_numbers
from retrievers.interface import Integers

_Doubles = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class Shares:
    """What each component counts at most."""

    reach: float
    """How many nodes lead to it, or how often a walk passes it."""
    confidence: float
    recency: float
    distance: float

    def __post_init__(self) -> None:
        """Refuse what is not a weight."""
        check_numbers(self, 0, 100)


@dataclass(frozen=True)
class Ages:
    """How recent something is, by the days since it was seen."""

    day: float = 1.0
    week: float = 0.8
    month: float = 0.5
    older: float = 0.2
    never: float = 0.3
    """For what is not observed at all, so that code without observations loses little."""

    def __post_init__(self) -> None:
        """Refuse what is not a share."""
        check_numbers(self, 0, 1)

    def of(self, days: _Doubles) -> _Doubles:
        """Return how recent each age is; an age that is not a number was never seen."""
        steps = [np.isnan(days), days <= 1, days <= 7, days <= 30]  # noqa: PLR2004 - week, month
        return np.select(steps, [self.never, self.day, self.week, self.month], self.older)


@dataclass(frozen=True)
class Scoring:
    """What makes up a score."""

    base: Shares = field(default_factory=lambda: Shares(0.4, 0.25, 0.2, 0.15))
    """Without HITS."""
    hits: Shares = field(default_factory=lambda: Shares(0.35, 0.2, 0.15, 0.15))
    """With HITS."""
    feedback_gain: float = 0.25
    """What feedback adds to what was always useful; half useful adds nothing."""
    feedback_loss: float = 0.05
    """What it takes from what never was."""
    session: float = 0.2
    commit_recency: float = 0.0
    seed: float = 2.0
    """What having been found by the task's words adds, to the best found most."""
    test_factor: float = 0.3
    """Factor of the score in tests, unless the task speaks of tests."""
    ages: Ages = field(default_factory=Ages)

    def __post_init__(self) -> None:
        """Refuse numbers that mean nothing."""
        check_numbers(self, 0, 1, names=("test_factor",))
        weights = ("feedback_gain", "feedback_loss", "session", "commit_recency", "seed")
        check_numbers(self, 0, 100, names=weights)


@dataclass(frozen=True)
class Evidence:
    """What is known of some nodes; a row each."""

    node: Integers
    reach: _Doubles
    """Counts on any scale."""
    hops: _Doubles
    """Edges from what was asked for."""
    confidence: _Doubles
    """Of the surest edge that ends at a node."""
    centrality: _Doubles | None = None
    """What HITS adds or takes away."""
    seen_days: _Doubles | None = None
    """Days since a node was observed running; not a number where it never was."""
    changed_days: _Doubles | None = None
    """Days since a node was changed; not a number where it is not known."""
    feedback: _Doubles | None = None
    """The share of judgements that found a node useful; 0.5 says nothing."""
    session: _Doubles | None = None
    """How much of a node was used just now, 0 to 1."""
    found: _Doubles | None = None
    """How well a node was found by the task's words, the best being 1."""
    spare_tests: bool = False


@dataclass(frozen=True)
class Scored:
    """Nodes, best first; the score of each is the sum of its components."""

    node: Integers
    score: _Doubles
    components: Mapping[str, _Doubles]


def score(graph: CodeGraph, evidence: Evidence, settings: Scoring) -> Scored:
    """Return the nodes of the evidence, best first, ties by their numbers."""
    parts = _components(evidence, settings)
    together = np.sum(list(parts.values()), axis=0)
    penalised = graph.is_test[evidence.node] & (not evidence.spare_tests)
    parts["test"] = np.where(penalised, (settings.test_factor - 1) * together, 0.0)
    return sorted_scores(evidence.node, parts)


def sorted_scores(node: Integers, components: Mapping[str, _Doubles]) -> Scored:
    """Return the nodes by the sums of their components, best first, ties by their numbers."""
    total = np.sum(list(components.values()), axis=0)
    order = np.lexsort((node, -total))
    sorted_parts = {name: part[order] for name, part in components.items()}
    return Scored(node[order], total[order], sorted_parts)


def _components(evidence: Evidence, settings: Scoring) -> dict[str, _Doubles]:
    shares = settings.base if evidence.centrality is None else settings.hits
    none = np.zeros(len(evidence.node))
    unknown = np.full(len(evidence.node), np.nan)
    most = evidence.reach.max(initial=0)
    parts = {
        "reach": shares.reach * (evidence.reach / most if most else none),
        "confidence": shares.confidence * evidence.confidence,
        "recency": shares.recency * settings.ages.of(_or(evidence.seen_days, unknown)),
        "distance": shares.distance / (1 + evidence.hops),
        "centrality": _or(evidence.centrality, none),
        "feedback": _feedback(_or(evidence.feedback, none + 0.5), settings),
        "session": settings.session * _or(evidence.session, none),
    }
    if settings.seed:
        parts["seed"] = settings.seed * _or(evidence.found, none)
    if settings.commit_recency:
        ages = settings.ages.of(_or(evidence.changed_days, unknown))
        parts["commit recency"] = settings.commit_recency * ages
    return parts


def surest_edges(graph: CodeGraph) -> _Doubles:
    """Return the confidence of the surest edge that ends at each node."""
    surest = np.zeros(len(graph))
    ends = np.flatnonzero(np.diff(graph.in_stops, prepend=0))
    if len(ends):
        # One pass over the edges in the order of their ends, ten times as fast as `maximum.at`.
        starts = np.concatenate([[0], graph.in_stops])[ends]
        surest[ends] = np.maximum.reduceat(graph.edge_confidence[graph.in_order], starts)
    return surest


def _feedback(useful: _Doubles, settings: Scoring) -> _Doubles:
    signal = 2 * useful - 1
    return np.where(signal > 0, settings.feedback_gain, settings.feedback_loss) * signal


def _or(values: _Doubles | None, otherwise: _Doubles) -> _Doubles:
    return otherwise if values is None else values
