"""Token vectors stored as integers: how close they stay, and MaxSim over them, exactly."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.engine import Record
from retrievers.dense import TokenVectors, window_scores
from retrievers.dense.settings import Bits
from retrievers.dense.tokens import pooled
from retrievers.interface import Floats
from retrievers.rerankers import maxsim

each_size = pytest.mark.parametrize("bits", [8, 16])


def unit(rows: int, *, seed: int, dimensions: int = 384) -> Floats:
    """Return vectors of length one."""
    vectors = np.random.default_rng(seed).normal(size=(rows, dimensions)).astype(np.float32)
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)


def stored(texts: list[Floats], *, bits: Bits = 8, pooling: int = 1) -> TokenVectors:
    """Return the vectors of texts in their order."""
    return TokenVectors.of(range(len(texts)), texts, pooling=pooling, bits=bits)


def test_scores_are_those_worked_out_by_hand() -> None:
    query = np.array([[1, 0], [0, 1]], np.float32)
    near = np.array([[0.6, 0.8], [0.8, 0.6], [-1, 0]], np.float32)
    far = np.array([[-1, 0]], np.float32)

    scores = window_scores(
        stored([query], bits=16), iter([stored([near, far], bits=16)]), window_count=2
    )

    np.testing.assert_allclose(scores, [[0.8, -0.5]], atol=1e-4)


@each_size
def test_scores_are_close_to_those_of_unrounded_vectors(bits: Bits) -> None:
    texts = [unit(40 + n, seed=n) for n in range(30)]
    query = unit(12, seed=99)

    (scores,) = window_scores(
        stored([query], bits=bits), iter([stored(texts, bits=bits)]), window_count=30
    )

    expected = [maxsim(query, text) for text in texts]
    np.testing.assert_allclose(scores, expected, atol={8: 2e-3, 16: 1e-5}[bits])


@each_size
@pytest.mark.parametrize("dimensions", [3, 384, 4096])
def test_products_add_up_without_rounding(bits: Bits, dimensions: int) -> None:
    """Also where all the numbers of a vector are as high as they can be."""
    flat = np.full((2, dimensions), 1 / np.sqrt(dimensions), np.float32)
    tokens = stored([flat, unit(5, seed=1, dimensions=dimensions)], bits=bits)
    compared: Any = tokens.vector.astype(np.float32 if bits == 8 else np.float64)

    product = compared @ compared.T

    whole = tokens.vector.astype(np.int64)
    assert product.astype(np.int64).tolist() == (whole @ whole.T).tolist()


@each_size
def test_a_score_is_bitwise_the_same_wherever_its_text_stands(bits: Bits) -> None:
    texts = [unit(1 + n % 37, seed=n % 50) for n in range(300)]
    query = stored([unit(9, seed=1000), unit(3, seed=1001)], bits=bits)

    together = window_scores(query, iter([stored(texts, bits=bits)]), window_count=300)
    parts = [TokenVectors.of([n], [texts[n]], pooling=1, bits=bits) for n in reversed(range(300))]
    apart = window_scores(query, iter(parts), window_count=300)
    alone = window_scores(query.of_text(1), iter([stored(texts, bits=bits)]), window_count=300)

    np.testing.assert_array_equal(apart, together)
    np.testing.assert_array_equal(alone[0], together[1])


def test_many_texts_are_compared_in_blocks_that_hold_each_once() -> None:
    texts = [unit(1 + n % 90, seed=n) for n in range(700)]
    tokens = TokenVectors.joined([stored(texts[:300]), stored(texts[300:])])

    blocks = list(tokens.blocks())

    assert len(blocks) > 1
    assert [place for block in blocks for place in block.place] == [*range(300), *range(400)]
    assert sum(len(block.vector) for block in blocks) == sum(map(len, texts))
    assert max(block.vector.size for block in blocks) <= 8_000_000


def test_neighbours_are_stored_as_their_normalised_mean() -> None:
    tokens = np.array([[1, 0], [0, 1], [0, 1]], np.float32)

    assert pooled(tokens, 1) is tokens
    half = np.sqrt(0.5)
    np.testing.assert_allclose(pooled(tokens, 2), [[half, half], [0, 1]], atol=1e-6)
    np.testing.assert_allclose(pooled(tokens, 5), [[1 / np.sqrt(5), 2 / np.sqrt(5)]], atol=1e-6)


def test_texts_and_queries_without_tokens_score_0() -> None:
    none = np.zeros((0, 8), np.float32)
    some = unit(3, seed=1, dimensions=8)

    scores = window_scores(stored([none, some]), iter([stored([none, some])]), window_count=2)

    assert scores[0].tolist() == [0, 0]
    assert scores[1, 0] == 0
    assert scores[1, 1] == pytest.approx(1, abs=1e-2)


def test_no_texts_are_no_trouble() -> None:
    query, nothing = stored([unit(2, seed=1)]), stored([])

    joined = TokenVectors.joined([nothing, stored([unit(2, seed=1)]), nothing])

    assert window_scores(query, iter([nothing]), window_count=0).shape == (1, 0)
    assert len(joined) == 1
    assert len(TokenVectors.joined([nothing, nothing])) == 0


@each_size
@given(lengths=st.lists(st.integers(0, 9), max_size=6), pooling=st.integers(1, 4))
@settings(deadline=None)
def test_stored_vectors_are_the_same_vectors(bits: Bits, lengths: list[int], pooling: int) -> None:
    codec = Record(TokenVectors)
    texts = [unit(length, seed=length, dimensions=16) for length in lengths]
    tokens = stored(texts, bits=bits, pooling=pooling)

    restored = codec.decode(codec.encode(tokens))

    for name in ("place", "stops", "vector", "factor"):
        np.testing.assert_array_equal(getattr(restored, name), getattr(tokens, name))
        assert getattr(restored, name).dtype == getattr(tokens, name).dtype
