"""What a grid of weights would score equals what each weighting scores alone."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.errors import SettingError
from bench.measures import Rule, Wish, measure_of_ranks, score, scores_under
from bench.queries.resolved import Judgements
from retrievers.fusion import align, fuse, simplex
from retrievers.interface import ranked
from tests.unit.measures.even_text import WIDTH, chunks_of, even_text

FILES, LINES_OF_FILE, QUERIES = 6, 60, 5
CHUNKS = chunks_of([(n // 4, n % 4 * 10 + 1, n % 4 * 10 + 10) for n in range(FILES * 4)])
CHARACTERS, TOKENS = even_text(FILES, LINES_OF_FILE)
RULE = Rule(CHARACTERS)


def judgements(draw: np.random.Generator, count: int = 12) -> Judgements:
    """Return targets of random queries (some have none), levels, lines, grades and choices."""
    start = draw.integers(1, 36, count)
    columns = [
        draw.integers(0, QUERIES - 1, count),
        draw.choice([0, 2], count),
        draw.integers(0, FILES, count),
        (start - 1) * WIDTH,
        (start + draw.integers(0, 20, count)) * WIDTH,
        draw.integers(1, 3, count),
        draw.integers(0, 3, count),
    ]
    return Judgements(*(column.astype(np.int32) for column in columns))


@given(
    seed=st.integers(0, 10**6),
    column=st.sampled_from(
        ["ndcg_at_10", "mrr", "recall_at_5", "precision_at_3", "map_at_10", "acc_at_5"]
    ),
    level=st.sampled_from(["file", "span"]),
    limit=st.integers(2, 12),
)
def test_every_weighting_scores_as_it_does_alone(
    seed: int, column: str, level: str, limit: int
) -> None:
    """Also with alternatives, grades, hits of several targets, queries left out, and ties."""
    draw = np.random.default_rng(seed)
    rows = draw.integers(0, 6, (3, QUERIES, len(CHUNKS))).astype(np.float32)
    rankings = [ranked(list(one), 20, floor=0) for one in rows]
    right, weights = judgements(draw), simplex(3, 3)
    queries = (4, 0, 2)
    measure = measure_of_ranks(column)

    found = scores_under(
        align(rankings), weights, CHUNKS, right, Wish(measure, level, limit, queries, RULE)
    )

    for number, weighting in enumerate(weights):
        alone = score(
            fuse(rankings, weighting.tolist(), depth=1000),
            CHUNKS,
            right,
            TOKENS,
            query_count=QUERIES,
            rule=RULE,
            measures=[measure],
            limit=limit,
        )
        expected = (
            alone.of(level, column)[list(queries)] if level in alone.levels else [np.nan] * 3
        )
        np.testing.assert_allclose(found[:, number], expected, rtol=1e-12)


@pytest.mark.parametrize(
    "column",
    [
        "recall_at_4000_tokens",
        "coverage_at_10",
        "token_iou_at_10",
        "recall_ceiling",
        "groundedness",
    ],
)
def test_a_measure_of_more_than_ranks_is_refused(column: str) -> None:
    """In one line that says what to take."""
    with pytest.raises(SettingError, match=f"objective={column}.*use ndcg_at_10"):
        measure_of_ranks(column)
