"""The score of each node near a task, as a sum of components.

An explanation shows the same components, so it uses the same arithmetic.
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
    """The maximum amount of each component."""

    reach: float
    """For the number of callers, or for the score of the walk."""
    confidence: float
    recency: float
    distance: float

    def __post_init__(self) -> None:
        """Raise an error for weights out of range."""
        check_numbers(self, 0, 100)


@dataclass(frozen=True)
class Ages:
    """Recency from 0 to 1, by the age in days."""

    day: float = 1.0
    week: float = 0.8
    month: float = 0.5
    older: float = 0.2
    never: float = 0.3
    """Without an observation: higher than `older`, so that unobserved code loses little."""

    def __post_init__(self) -> None:
        """Raise an error for shares out of range."""
        check_numbers(self, 0, 1)

    def of(self, days: _Doubles) -> _Doubles:
        """Return the recency of each age. NaN means never."""
        steps = [np.isnan(days), days <= 1, days <= 7, days <= 30]  # noqa: PLR2004 - week, month
        return np.select(steps, [self.never, self.day, self.week, self.month], self.older)


@dataclass(frozen=True)
class Scoring:
    """The weights of the components of a score."""

    base: Shares = field(default_factory=lambda: Shares(0.4, 0.25, 0.2, 0.15))
    """Weights without HITS."""
    hits: Shares = field(default_factory=lambda: Shares(0.35, 0.2, 0.15, 0.15))
    """Weights with HITS."""
    feedback_gain: float = 0.25
    """Added to a symbol that was always useful. Being useful half of the time adds nothing."""
    feedback_loss: float = 0.05
    """Subtracted from a symbol that was never useful."""
    session: float = 0.2
    commit_recency: float = 0.0
    seed: float = 2.0
    """Added to the best seed, and in proportion to other seeds."""
    test_factor: float = 0.3
    """Factor of the score of symbols in tests, unless the task is about tests."""
    ages: Ages = field(default_factory=Ages)

    def __post_init__(self) -> None:
        """Raise an error for numbers out of range."""
        check_numbers(self, 0, 1, names=("test_factor",))
        weights = ("feedback_gain", "feedback_loss", "session", "commit_recency", "seed")
        check_numbers(self, 0, 100, names=weights)


@dataclass(frozen=True)
class Evidence:
    """The evidence about nodes, one row each."""

    node: Integers
    reach: _Doubles
    """Counts on any scale: they are divided by their maximum."""
    hops: _Doubles
    """Number of edges from the seeds."""
    confidence: _Doubles
    """Highest confidence of the edges that enter a node."""
    centrality: _Doubles | None = None
    """The amount that HITS adds or subtracts."""
    seen_days: _Doubles | None = None
    """Days since a node was observed running; NaN if never."""
    changed_days: _Doubles | None = None
    """Days since a node was changed; NaN if unknown."""
    feedback: _Doubles | None = None
    """The share of judgements that found a node useful; 0.5 is neutral."""
    session: _Doubles | None = None
    """How much a node was shown recently, 0 to 1."""
    found: _Doubles | None = None
    """The score of a node as a seed; 1 for the best one."""
    spare_tests: bool = False


@dataclass(frozen=True)
class Scored:
    """Nodes, best first. Each score is the sum of its components."""

    node: Integers
    score: _Doubles
    components: Mapping[str, _Doubles]


def score(graph: CodeGraph, evidence: Evidence, settings: Scoring) -> Scored:
    """Return the nodes of the evidence, best first. Ties are ordered by number."""
    parts = _components(evidence, settings)
    together = np.sum(list(parts.values()), axis=0)
    penalised = graph.is_test[evidence.node] & (not evidence.spare_tests)
    # The factor becomes a component to subtract, so that the components still sum to the score.
    parts["test"] = np.where(penalised, (settings.test_factor - 1) * together, 0.0)
    return sorted_scores(evidence.node, parts)


def sorted_scores(node: Integers, components: Mapping[str, _Doubles]) -> Scored:
    """Return the nodes by the sum of their components, best first. Ties are ordered by number."""
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
    """Return the highest confidence of the edges that enter each node."""
    surest = np.zeros(len(graph))
    ends = np.flatnonzero(np.diff(graph.in_stops, prepend=0))
    if len(ends):
        # One pass over the edges sorted by target, ten times as fast as `maximum.at`.
        starts = np.concatenate([[0], graph.in_stops])[ends]
        surest[ends] = np.maximum.reduceat(graph.edge_confidence[graph.in_order], starts)
    return surest


def _feedback(useful: _Doubles, settings: Scoring) -> _Doubles:
    signal = 2 * useful - 1
    return np.where(signal > 0, settings.feedback_gain, settings.feedback_loss) * signal


def _or(values: _Doubles | None, otherwise: _Doubles) -> _Doubles:
    return otherwise if values is None else values
