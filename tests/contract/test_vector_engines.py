"""What every vector engine promises: the nearest first, ties by id, no more than there is."""

import os
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from retrievers.dense import VectorEngine, VectorSettings, open_engine, recall
from retrievers.errors import VectorError
from retrievers.interface import Floats
from tests.contract.qdrant_server import KEY, KEY_VARIABLE, Server, free_port, reaching

Open = Callable[[Floats], VectorEngine]
GRAPH = {"m": 8, "ef_construct": 64, "scan_below_kilobytes": 10}
"""So that few vectors are searched by a graph, as many would be."""
ENGINES = ("exact", "edge", "edge-indexed", "server", "server-indexed", "server-grpc")


def _unit(rows: int, *, seed: int = 0, dimensions: int = 32) -> Floats:
    vectors = np.random.default_rng(seed).normal(size=(rows, dimensions)).astype(np.float32)
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)


@pytest.fixture(params=ENGINES)
def opened(request: pytest.FixtureRequest) -> Iterator[Open]:
    """Return a function that opens an engine, closed after the test."""
    kind = request.param.partition("-")[0]
    settings = VectorSettings("edge" if kind == "edge" else "exact")
    if kind == "server":
        settings = reaching(request.getfixturevalue("qdrant"), grpc="grpc" in request.param)
    engines: list[VectorEngine] = []

    def opener(vectors: Floats) -> VectorEngine:
        engines.append(open_engine(settings, vectors, indexed="indexed" in request.param))
        return engines[-1]

    os.environ[KEY_VARIABLE] = KEY
    try:
        yield opener
    finally:
        for engine in engines:
            engine.close()
        del os.environ[KEY_VARIABLE]


pytestmark = pytest.mark.filterwarnings("ignore:Api key is used with an insecure connection")


def test_it_finds_what_a_plain_product_finds(opened: Open) -> None:
    vectors, queries = _unit(2500), _unit(20, seed=1)
    engine = opened(vectors)

    for query in queries:
        ids, scores = engine.search(query, 10)
        expected = np.argsort(-(vectors @ query), kind="stable")[:10]
        assert ids.tolist() == expected.tolist()
        np.testing.assert_allclose(scores, (vectors @ query)[expected], atol=1e-5)


def test_a_copy_of_the_query_comes_first(opened: Open) -> None:
    vectors = _unit(100)
    engine = opened(vectors)

    ids, scores = engine.search(vectors[42], 3)

    assert ids[0] == 42
    assert scores[0] == pytest.approx(1, abs=1e-5)


def test_equal_scores_come_by_id_even_where_the_limit_cuts_them(opened: Open) -> None:
    base = _unit(4)
    vectors = base[np.array([1, 0, 2, 0, 3, 0, 0, 1] * 6)]
    engine = opened(vectors)

    ids, scores = engine.search(base[0], 7)

    assert ids.tolist() == [1, 3, 5, 6, 9, 11, 13]
    assert len(set(scores.tolist())) == 1


def test_it_gives_no_more_than_it_has(opened: Open) -> None:
    engine = opened(_unit(3))

    ids, scores = engine.search(_unit(1, seed=2)[0], 10)

    assert sorted(ids.tolist()) == [0, 1, 2]
    assert scores.tolist() == sorted(scores.tolist(), reverse=True)
    assert ids.dtype == np.int64
    assert scores.dtype == np.float32


def test_a_limit_of_0_gives_nothing(opened: Open) -> None:
    assert opened(_unit(3)).search(_unit(1)[0], 0)[0].tolist() == []


def test_an_empty_engine_answers_with_nothing(opened: Open) -> None:
    ids, scores = opened(np.zeros((0, 32), np.float32)).search(_unit(1)[0], 5)

    assert len(ids) == len(scores) == 0


def test_two_engines_live_side_by_side(opened: Open) -> None:
    first, second = opened(_unit(5)), opened(_unit(9, seed=3))

    assert len(first.search(_unit(1)[0], 20)[0]) == 5
    assert len(second.search(_unit(1)[0], 20)[0]) == 9


def test_vectors_that_are_no_numbers_are_refused(opened: Open) -> None:
    broken = _unit(4)
    broken[2, 5] = np.nan

    with pytest.raises(VectorError, match="vector 2 has NaN or infinity"):
        opened(broken)


def test_a_query_that_is_no_number_is_refused(opened: Open) -> None:
    engine = opened(_unit(4))

    with pytest.raises(VectorError, match="the query's vector has NaN or infinity"):
        engine.search(np.full(32, np.nan, np.float32), 2)


def test_a_closed_server_engine_leaves_no_collection(
    qdrant: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, KEY)
    engine = open_engine(reaching(qdrant), _unit(4))

    during = _collections(qdrant.url)
    engine.close()

    assert during.count("rankgrid-") == 1
    assert "rankgrid-" not in _collections(qdrant.url)


def _collections(server: str) -> str:
    request = urllib.request.Request(f"{server}/collections", headers={"api-key": KEY})  # noqa: S310 - our own loopback
    with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310 - our own loopback
        return str(answer.read().decode())


@pytest.mark.parametrize("grpc", [False, True])
def test_a_wrong_key_is_said_without_showing_it(
    qdrant: Server, monkeypatch: pytest.MonkeyPatch, *, grpc: bool
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, "a-wrong-key")

    with pytest.raises(VectorError, match="the server failed") as refused:
        open_engine(reaching(qdrant, grpc=grpc), _unit(4))

    assert "a-wrong-key" not in str(refused.value)


