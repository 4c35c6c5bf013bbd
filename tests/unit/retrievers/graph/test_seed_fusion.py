"""Reciprocal rank fusion, worked out by hand."""

import pytest

from retrievers.graph.seeding.fusing import fuse_ranks


def test_a_node_adds_up_what_every_channel_gives() -> None:
    """With constant 60 a first place gives w/61, a second w/62, a third w/63."""
    found = {
        "tiered": {7: 1.0, 3: 1.0, 5: 1.0},
        "bm25": {3: 1.0, 9: 1.0},
        "path": {9: 1.0},
    }

    nodes, given = fuse_ranks(found, {"tiered": 2.0, "bm25": 2.0, "path": 1.5}, 60)

    assert nodes.tolist() == [3, 9, 7, 5]
    assert given["tiered"] == pytest.approx([2 / 62, 0, 2 / 61, 2 / 63])
    assert given["bm25"] == pytest.approx([2 / 61, 2 / 62, 0, 0])
    assert given["path"] == pytest.approx([0, 1.5 / 61, 0, 0])


def test_equal_sums_go_to_the_lower_node() -> None:
    found = {"tiered": {8: 1.0, 2: 1.0}, "bm25": {2: 1.0, 8: 1.0}}

    nodes, _ = fuse_ranks(found, {"tiered": 1.0, "bm25": 1.0}, 60)

    assert nodes.tolist() == [2, 8]


def test_an_unsure_find_counts_its_share() -> None:
    nodes, given = fuse_ranks({"learned": {4: 0.3, 6: 0.8}}, {"learned": 2.0}, 10)

    assert nodes.tolist() == [6, 4]
    assert given["learned"] == pytest.approx([2 * 0.8 / 12, 2 * 0.3 / 11])


def test_a_channel_of_weight_zero_finds_nothing() -> None:
    nodes, given = fuse_ranks({"vector": {1: 1.0}, "bm25": {2: 1.0}}, {"vector": 0, "bm25": 1}, 60)

    assert nodes.tolist() == [2]
    assert list(given) == ["bm25"]


def test_nothing_found_is_nothing_fused() -> None:
    nodes, given = fuse_ranks({"bm25": {}}, {"bm25": 1.0}, 60)

    assert nodes.tolist() == []
    assert given["bm25"].tolist() == []
