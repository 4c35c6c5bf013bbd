"""What every engine of token vectors promises: MaxSim as it is computed here, ties by place."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from retrievers.dense import (
    QdrantEngine,
    TokenVectors,
    VectorSettings,
    open_multivectors,
    window_scores,
)
from retrievers.errors import VectorError
from retrievers.interface import Floats, best_first
from tests.contract.qdrant_server import reaching

ENGINES = ("edge", "server", "server-grpc")
pytestmark = pytest.mark.filterwarnings("ignore:Api key is used with an insecure connection")


class Opener:
    """Opens engines and closes them all."""

    def __init__(self, settings: VectorSettings) -> None:
        self._settings = settings
        self._engines: list[QdrantEngine] = []

    def __call__(self, tokens: TokenVectors) -> QdrantEngine:
        """Open an engine that holds the texts."""
        self._engines.append(open_multivectors(self._settings, tokens))
        return self._engines[-1]

    def close(self) -> None:
        """Close what was opened."""
        for engine in self._engines:
            engine.close()


@pytest.fixture(params=ENGINES)
def opened(request: pytest.FixtureRequest) -> Iterator[Opener]:
    """Return what opens an engine of each kind."""
    settings = VectorSettings("edge")
    if request.param != "edge":
        request.getfixturevalue("qdrant_key")
        grpc = "grpc" in request.param
        settings = reaching(request.getfixturevalue("qdrant"), grpc=grpc)
    opener = Opener(settings)
    yield opener
    opener.close()


def texts(count: int, *, seed: int, longest: int = 9) -> list[Floats]:
    """Return texts of one to a few normalised random tokens."""
    draw = np.random.default_rng(seed)
    sizes = draw.integers(1, longest + 1, count)
    return [_normal(draw.normal(size=(size, 24))) for size in sizes]


def _normal(vectors: Any) -> Floats:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)


def stored(found: list[Floats], place: Any = None, *, bits: Any = 8) -> TokenVectors:
    """Return texts as late interaction stores them."""
    places = range(len(found)) if place is None else place
    return TokenVectors.of(places, found, pooling=1, bits=bits)


@pytest.mark.parametrize("bits", [8, 16])
def test_it_finds_what_exact_maxsim_finds(opened: Opener, bits: Any) -> None:
    """Texts of any length, in whatever order they were stored."""
    place = np.random.default_rng(3).permutation(300)
    tokens = stored(texts(300, seed=1), place, bits=bits)
    queries = stored(texts(12, seed=2), bits=bits)
    engine = opened(tokens)

    exact = window_scores(queries, iter([tokens]), window_count=300)

    for number, row in enumerate(exact):
        query = queries.of_text(number).whole
        found, sums = engine.search(query, 10)
        expected = best_first(row, 10)
        np.testing.assert_allclose(sums / len(query), row[expected], atol=1e-6)
        np.testing.assert_allclose(row[found], row[expected], atol=1e-6)
        assert found.tolist() == expected.tolist()


def test_equal_texts_come_by_their_places_even_where_the_limit_cuts_them(opened: Opener) -> None:
    """Equal scores are ordered, never at random."""
    same, other = texts(2, seed=4)
    tokens = stored([same if n % 2 else other for n in range(20)], list(range(19, -1, -1)))
    engine = opened(tokens)

    found, scores = engine.search(stored([same]).whole, 4)

    assert found.tolist() == [0, 2, 4, 6]
    assert len(set(scores.tolist())) == 1


def test_it_gives_no_more_than_it_has(opened: Opener) -> None:
    engine = opened(stored(texts(3, seed=5)))

    found, scores = engine.search(stored(texts(1, seed=6)).whole, 10)

    assert sorted(found.tolist()) == [0, 1, 2]
    assert scores.tolist() == sorted(scores.tolist(), reverse=True)


def test_an_engine_of_nothing_answers_with_nothing(opened: Opener) -> None:
    engine = opened(stored([]))

    assert engine.search(np.ones((2, 1), np.float32), 5)[0].tolist() == []


def test_a_long_text_is_put_in_whole(opened: Opener) -> None:
    """More numbers than are put in at once for short ones."""
    long = _normal(np.random.default_rng(7).normal(size=(700, 24)))
    engine = opened(stored([*texts(5, seed=8), long]))

    found, sums = engine.search(stored([long[-3:]]).whole, 1)

    assert found.tolist() == [5]
    assert sums[0] / 3 == pytest.approx(1, abs=0.02)


def test_an_exact_engine_holds_no_multivectors() -> None:
    with pytest.raises(VectorError, match="vectors=exact: holds one vector a text"):
        open_multivectors(VectorSettings("exact"), stored(texts(2, seed=9)))