def test_a_server_that_does_not_answer_is_named() -> None:
    address = f"http://127.0.0.1:{free_port()}"

    with pytest.raises(VectorError, match=address):
        open_engine(VectorSettings("server", url=address), _unit(4))


def test_an_unknown_engine_and_a_server_without_address_are_refused() -> None:
    with pytest.raises(VectorError, match="vectors=faiss: no such kind; choose one of exact"):
        VectorSettings("faiss")  # type: ignore[arg-type]
    with pytest.raises(VectorError, match=r"vectors\.url"):
        open_engine(VectorSettings("server"), _unit(2))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"m": 1}, "m=1, ef_construct=100: give m from 2 up"),
        ({"m": 200}, "m=200, ef_construct=100: give .* ef_construct from m up"),
        ({"ef": -1}, "ef=-1: give 0 or more"),
        ({"scan_below_kilobytes": -1}, "scan_below_kilobytes=-1"),
        ({"quantization": "ternary"}, "quantization=ternary: no such quantization; choose one of"),
        ({"rescore": "yes"}, "rescore=yes: no such rescore; choose one of auto, on, off"),
        ({"oversampling": 0.5}, "oversampling=0.5: give 1 to 100"),
        ({"oversampling": 101}, "oversampling=101: give 1 to 100"),
        ({"grpc_port": 70_000}, "grpc_port=70000: give a port"),
    ],
)
def test_settings_that_no_engine_has_are_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(VectorError, match=said):
        VectorSettings("edge", **changes)


@pytest.mark.parametrize("kind", ["edge", "server"])
def test_a_graph_finds_more_when_it_looks_at_more(
    kind: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, KEY)
    vectors = _unit(3000)

    few, many = (recall_of(_settings(kind, request, **GRAPH, ef=ef), vectors) for ef in (10, 1000))

    assert few < many
    assert many > 0.98


@pytest.mark.parametrize("kind", ["edge", "server"])
def test_quantised_vectors_are_searched_and_may_lose_some(
    kind: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, KEY)
    vectors = _unit(3000)

    scalar, binary = (
        recall_of(_settings(kind, request, **GRAPH, ef=1000, quantization=how), vectors)
        for how in ("scalar", "binary")
    )

    assert scalar > 0.9
    assert binary < scalar


@pytest.mark.parametrize("kind", ["edge", "server"])
@pytest.mark.parametrize("quantization", ["scalar", "binary", "product"])
def test_whole_vectors_score_again_what_small_ones_found(
    kind: str, quantization: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, KEY)
    vectors, query = _unit(3000), _unit(1, seed=1)[0]
    far: dict[str, float] = {}

    for how in ("on", "off"):
        changes = {"quantization": quantization, "rescore": how}
        engine = open_engine(_settings(kind, request, **GRAPH, **changes), vectors)
        ids, scores = engine.search(query, 10)
        engine.close()
        far[how] = float(np.abs((vectors @ query)[ids] - scores).max())

    assert far["on"] < 1e-5
    assert far["off"] > 1e-4


@pytest.mark.parametrize("kind", ["edge", "server"])
def test_more_small_vectors_for_the_second_scoring_find_more(
    kind: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, KEY)
    vectors, small = _unit(3000), {"quantization": "binary", "rescore": "on", "ef": 1000}

    few, many = (
        recall_of(_settings(kind, request, **GRAPH, **small, oversampling=times), vectors)
        for times in (1.0, 20.0)
    )

    assert few + 0.1 < many


def test_a_server_has_a_graph_from_10_kilobytes_up_only() -> None:
    """It refuses less, and would say so after everything was embedded."""
    with pytest.raises(VectorError, match=r"scan_below_kilobytes=9: a Qdrant server takes 10 or"):
        VectorSettings("server", scan_below_kilobytes=9)
    assert VectorSettings("server", scan_below_kilobytes=10).scan_below_kilobytes == 10
    assert VectorSettings("edge", scan_below_kilobytes=1).scan_below_kilobytes == 1


def test_an_exact_engine_cannot_be_told_to_rank() -> None:
    """It does so anyway, and the setting would be silent."""
    with pytest.raises(VectorError, match=r"ranked=true: vectors=exact ranks .* Remove"):
        VectorSettings("exact", ranked=True)


def _settings(kind: str, request: pytest.FixtureRequest, **changes: Any) -> VectorSettings:
    if kind == "edge":
        return VectorSettings("edge", **changes)
    return reaching(request.getfixturevalue("qdrant"), **changes)


def recall_of(settings: VectorSettings, vectors: Floats) -> float:
    """Return the mean share of the ten nearest that an engine finds."""
    engine, queries = open_engine(settings, vectors), _unit(40, seed=1)
    try:
        found = [engine.search(query, 10)[0] for query in queries]
    finally:
        engine.close()
    pairs = zip(found, queries, strict=True)
    return float(np.mean([recall(ids, vectors, query, 10) for ids, query in pairs]))


def test_recall_is_the_share_of_the_nearest_and_equally_near_ones_count() -> None:
    vectors = np.array([[1, 0], [0.8, 0.6], [0.8, 0.6], [0, 1]], np.float32)
    query = np.array([1, 0], np.float32)

    assert recall(np.array([0, 1]), vectors, query, 2) == 1
    assert recall(np.array([0, 2]), vectors, query, 2) == 1
    assert recall(np.array([0, 3]), vectors, query, 2) == 0.5
    assert recall(np.array([0]), vectors, query, 2) == 0.5
    assert recall(np.array([], np.int64), vectors[:0], query, 2) == 1
