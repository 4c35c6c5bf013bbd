"""The table of a static model keeps few rows and gives every row as if it kept all."""

import numpy as np
import pytest

from retrievers.dense.static_network import TokenTable

DIMENSIONS = 4
ROW_BYTES = DIMENSIONS * 4
VECTORS = np.random.default_rng(0).normal(size=(50, DIMENSIONS)).astype(np.float16)
WEIGHTS = np.random.default_rng(1).normal(size=50)
EXPECTED = (VECTORS.astype(np.float64) * WEIGHTS[:, None]).astype(np.float32)


@pytest.mark.parametrize("kept", [0, 1, 10, 50, 1000])
def test_a_table_gives_the_same_rows_however_few_it_keeps(kept: int) -> None:
    table = TokenTable(VECTORS, weights=WEIGHTS, kept_bytes=kept * ROW_BYTES)
    texts = np.random.default_rng(2).integers(50, size=(200, 12))

    for tokens in texts:
        assert np.array_equal(table.rows(tokens), EXPECTED[tokens])


def test_a_text_with_more_tokens_than_are_kept_has_all_its_rows() -> None:
    table = TokenTable(VECTORS, weights=WEIGHTS, kept_bytes=3 * ROW_BYTES)
    table.rows(np.array([7, 8]))

    assert np.array_equal(table.rows(np.arange(50)), EXPECTED)
    assert np.array_equal(table.rows(np.array([8, 7, 8])), EXPECTED[[8, 7, 8]])


def test_a_text_without_tokens_has_no_rows() -> None:
    assert TokenTable(VECTORS).rows(np.zeros(0, np.int32)).shape == (0, DIMENSIONS)


def test_tokens_may_share_a_row() -> None:
    places = np.array([3, 3, 5])

    rows = TokenTable(VECTORS, places).rows(np.array([1, 0, 2]))

    assert np.array_equal(rows, VECTORS[[3, 3, 5]].astype(np.float32))
