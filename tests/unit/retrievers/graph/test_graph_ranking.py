"""A ranking is walk, HITS and scoring put together, and every step shows in its components."""

from dataclasses import replace

import numpy as np
import pytest

from retrievers.graph.hits import Hits
from retrievers.graph.ranking import NodeFacts, Ranker, RankingSettings
from retrievers.graph.scoring import Scoring
from retrievers.graph.walk import Walk
from tests.unit.retrievers.graph.hand_written import graph_of, seeds_of

PLAIN = RankingSettings(
    walk=Walk(steps=1000, tolerance=1e-15, stable_top=0),
    hits=Hits(nodes=0),
    scoring=Scoring(seed=0.0),
)


def test_a_seed_and_what_it_calls_are_scored_by_hand() -> None:
    # The walk gives 1 and .8, which are 100 and 80; edges end only at node 1, resolved at .9.
    graph = graph_of([(0, 1)], symbols=2)

    scored = Ranker(graph, PLAIN).rank(seeds_of(0)).scored

    assert scored.node.tolist() == [1, 0]
    assert scored.score[1] == pytest.approx(0.4 + 0 + 0.3 * 0.2 + 0.15)
    assert scored.score[0] == pytest.approx(
        0.8 * 0.4 + 0.9 * 0.25 + 0.3 * 0.2 + 0.15 / 2, abs=1e-7
    )


def test_having_been_found_counts_as_much_as_being_the_best_found() -> None:
    graph = graph_of([(0, 1)], symbols=2)
    found = replace(PLAIN, scoring=Scoring(seed=1.0))

    plain, raised = (Ranker(graph, own).rank(seeds_of(0)).scored for own in (PLAIN, found))

    assert raised.node.tolist() == [0, 1]
    assert raised.score[0] == pytest.approx(plain.score[1] + 1.0)


def test_only_symbols_over_the_floor_are_ranked() -> None:
    # Node 2 is the file, 3 is outside; the chain is too far for a high floor.
    graph = graph_of([(0, 1), (0, 2), (0, 3)], symbols=2, external=1)

    ranked = Ranker(graph, RankingSettings()).rank(seeds_of(0))
    strict = Ranker(graph, RankingSettings(walk=Walk(floor=0.9))).rank(seeds_of(0))

    assert ranked.scored.node.tolist() == [0, 1]
    assert ranked.outside == 1
    assert strict.scored.node.tolist() == [0]


def test_hits_raises_what_is_asked_for_and_central() -> None:
    graph = graph_of([(1, 0), (2, 0), (0, 1), (0, 2)], symbols=3)

    scored = Ranker(graph, RankingSettings()).rank(seeds_of(0)).scored

    found = dict(zip(scored.node.tolist(), scored.components["centrality"], strict=True))
    assert found[0] > 0
    assert found[1] < 0


def test_what_is_forced_comes_first_in_its_order_and_adds_up() -> None:
    graph = graph_of([(0, 1)], symbols=4)

    ranked = Ranker(graph, PLAIN).rank(seeds_of(0, forced=[3, 1]))

    assert ranked.scored.node.tolist() == [3, 1, 0]
    assert sum(ranked.scored.components.values()) == pytest.approx(ranked.scored.score)
    assert ranked.nearness.tolist() == [1.0, 1.0, 1.0]


def test_one_ranking_leaves_nothing_behind_for_the_next() -> None:
    graph = graph_of([(0, 1), (1, 2)], symbols=3)
    ranker = Ranker(graph, RankingSettings())
    first = ranker.rank(seeds_of(0)).scored

    ranker.rank(seeds_of(2), facts=NodeFacts(session=np.ones(4)))
    again = ranker.rank(seeds_of(0)).scored

    assert np.array_equal(first.score, again.score)


def test_around_changed_symbols_are_those_that_call_them() -> None:
    # 0 and 3 call 1, 1 calls 2: the change in 1 is felt by its callers, not by what it calls.
    graph = graph_of([(0, 1), (3, 1), (1, 2)], symbols=4)

    scored = Ranker(graph, RankingSettings()).rank_around(seeds_of(1)).scored

    assert scored.node.tolist() == [1, 0, 3]
    assert scored.score[0] == pytest.approx(0.4 + 0.9 * 0.25 + 0.06 + 0.15)
    assert scored.score[1] == pytest.approx(0.06 + 0.075)


def test_no_seeds_rank_nothing() -> None:
    ranked = Ranker(graph_of([(0, 1)], symbols=2), RankingSettings()).rank(seeds_of())

    assert ranked.scored.node.tolist() == []
