"""Dense retrieval whose ranking is the vector engine's, by vectors that are made here."""

from typing import Any

import numpy as np

from retrievers.dense import (
    Dense,
    ModelWindows,
    QueryVectors,
    Vectors,
    VectorSettings,
    Windows,
    WindowVectors,
)
from retrievers.interface import CHUNKS, Chunks, Floats, Input, Rankings

SIZE, DIMENSIONS, QUERIES = 3000, 64, 12
GRAPH: dict[str, Any] = {"scan_below_kilobytes": 1, "ranked": True}


def unit(rows: int, seed: int) -> Floats:
    vectors = np.random.default_rng(seed).normal(size=(rows, DIMENSIONS)).astype(np.float32)
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)


def ranking(vectors: VectorSettings, *, size: int = SIZE) -> Rankings:
    """Return what dense ranks of chunks with a window each, as a stage would ask it to."""
    retriever = Dense(vectors=vectors).for_ranking
    none, places = np.zeros(size, np.int32), np.arange(size, dtype=np.int32)
    windows = Windows(none, none, none, none, none, none, none, places, none, ("",))
    own = Vectors(places, unit(size, seed=0))
    asked = Vectors(np.arange(QUERIES, dtype=np.int32), unit(QUERIES, seed=1))
    model = retriever.embedder
    inputs: dict[Input[Any], Any] = {
        CHUNKS: Chunks(none, none, none, none, none, none, none),
        ModelWindows(model): windows,
        WindowVectors(model): (own,),
        QueryVectors(model): asked,
    }
    return retriever.rank([""] * QUERIES, inputs.__getitem__, depth=1000)


def firsts(found: Rankings, count: int) -> list[list[int]]:
    return [found.of_query(query)[0][:count].tolist() for query in range(QUERIES)]


def shared(found: Rankings, exact: Rankings) -> float:
    """Return the share of the ten nearest that a ranking has among its first ten."""
    pairs = zip(firsts(found, 10), firsts(exact, 10), strict=True)
    return float(np.mean([len({*own} & {*best}) / 10 for own, best in pairs]))


def test_an_engine_that_looks_at_all_ranks_as_an_exact_search_does() -> None:
    exact = ranking(VectorSettings())

    found = ranking(VectorSettings("edge", ranked=True))

    assert firsts(found, 20) == firsts(exact, 20)
    np.testing.assert_allclose(found.of_query(0)[1], exact.of_query(0)[1][:200], atol=1e-5)


def test_an_engine_gives_as_many_hits_as_it_is_served_with() -> None:
    found = ranking(VectorSettings("edge", ranked=True))

    assert np.diff(found.stops, prepend=0).tolist() == [200] * QUERIES


def test_its_scores_are_on_the_scale_of_an_exact_search() -> None:
    """A hybrid subtracts the mean of all chunks, which 200 hits do not tell."""
    exact = ranking(VectorSettings())

    found = ranking(VectorSettings("edge", quantization="binary", **GRAPH))

    assert found.mean.tolist() == exact.mean.tolist()
    assert found.deviation.tolist() == exact.deviation.tolist()


def test_small_vectors_that_are_not_scored_again_change_the_ranking() -> None:
    exact = ranking(VectorSettings())

    found, again = (
        ranking(VectorSettings("edge", quantization="binary", rescore=how, **GRAPH))
        for how in ("off", "on")
    )

    assert shared(found, exact) < shared(again, exact)
    assert shared(found, exact) < 0.6


def test_an_engine_that_does_not_rank_changes_nothing() -> None:
    small = VectorSettings("edge", quantization="binary", rescore="off", scan_below_kilobytes=1)

    assert firsts(ranking(small), 1000) == firsts(ranking(VectorSettings()), 1000)


def test_a_repository_without_chunks_has_empty_rankings() -> None:
    found = ranking(VectorSettings("edge", ranked=True), size=0)

    assert found.stops.tolist() == [0] * QUERIES
