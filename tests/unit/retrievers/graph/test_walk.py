"""The walk gives what a dense linear solve gives, and ends when it should."""

from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrievers.errors import GraphError
from retrievers.graph import CodeGraph
from retrievers.graph.walk import Walk, Walker, by_target
from retrievers.graph.weights import EdgeWeights, ProvenanceFactors
from retrievers.source import EDGE_KINDS, PROVENANCES
from tests.unit.retrievers.graph.hand_written import graph_of, seeds_of, six

LONG = Walk(steps=1000, tolerance=1e-15, stable_top=0, hops=100, backward=0.0)
"""A walk that goes on until nothing moves."""
WEIGHT = {0: 1.0, 1: 0.8, 2: 0.5, 3: 0.2, 4: 0.0}


def solved(graph: CodeGraph, restart: Any, alpha: float) -> Any:
    """Return where the walker is in the end, by solving (I - (1-a) M) p = a r."""
    still = np.eye(len(graph)) - (1 - alpha) * moves_of(graph, restart)
    at = np.linalg.solve(still, alpha * restart)
    return at / at.max()


def moves_of(graph: CodeGraph, restart: Any) -> Any:
    """Return the share of each column's node that goes to each row's; dead ends go home."""
    size = len(graph)
    weights = np.zeros((size, size))
    rows = zip(graph.edge_source, graph.edge_target, graph.edge_kind, strict=True)
    for source, target, kind in rows:
        weights[source, target] += WEIGHT[int(kind)]
    moves = np.zeros((size, size))
    for node in range(size):
        total = weights[node].sum()
        moves[:, node] = weights[node] / total if total else restart
    return moves


def test_a_call_from_the_seed_to_a_dead_end_gives_four_fifths() -> None:
    # p0 = .2 + .8 p1 (the dead end sends the walker home), p1 = .8 p0: p1 / p0 = .8.
    graph = graph_of([(0, 1)], symbols=2)

    walked = Walker(graph, LONG).walk(seeds_of(0))

    assert walked.score[:2] == pytest.approx([1.0, 0.8])


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=30, unique=True))
def test_both_directions_of_the_edges_are_merged_as_a_stable_sort_would(
    edges: list[tuple[int, int]],
) -> None:
    graph = graph_of(edges, symbols=6)
    leads_to = np.concatenate([graph.edge_target, graph.edge_source])

    order = by_target(graph)

    assert order.tolist() == np.argsort(leads_to, kind="stable").tolist()


def test_a_dead_end_sends_the_walker_back_to_the_seeds_at_every_step() -> None:
    """At first (1, 0), then (.2, .8). The dead end's .8 goes home: (.2 + .8 * .8, .8 * .2).

    Scores are shares of the best. Were the weight of the dead end lost, all scores would shrink
    together in the end, so only a walk that ends early shows the difference.
    """
    graph = graph_of([(0, 1)], symbols=2)

    walked = Walker(graph, replace(LONG, steps=2)).walk(seeds_of(0))

    assert walked.score[:2] == pytest.approx([1.0, 0.16 / 0.84])


@given(
    edges=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.just(0)), unique=True),
    steps=st.integers(1, 6),
)
def test_each_step_is_that_of_a_power_iteration_that_loses_no_weight(
    edges: Any, steps: int
) -> None:
    graph = graph_of(edges, symbols=6)
    restart = np.zeros(len(graph))
    restart[[0, 2]] = [1 / 1.4, 0.4 / 1.4]
    at = restart
    for _ in range(steps):
        at = 0.2 * restart + 0.8 * moves_of(graph, restart) @ at

    walked = Walker(graph, replace(LONG, steps=steps, tolerance=0.0)).walk(seeds_of(0, 2))

    assert at.sum() == pytest.approx(1.0)
    assert walked.score == pytest.approx(at / at.max())


def test_six_nodes_are_walked_as_a_linear_solve_says() -> None:
    graph = six()
    # Two seeds: the best weighs 1.0, the last 0.4; then they are made to add up to one.
    restart = np.zeros(len(graph))
    restart[[0, 2]] = [1 / 1.4, 0.4 / 1.4]

    walked = Walker(graph, LONG).walk(seeds_of(0, 2))

    assert walked.score == pytest.approx(solved(graph, restart, 0.2), abs=1e-12)
    assert walked.stopped == "converged"
    assert walked.score[4] == walked.score[5] == 0


@given(
    edges=st.lists(
        st.tuples(st.integers(0, 7), st.integers(0, 7), st.integers(0, 4)), unique=True
    ),
    seed=st.integers(0, 7),
    alpha=st.sampled_from([0.15, 0.2, 0.5, 1.0]),
)
def test_any_graph_is_walked_as_a_linear_solve_says(edges: Any, seed: int, alpha: float) -> None:
    graph = graph_of(edges, symbols=8)
    restart = np.zeros(len(graph))
    restart[seed] = 1.0

    walked = Walker(graph, Walk(alpha, 1000, 1e-15, 0, hops=100, backward=0.0)).walk(
        seeds_of(seed)
    )

    assert walked.score == pytest.approx(solved(graph, restart, alpha), abs=1e-9)


def test_a_node_sends_two_thirds_along_a_call_and_one_third_along_an_import() -> None:
    graph = graph_of([(0, 1, 0), (0, 2, 2)], symbols=3)

    walked = Walker(graph, LONG).walk(seeds_of(0))

    assert walked.score[1] / walked.score[2] == pytest.approx(2.0)


