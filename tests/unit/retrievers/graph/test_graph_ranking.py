"""A ranking is walk, HITS and scoring put together, and every step shows in its components."""

from dataclasses import replace

import numpy as np
import pytest

from retrievers.graph.hits import Hits
from retrievers.graph.ranking import NodeFacts, Ranked, Ranker, RankingSettings
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


def test_a_share_of_the_walk_is_a_whole_number_of_hundredths() -> None:
    """Each of three gets a third of .8, which are 26.67 of 100 and count as 27."""
    graph = graph_of([(0, 1), (0, 2), (0, 3)], symbols=4)

    ranked = Ranker(graph, PLAIN).rank(seeds_of(0))

    assert ranked.walked is not None
    assert ranked.walked.score[:4] == pytest.approx([1, 0.8 / 3, 0.8 / 3, 0.8 / 3])
    assert ranked.scored.components["reach"] == pytest.approx([0.4, *[0.27 * 0.4] * 3], abs=1e-12)


def test_of_edges_that_end_at_a_node_the_surest_counts() -> None:
    """Wherever it stands: 2 has a resolved one first, 3 last, and 1 an inferred one only."""
    graph = graph_of([(0, 1, 0, 1), (0, 2, 0, 0), (0, 3, 0, 1), (1, 2, 0, 1), (1, 3)], symbols=4)

    scored = Ranker(graph, PLAIN).rank(seeds_of(0)).scored

    found = dict(zip(scored.node.tolist(), scored.components["confidence"], strict=True))
    weight = PLAIN.scoring.base.confidence
    assert found == pytest.approx({0: 0, 1: 0.7 * weight, 2: 0.9 * weight, 3: 0.9 * weight})


def test_hits_is_computed_among_the_best_of_the_walk_only() -> None:
    """The walk gives 3 calls 1 calls 0 calls 2 the scores 1, .8, .64 and .512.

    Of the best two only the call from 3 to 1 is there: 3 is a hub of 1, 1 an authority of 1.
    Among all four each of the three called has an authority of 1/sqrt(3), and so has each hub.
    """
    graph = graph_of([(3, 1), (1, 0), (0, 2)], symbols=4)
    walk = replace(PLAIN.walk, backward=0.0)

    two, four = (
        Ranker(graph, replace(PLAIN, walk=walk, hits=Hits(nodes=nodes))).rank(seeds_of(3))
        for nodes in (2, 4)
    )

    assert two.central is not None
    assert two.central.node.tolist() == [1, 3]
    assert central_of(two) == pytest.approx({3: 0.1, 1: -0.15, 0: 0, 2: 0})
    each = 3**-0.5
    lost = -0.15 * each
    assert central_of(four) == pytest.approx({3: 0.1 * each, 1: lost, 0: lost, 2: lost})


def central_of(ranked: Ranked) -> dict[int, float]:
    """Return what HITS adds to each node or takes away."""
    scored = ranked.scored
    return dict(zip(scored.node.tolist(), scored.components["centrality"], strict=True))


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
