"""A budget is filled as brute force says, up to what greed is known to miss."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrievers.errors import GraphError
from retrievers.graph.packing import Packing, estimated_costs, pack
from tests.unit.retrievers.graph.hand_written import graph_of

THINGS = st.lists(st.tuples(st.integers(1, 100), st.integers(1, 30)), max_size=9)


def best_worth(worth: Any, cost: Any, budget: int) -> float:
    places = range(len(worth))
    sets = (own for size in range(len(worth) + 1) for own in combinations(places, size))
    fitting = (own for own in sets if sum(cost[place] for place in own) <= budget)
    return max(float(sum(worth[place] for place in own)) for own in fitting)


@given(things=THINGS, budget=st.integers(0, 120))
def test_greed_is_never_worse_than_brute_force_by_more_than_one_thing(
    things: Any, budget: int
) -> None:
    worth = np.array([float(worth) for worth, _ in things])
    cost = np.array([cost for _, cost in things], np.int64)

    taken = pack(worth, cost, budget, nearness=np.ones(len(things)))

    fitting = [w for w, c in zip(worth, cost, strict=True) if c <= budget]
    assert cost[taken].sum() <= budget
    assert worth[taken].sum() >= best_worth(worth, cost, budget) - max(fitting, default=0)


@given(worths=st.lists(st.integers(1, 100), max_size=9), budget=st.integers(0, 60))
def test_where_everything_costs_the_same_greed_is_as_good_as_brute_force(
    worths: Any, budget: int
) -> None:
    worth, cost = np.array(worths, np.float64), np.full(len(worths), 7, np.int64)

    taken = pack(worth, cost, budget, nearness=np.ones(len(worths)))

    assert worth[taken].sum() == best_worth(worth, cost, budget)


def test_what_does_not_fit_is_passed_over_and_smaller_things_are_tried() -> None:
    worth, cost = np.array([9.0, 8.0, 1.0]), np.array([3, 9, 4])

    # Densities 3, .89, .25; after the first, 5 tokens are left: the second does not fit.
    taken = pack(worth, cost, 8, nearness=np.ones(3))

    assert taken.tolist() == [0, 2]


def test_nearness_decides_between_things_of_equal_density() -> None:
    worth, cost = np.array([1.0, 1.0]), np.array([5, 5])

    taken = pack(worth, cost, 5, nearness=np.array([0.01, 1.0]) ** 0.3)

    assert taken.tolist() == [1]


def test_of_equal_densities_the_higher_worth_is_taken_first() -> None:
    """Both have .4 a token; after the first, nothing of the budget is left for the other."""
    worth, cost = np.array([2.0, 4.0]), np.array([5, 10])

    taken = pack(worth, cost, 10, nearness=np.ones(2))

    assert taken.tolist() == [1]


def test_what_is_packed_is_listed_by_worth() -> None:
    taken = pack(np.array([1.0, 3.0, 2.0]), np.array([1, 9, 3]), 99, nearness=np.ones(3))

    assert taken.tolist() == [1, 2, 0]


def test_nothing_is_packed_beside_what_holds_it() -> None:
    # 1 stands in 0, 2 in 1; each is worth more than what holds it in the first case.
    around = {1: [0], 2: [1, 0]}
    one, budget = np.ones(3, np.int64), 99

    inner = pack(np.array([1.0, 2.0, 3.0]), one, budget, nearness=np.ones(3), around=around)
    outer = pack(np.array([3.0, 2.0, 1.0]), one, budget, nearness=np.ones(3), around=around)

    assert inner.tolist() == [2]
    assert outer.tolist() == [0]


@pytest.mark.parametrize(
    ("outside", "inside", "exponent"), [(0, 10, 0.3), (10, 10, 0.5), (90, 10, 0.7), (3, 0, 0.3)]
)
def test_nearness_counts_more_where_much_is_outside(
    outside: int, inside: int, exponent: float
) -> None:
    assert Packing().exponent(outside, inside) == pytest.approx(exponent)


def test_a_signature_is_estimated_at_a_token_for_four_characters() -> None:
    # "n0", "function" and "def f()" are 17 characters.
    graph = graph_of([], symbols=1)

    assert estimated_costs(graph, np.array([0]), 4.0).tolist() == [5]


def test_a_budget_that_holds_nothing_is_refused() -> None:
    with pytest.raises(GraphError, match=r"tokens=499 is out of range; choose 500 to"):
        Packing(tokens=499)
