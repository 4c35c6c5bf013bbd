"""HITS gives the eigenvectors, and what it adds and takes away is as stated."""

import numpy as np
import pytest

from retrievers.graph.hits import Centrality, Hits, adjustment, centrality, links_among
from tests.unit.retrievers.graph.hand_written import graph_of

STAR = [(0, 2), (1, 2), (0, 3), (1, 3), (0, 4)]


def test_authorities_and_hubs_are_the_principal_eigenvectors() -> None:
    graph = graph_of(STAR, symbols=5)
    nodes = np.arange(5)
    links = np.zeros((5, 5))
    links[links_among(graph, nodes)] = 1

    found = centrality(graph, nodes, 200)

    for vector, matrix in ((found.authority, links.T @ links), (found.hub, links @ links.T)):
        values, vectors = np.linalg.eigh(matrix)
        principal = np.abs(vectors[:, np.argmax(values)])
        assert vector == pytest.approx(principal, abs=1e-9)


def test_one_step_by_hand() -> None:
    # 0 and 1 both call 2: the authority of 2 is 2, made 1; both hubs are then 1, made 1/sqrt(2).
    graph = graph_of([(0, 2), (1, 2)], symbols=3)

    found = centrality(graph, np.arange(3), 1)

    assert found.authority.tolist() == [0, 0, 1]
    assert found.hub == pytest.approx([0.5**0.5, 0.5**0.5, 0])


def test_only_edges_among_the_nodes_count_and_each_pair_once() -> None:
    graph = graph_of([(0, 1, 0), (0, 1, 1), (0, 2), (3, 1)], symbols=4)

    source, target = links_among(graph, np.array([0, 1]))

    assert (source.tolist(), target.tolist()) == ([0], [1])


def test_seeds_gain_by_authority_and_hubs_and_others_lose_by_authority() -> None:
    found = Centrality(
        authority=np.array([0.4, 0.05, 0.4, 0.2, 0.06]), hub=np.array([0.2, 0.1, 0.9, 0, 0.05])
    )
    is_seed = np.array([True, True, False, False, True])

    added = adjustment(found, is_seed, Hits())

    # .4*.25 + .2*.1; nothing is over its threshold; -.4*.15; .2 is not over .2; .06*.25
    assert added == pytest.approx([0.12, 0, -0.06, 0, 0.015])


def test_nodes_without_links_are_not_central() -> None:
    found = centrality(graph_of([], symbols=2), np.arange(2), 10)

    assert found.authority.tolist() == [0, 0]
    assert found.hub.tolist() == [0, 0]
