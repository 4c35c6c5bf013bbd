"""Chunk scores: the cosine of each chunk's windows, exact and the same for equal vectors."""

from typing import Any

import numpy as np
import pytest

from retrievers.dense import ChunksOfPoints, best_of_windows, chunk_scores, points_of_chunks
from retrievers.dense.engines import ExactEngine
from retrievers.dense.search import distinct
from retrievers.interface import SEARCHED, Floats, best_first

WINDOWS = np.array([[1, 0], [0, 1], [0.6, 0.8], [-1, 0]], np.float32)
QUERIES = np.array([[1, 0], [0.8, 0.6]], np.float32)
BELONGING = np.array([0, 0, 1, 2, 2]), np.array([0, 1, 2, 2, 3])


def _unit(rows: int, *, seed: int, dimensions: int = 384) -> Floats:
    vectors = np.random.default_rng(seed).normal(size=(rows, dimensions)).astype(np.float32)
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)


def test_a_chunk_scores_as_its_best_window() -> None:
    rows = list(chunk_scores(QUERIES, WINDOWS, BELONGING, chunk_count=3))

    np.testing.assert_allclose(rows, [[1, 0.6, 0.6], [0.8, 0.96, 0.96]], atol=1e-6)
    assert all(row.dtype == np.float32 for row in rows)


def test_a_chunk_may_score_as_the_mean_of_its_windows() -> None:
    rows = list(chunk_scores(QUERIES, WINDOWS, BELONGING, chunk_count=3, long_text="mean"))

    half = np.sqrt(0.5)
    opposite = np.array([-0.4, 0.8]) / np.sqrt(0.8)
    expected = [
        [half, 0.6, opposite[0]],
        [1.4 * half, 0.96, 0.8 * opposite[0] + 0.6 * opposite[1]],
    ]
    np.testing.assert_allclose(rows, expected, atol=1e-6)


def test_scores_of_windows_may_be_averaged_for_each_chunk() -> None:
    rows = [np.array([1, 0, 0.6, -1], np.float32)]

    (row,) = best_of_windows(rows, BELONGING, chunk_count=3, long_text="mean")

    np.testing.assert_allclose(row, [0.5, 0.6, -0.2], atol=1e-6)
    assert row.dtype == np.float32


def test_a_truncated_chunk_scores_as_its_one_window() -> None:
    own = np.arange(4)

    rows = list(chunk_scores(QUERIES, WINDOWS, (own, own), chunk_count=4, long_text="truncate"))

    np.testing.assert_allclose(rows, QUERIES @ WINDOWS.T, atol=1e-6)


def test_many_queries_score_as_in_one_product() -> None:
    queries, windows = _unit(75, seed=1), _unit(200, seed=2)
    own = np.arange(200)

    rows = list(chunk_scores(queries, windows, (own, own), chunk_count=200))

    np.testing.assert_allclose(rows, queries @ windows.T, atol=1e-6)


@pytest.mark.parametrize("long_text", ["max", "mean", "truncate"])
def test_equal_vectors_have_equal_scores_wherever_they_stand(long_text: str) -> None:
    copies = np.repeat(_unit(1, seed=3), 1003, axis=0)
    own = np.arange(1003)

    (row,) = chunk_scores(
        _unit(1, seed=4),
        copies,
        (own, own),
        chunk_count=1003,
        long_text=long_text,  # type: ignore[arg-type]
    )

    assert len(np.unique(row)) == 1


def test_distinct_vectors_are_kept_once_and_can_be_told_apart() -> None:
    vectors = _unit(5, seed=5)[[0, 1, 0, 2, 1]]

    kept, copies = distinct(vectors)

    assert len(kept) == 3
    np.testing.assert_array_equal(kept[copies], vectors)


def test_no_chunks_and_no_queries_have_no_scores() -> None:
    none = np.zeros((0, 2), np.float32)
    empty = np.zeros(0, np.int64)

    assert [
        row.tolist() for row in chunk_scores(QUERIES, none, (empty, empty), chunk_count=0)
    ] == [
        [],
        [],
    ]
    assert not list(chunk_scores(none, WINDOWS, BELONGING, chunk_count=3))


def test_a_chunk_without_a_window_is_an_error() -> None:
    with pytest.raises(ValueError, match="chunk 1 has no window"):
        list(chunk_scores(QUERIES, WINDOWS, (np.array([0, 2]), np.array([0, 1])), chunk_count=3))


@pytest.mark.parametrize("long_text", ["max", "mean", "truncate"])
def test_an_engine_that_holds_the_points_gives_the_order_of_the_scores(long_text: str) -> None:
    """The same chunks, though the nearest points are all of a few of them."""
    windows, (query,) = _unit(2000, seed=6, dimensions=16), _unit(1, seed=7, dimensions=16)
    windows[:600] = query + 0.01 * windows[:600]  # all of the first two chunks
    counts = np.repeat([300, 1], [2, 1400])
    shown = np.repeat(np.arange(1402), counts), np.arange(2000)
    if long_text == "truncate":
        shown = np.arange(2000), np.arange(2000)
    count = int(shown[0][-1]) + 1
    how: dict[str, Any] = {"chunk_count": count, "long_text": long_text}

    points, belonging = points_of_chunks(windows, shown, **how)
    engine = ExactEngine(points)
    ranking = ChunksOfPoints(belonging, points=len(points), chunks=count).found(
        lambda limit: engine.search(query, limit)
    )

    (row,) = chunk_scores(query[None], windows, shown, **how)
    found, scores = ranking.of_query(0)
    assert found.tolist() == best_first(row, SEARCHED).tolist()
    np.testing.assert_allclose(scores, row[found], atol=1e-6)


def test_a_point_that_several_chunks_show_counts_for_each() -> None:
    belonging = np.array([0, 1, 2, 2]), np.array([0, 0, 0, 1])
    chunks = ChunksOfPoints(belonging, points=2, chunks=3)

    ranking = chunks.found(lambda _: (np.array([1, 0]), np.array([0.9, 0.5], np.float32)))

    assert ranking.chunk.tolist() == [2, 0, 1]
    np.testing.assert_allclose(ranking.score, [0.9, 0.5, 0.5])


def test_an_engine_of_no_points_finds_no_chunks() -> None:
    none = np.zeros(0, np.int64)
    chunks = ChunksOfPoints((none, none), points=0, chunks=0)

    ranking = chunks.found(lambda _: (none, np.zeros(0, np.float32)))

    assert len(ranking.chunk) == 0


def test_a_closed_engine_lets_its_vectors_go() -> None:
    """A slice of nothing would keep them all."""
    vectors = np.eye(3, dtype=np.float32)
    engine = ExactEngine(vectors)

    engine.close()

    assert (len(engine._vectors), engine._vectors.base) == (0, None)
    assert (len(engine._copies), engine._copies.base) == (0, None)