def test_an_inferred_edge_weighs_what_its_factor_says() -> None:
    graph = graph_of([(0, 1, 0, 1), (0, 2, 0, 0)], symbols=3)
    factors = ProvenanceFactors(inferred=0.3)

    walked = Walker(graph, replace(LONG, provenances=factors)).walk(seeds_of(0))

    assert walked.score[1] / walked.score[2] == pytest.approx(0.3)


def test_an_edge_of_weight_zero_is_not_walked() -> None:
    graph = graph_of([(0, 1, 4)], symbols=2)

    walked = Walker(graph, LONG).walk(seeds_of(0))

    assert walked.score[:2].tolist() == [1.0, 0.0]


def test_going_backward_reaches_callers() -> None:
    graph = graph_of([(1, 0)], symbols=2)

    onward = Walker(graph, LONG).walk(seeds_of(0))
    both = Walker(graph, Walk()).walk(seeds_of(0))

    assert onward.score[1] == 0
    assert both.score[1] > 0


def test_an_edge_counts_its_share_against_its_direction() -> None:
    """0 calls 1 and is called by 2: of what leaves it, 1 / 1.5 goes on and .5 / 1.5 goes back."""
    graph = graph_of([(0, 1), (2, 0)], symbols=3)

    at = Walker(graph, replace(LONG, backward=0.5)).walk(seeds_of(0)).score

    assert at[:3] == pytest.approx([1, 0.8 * 2 / 3, 0.8 / 3])


@pytest.mark.parametrize(("backward", "shares"), [(0.0, (1.25, 0)), (0.5, (0.85, 0.4))])
def test_what_mentions_the_same_thing_from_outside_is_connected_through_it(
    backward: float, shares: tuple[float, float]
) -> None:
    """0 and 1 both lead to 3, which is outside; going back, 3 sends half to each.

    p0 = .2 + .4 p3, p1 = .4 p3, p3 = .8 (p0 + p1): p0 is .85 of p3, p1 is .4 of it. Without going
    back p3 = .8 p0 sends the walker home, and nothing leads to 1.
    """
    graph = graph_of([(0, 3), (1, 3)], symbols=2, external=1)
    assert graph.is_external[3]

    at = Walker(graph, replace(LONG, backward=backward)).walk(seeds_of(0)).score

    assert (at[0] / at[3], at[1] / at[3]) == pytest.approx(shares)


def test_a_walk_stays_within_its_hops() -> None:
    chain = graph_of([(node, node + 1) for node in range(6)], symbols=7)

    walked = Walker(chain, Walk(hops=4, backward=0.0)).walk(seeds_of(0))

    assert (walked.score[:7] > 0).tolist() == [True] * 5 + [False] * 2


def test_a_supplement_weighs_less_than_a_seed() -> None:
    graph = graph_of([], symbols=2)

    walked = Walker(graph, LONG).walk(seeds_of(0, supplement=[1]))

    assert walked.score[:2] == pytest.approx([1.0, 0.3])


def test_seeds_of_equal_scores_weigh_the_same() -> None:
    even = replace(seeds_of(0, 1), score=np.ones(2, np.float32))

    walked = Walker(graph_of([], symbols=2), LONG).walk(even)

    assert walked.score[:2].tolist() == [1.0, 1.0]


def test_a_walk_ends_once_the_best_keep_their_order_for_two_steps() -> None:
    # The seed calls itself and a dead end, and is ahead from the first step on.
    graph = graph_of([(0, 0), (0, 1)], symbols=2)

    walked = Walker(graph, Walk(tolerance=0.0)).walk(seeds_of(0))

    assert (walked.stopped, walked.steps) == ("stable", 3)


def test_a_walk_without_seeds_finds_nothing() -> None:
    walked = Walker(six(), Walk()).walk(seeds_of())

    assert walked.stopped == "no seeds"
    assert not walked.score.any()


def test_the_same_walk_twice_is_the_same_to_the_last_bit() -> None:
    draw = np.random.default_rng(7)
    pairs = draw.integers(0, 500, (4000, 2))
    edges = sorted({(int(source), int(target)) for source, target in pairs})
    graph = graph_of(edges, symbols=500)

    first, second = (Walker(graph, Walk()).walk(seeds_of(3, 1, 4)) for _ in range(2))

    assert np.array_equal(first.score, second.score)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (lambda: Walk(alpha=0), "alpha=0 is out of range"),
        (lambda: Walk(alpha=1.5), "alpha=1.5"),
        (lambda: Walk(steps=0), "steps=0"),
        (lambda: Walk(floor=float("nan")), "floor=nan"),
        (lambda: EdgeWeights(calls=-1), "calls=-1 is out of range; choose 0 up"),
        (lambda: EdgeWeights(calls=float("inf")), "calls=inf"),
        (lambda: ProvenanceFactors(inferred=2), "inferred=2"),
    ],
)
def test_a_walk_that_means_nothing_is_refused(settings: Any, said: str) -> None:
    with pytest.raises(GraphError, match=said):
        settings()


def test_each_kind_and_provenance_that_source_has_is_a_setting_and_no_other_is() -> None:
    assert {field.name for field in fields(EdgeWeights)} == set(EDGE_KINDS)
    assert {field.name for field in fields(ProvenanceFactors)} == set(PROVENANCES)
