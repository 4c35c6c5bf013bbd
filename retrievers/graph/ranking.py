"""The ranking of symbols, given seeds: a walk, then centrality, then a score."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from retrievers.graph.hits import Centrality, Hits, adjustment, centrality
from retrievers.graph.model import CodeGraph, Seeds
from retrievers.graph.scoring import Evidence, Scored, Scoring, score, sorted_scores, surest_edges
from retrievers.graph.walk import Walk, Walked, Walker
from retrievers.interface import Integers, best_first

_Doubles = np.ndarray[Any, np.dtype[np.float64]]
_WHOLE = 100
"""Scores of the walk are rounded to multiples of 1/100 before scoring."""
_LIFT = 0.01
"""Difference between the scores of nodes that are put on top."""


@dataclass(frozen=True)
class NodeFacts:
    """Optional facts about nodes that are not in the source, one value per node.

    Only the caller may carry facts from one task to the next.
    """

    seen_days: _Doubles | None = None
    changed_days: _Doubles | None = None
    feedback: _Doubles | None = None
    session: _Doubles | None = None

    def over(self, others: "NodeFacts") -> "NodeFacts":
        """Return these facts, and `others` for the facts that are missing here."""
        own = {name: value for name, value in vars(self).items() if value is not None}
        return replace(others, **own)


@dataclass(frozen=True)
class RankingSettings:
    """The settings of a ranking, without those of its seeds."""

    walk: Walk = field(default_factory=Walk)
    hits: Hits = field(default_factory=Hits)
    scoring: Scoring = field(default_factory=Scoring)


@dataclass(frozen=True)
class Central:
    """The nodes of HITS in ascending order, with their centrality."""

    node: Integers
    found: Centrality

    @classmethod
    def of(cls, graph: CodeGraph, walked: Walked, settings: Hits) -> "Central":
        """Return the centrality of the best nodes of a walk."""
        visited = walked.score.astype(np.float32)
        best = best_first(visited, settings.nodes)
        top = np.sort(best[visited[best] > 0])
        return cls(top, centrality(graph, top, settings.steps))


@dataclass(frozen=True)
class Ranked:
    """Symbols, best first, with the intermediate results of the ranking."""

    scored: Scored
    nearness: _Doubles
    """The nearness of each ranked node to the seeds, 0 to 1."""
    outside: int
    """Number of external nodes above the floor of the walk."""
    seeds: Seeds
    walked: Walked | None
    """None if no walk was needed."""
    central: Central | None = None
    """None if HITS is off or no walk was needed."""


class Ranker:
    """A graph that is prepared for rankings from any seeds."""

    def __init__(self, graph: CodeGraph, settings: RankingSettings) -> None:
        self._graph, self._settings = graph, settings
        self._walker = Walker(graph, settings.walk)
        self._confidence = surest_edges(graph)
        self._symbols = graph.symbol_count

    def rank(
        self, seeds: Seeds, *, facts: NodeFacts | None = None, spare_tests: bool = False
    ) -> Ranked:
        """Return the symbols above the floor of a walk from the seeds, and the forced ones."""
        facts, walked = facts or NodeFacts(), self._walker.walk(seeds)
        near = walked.score >= max(self._settings.walk.floor, np.finfo(np.float64).tiny)
        # Forced nodes are ranked even if the walk does not reach them.
        near[seeds.forced] = True
        nodes = np.flatnonzero(near[: self._symbols])
        hits = self._settings.hits
        central = Central.of(self._graph, walked, hits) if hits.nodes else None
        evidence = self._evidence(nodes, walked, seeds, central)
        evidence = replace(with_facts(evidence, facts), spare_tests=spare_tests)
        scored = put_on_top(score(self._graph, evidence, self._settings.scoring), seeds.forced)
        outside = int(np.count_nonzero(near & self._graph.is_external))
        is_forced = np.isin(scored.node, seeds.forced)
        nearness = np.where(is_forced, 1.0, walked.score[scored.node])
        return Ranked(scored, nearness, outside, seeds, walked, central)

    def rank_around(
        self, seeds: Seeds, *, facts: NodeFacts | None = None, spare_tests: bool = False
    ) -> Ranked:
        """Return the seeds and their callers. The reach of each is the number of its callers."""
        nodes = seeds.node.astype(np.int64)
        graph, calls = self._graph, self._graph.is_kind("calls")
        callers = graph.edge_source[calls & np.isin(graph.edge_target, nodes)]
        found = np.union1d(nodes, callers.astype(np.int64))
        found = found[found < self._symbols]
        counts = np.bincount(graph.edge_target[calls], minlength=len(graph))
        evidence = Evidence(
            node=found,
            reach=counts[found].astype(np.float64),
            hops=np.where(np.isin(found, nodes), 0.0, 1.0),
            confidence=self._confidence[found],
            spare_tests=spare_tests,
        )
        evidence = with_facts(evidence, facts or NodeFacts())
        scored = score(graph, evidence, self._settings.scoring)
        nearness = np.where(np.isin(scored.node, nodes), 1.0, 0.5)
        return Ranked(scored, nearness, 0, seeds, None)

    def _evidence(
        self, nodes: Integers, walked: Walked, seeds: Seeds, central: Central | None
    ) -> Evidence:
        is_seed = np.isin(nodes, np.concatenate([seeds.node, seeds.forced]))
        return Evidence(
            node=nodes,
            reach=np.rint(_WHOLE * walked.score[nodes]),
            hops=np.where(is_seed, 0.0, 1.0),
            confidence=self._confidence[nodes],
            centrality=self._centrality(nodes, central, is_seed),
            found=self._found(seeds)[nodes],
        )

    def _found(self, seeds: Seeds) -> _Doubles:
        """Return the score of each node as a seed, divided by the best score."""
        found = np.zeros(len(self._graph))
        found[seeds.node] = seeds.score / max(float(seeds.score.max(initial=0)), 1e-12)
        return found

    def _centrality(
        self, nodes: Integers, central: Central | None, is_seed: Any
    ) -> _Doubles | None:
        """Return the amount that HITS adds to each of the nodes."""
        if central is None:
            return None
        of_top = np.isin(central.node, nodes[is_seed])
        given = np.zeros(len(self._graph))
        given[central.node] = adjustment(central.found, of_top, self._settings.hits)
        return given[nodes]


def with_facts(evidence: Evidence, facts: NodeFacts) -> Evidence:
    """Return the evidence with the facts about its nodes."""

    def own(values: _Doubles | None) -> _Doubles | None:
        return None if values is None else values[evidence.node]

    return replace(
        evidence,
        seen_days=own(facts.seen_days),
        changed_days=own(facts.changed_days),
        feedback=own(facts.feedback),
        session=own(facts.session),
    )


def put_on_top(scored: Scored, forced: Sequence[int] | Any) -> Scored:
    """Return the scores with the forced nodes, best first, raised above all others."""
    places = {node: place for place, node in enumerate(scored.node.tolist())}
    rows = [places[node] for node in dict.fromkeys(np.asarray(forced).tolist()) if node in places]
    if not rows:
        return scored
    raised = scored.score.copy()
    raised[rows] = scored.score.max() + _LIFT * np.arange(len(rows), 0, -1)
    parts = {**scored.components, "forced": raised - scored.score}
    return sorted_scores(scored.node, parts)
