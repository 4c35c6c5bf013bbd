"""From vectors of tokens to the vector of a text, by hand arithmetic."""

import numpy as np
import pytest

from retrievers.dense import EmbeddingModel
from retrievers.dense.settings import Pooling
from retrievers.dense.vectors import finished, pooled

TOKENS = np.array([[1, 8], [3, 2], [2, 5]], np.float32)


@pytest.mark.parametrize(
    ("pooling", "expected"),
    [("model", [2, 5]), ("mean", [2, 5]), ("cls", [1, 8]), ("last", [2, 5]), ("max", [3, 8])],
)
def test_a_text_is_what_the_pooling_makes_of_its_tokens(
    pooling: Pooling, expected: list[float]
) -> None:
    assert pooled(TOKENS, pooling).tolist() == expected


def test_a_text_without_tokens_is_zeros_and_stays_so() -> None:
    nothing = pooled(np.zeros((0, 2), np.float32), "mean")

    assert finished(nothing[None], EmbeddingModel()).tolist() == [[0, 0]]


def test_vectors_are_cut_and_then_as_long_as_wanted() -> None:
    vectors = np.array([[3, 4, 12]], np.float32)

    cut = finished(vectors, EmbeddingModel(dimensions=2))
    left = finished(vectors, EmbeddingModel(normalise=False))

    np.testing.assert_allclose(cut, [[0.6, 0.8]], rtol=1e-6)
    assert left.tolist() == [[3, 4, 12]]
