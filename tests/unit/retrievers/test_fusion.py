"""Fusion: hand arithmetic, and equal to an implementation with dictionaries."""

from typing import get_args

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from retrievers.errors import FusionError
from retrievers.fusion import Normalisation, align, fuse, weigh, weigh_each
from retrievers.interface import Rankings, ranked

NORMALISATIONS: tuple[Normalisation, ...] = get_args(Normalisation)
CHUNKS = 8
every_normalisation = pytest.mark.parametrize("normalisation", NORMALISATIONS)

Row = st.lists(st.integers(0, 16).map(float), min_size=CHUNKS, max_size=CHUNKS)
Channels = st.integers(1, 3).flatmap(
    lambda queries: st.lists(
        st.lists(Row, min_size=queries, max_size=queries), min_size=1, max_size=3
    )
)


def rankings_of(rows: list[list[float]], depth: int = 6) -> Rankings:
    """Return the rankings that rows of scores make, as lexical retrieval does."""
    return ranked((np.array(row, np.float32) for row in rows), depth, floor=0)


def hits(rankings: Rankings, query: int = 0) -> dict[int, float]:
    """Return a query's chunks with their scores, best first."""
    chunk, score = rankings.of_query(query)
    return dict(zip(chunk.tolist(), score.tolist(), strict=True))


def by_dictionary(
    rankings: list[Rankings], weights: list[float], normalisation: Normalisation, query: int
) -> dict[int, float]:
    """Return the fused score of each chunk of a query, one hit after the other."""
    fused: dict[int, float] = {}
    for ranking, weight in zip(rankings, weights, strict=True):
        if weight > 0:
            for chunk, value in normalised(ranking, normalisation, query).items():
                fused[chunk] = fused.get(chunk, 0.0) + weight * value
    return fused


def normalised(ranking: Rankings, normalisation: Normalisation, query: int) -> dict[int, float]:
    """Return the value of each hit of a query."""
    found = hits(ranking, query)
    if normalisation == "rrf":
        return {chunk: 1 / (60 + rank) for rank, chunk in enumerate(found, start=1)}
    if normalisation == "min_max":
        low, high = min(found.values(), default=0), max(found.values(), default=0)
        return {
            chunk: (score - low) / (high - low) if high > low else 1.0
            for chunk, score in found.items()
        }
    mean, deviation = float(ranking.mean[query]), float(ranking.deviation[query])
    if normalisation == "z_score":
        low = min(found.values(), default=0)
        return {n: (s - low) / deviation if deviation else 0.0 for n, s in found.items()}
    z = {
        chunk: max(0.0, (score - mean) / deviation) if deviation else 0.0
        for chunk, score in found.items()
    }
    best = max(z.values(), default=0)
    return {chunk: value / best if best else 0.0 for chunk, value in z.items()}


def test_scores_are_deviations_above_the_mean_over_the_best() -> None:
    """Mean 2 and deviation 2 over eight chunks, then mean 1 and deviation √7."""
    words = rankings_of([[6, 4, 3, 3, 0, 0, 0, 0]])
    vectors = rankings_of([[0, 8, 0, 0, 0, 0, 0, 0]])

    fused = fuse([words, vectors], [0.25, 0.75], depth=10)

    assert hits(fused) == pytest.approx({1: 0.25 * 0.5 + 0.75, 0: 0.25, 2: 0.0625, 3: 0.0625})
    assert list(hits(fused)) == [1, 0, 2, 3]


def test_min_max_goes_from_the_last_hit_to_the_best() -> None:
    """A hit alone is the best."""
    fused = fuse(
        [rankings_of([[6, 4, 2, 0, 0, 0, 0, 0]]), rankings_of([[0, 0, 0, 5, 0, 0, 0, 0]])],
        [1, 1],
        normalisation="min_max",
        depth=10,
    )

    assert hits(fused) == {0: 1.0, 3: 1.0, 1: 0.5, 2: 0.0}


def test_z_scores_rank_as_plain_ones_where_what_is_absent_stands_as_the_last() -> None:
    """Worked out with plain z-scores over all chunks of each channel."""
    rows = [[6, 4, 3, 3, 1, 0, 0, 0], [0, 8, 1, 0, 2, 0, 5, 0]]
    rankings = [rankings_of([[float(one) for one in row]]) for row in rows]

    fused = fuse(rankings, [0.5, 0.5], normalisation="z_score", depth=10)

    plain = np.zeros(CHUNKS)
    for row in rows:
        scores = np.array(row, float)
        held = scores[scores > 0]
        plain += 0.5 * (np.where(scores > 0, scores, held.min()) - scores.mean()) / scores.std()
    order = [n for n in np.argsort(-plain, kind="stable").tolist() if rows[0][n] or rows[1][n]]
    assert list(hits(fused)) == order
    differences = [plain[order[0]] - plain[n] for n in order]
    values = list(hits(fused).values())
    assert [values[0] - one for one in values] == pytest.approx(differences, abs=1e-6)


def test_reciprocal_ranks_are_added_with_a_constant_of_choice() -> None:
    """Ranks are counted from 1."""
    first = rankings_of([[9, 5, 0, 0, 0, 0, 0, 0]])
    second = rankings_of([[0, 7, 3, 0, 0, 0, 0, 0]])

    fused = fuse([first, second], [1, 1], normalisation="rrf", depth=10, rank_constant=10)

    assert hits(fused) == pytest.approx({1: 1 / 12 + 1 / 11, 0: 1 / 11, 2: 1 / 12})


def test_mean_and_deviation_are_those_of_the_chunks_that_are_held() -> None:
    """Depth does not change them."""
    fused = fuse([rankings_of([[6, 4, 2, 0, 0, 0, 0, 0]])], [2], normalisation="min_max", depth=1)

    assert fused.mean.tolist() == [1]
    assert fused.deviation.tolist() == pytest.approx([(2 / 3) ** 0.5])


def test_a_repository_of_one_chunk_keeps_its_hit() -> None:
    """Its score has no deviation, and still it is a hit."""
    alone = ranked([np.array([3], np.float32)], 5, floor=0)

    fused = fuse([alone, alone], [0.5, 0.5], depth=5)

    assert list(hits(fused)) == [0]


@every_normalisation
@given(channels=Channels, data=st.data())
def test_fusion_is_that_of_dictionaries(
    normalisation: Normalisation, channels: list[list[list[float]]], data: st.DataObject
) -> None:
    """Arrays are only faster."""
    rankings = [rankings_of(rows) for rows in channels]
    weight = st.sampled_from([0.0, 0.25, 0.5, 1.0, 3.0])
    weights = data.draw(st.lists(weight, min_size=len(rankings), max_size=len(rankings)))
    assume(any(weights))
    depth = data.draw(st.integers(1, CHUNKS))

    fused = fuse(rankings, weights, normalisation=normalisation, depth=depth)

    for query in range(len(rankings[0])):
        expected = by_dictionary(rankings, weights, normalisation, query)
        found = hits(fused, query)
        assert len(found) == min(depth, len(expected))
        assert found == pytest.approx({chunk: expected[chunk] for chunk in found}, abs=1e-6)
        assert sorted(found, key=lambda chunk: (-found[chunk], chunk)) == list(found)
        left_out = [expected[chunk] for chunk in expected if chunk not in found]
        assert max(left_out, default=0) <= min(found.values(), default=0) + 1e-6


@given(Row, Row)
def test_the_whole_weight_on_one_ranking_gives_its_order(
    first: list[float], other: list[float]
) -> None:
    """A ranking of weight zero adds no hits."""
    rankings = rankings_of([first]), rankings_of([other])

    fused = fuse(rankings, [1, 0], depth=CHUNKS)

    mean = rankings[0].mean[0]
    above = [chunk for chunk, score in hits(rankings[0]).items() if score > mean]
    assert list(hits(fused))[: len(above)] == above
    assert set(hits(fused)) == set(hits(rankings[0]))


@every_normalisation
@given(first=Row, other=Row, scale=st.sampled_from([0.125, 4.0, 1024.0]))
def test_the_scale_of_a_ranking_does_not_matter(
    normalisation: Normalisation, first: list[float], other: list[float], scale: float
) -> None:
    """Powers of two scale without rounding."""
    fixed, plain = rankings_of([first]), rankings_of([other])
    scaled = rankings_of([[scale * score for score in other]])

    one = fuse([fixed, plain], [0.4, 0.6], normalisation=normalisation, depth=CHUNKS)
    two = fuse([fixed, scaled], [0.4, 0.6], normalisation=normalisation, depth=CHUNKS)

    assert list(hits(one).items()) == list(hits(two).items())


def test_equal_chunks_keep_the_order_of_their_numbers() -> None:
    """Equal values must not differ by how sums are rounded."""
    generator = np.random.default_rng(0)
    rows = generator.integers(1, 3, (2, 1, 1001)).astype(np.float32)
    rankings = [ranked(channel, 1001) for channel in rows]

    fused = fuse(rankings, [0.45, 0.55], depth=1001)

    chunk, score = fused.of_query(0)
    assert len(np.unique(score)) == 4
    assert all(np.all(np.diff(chunk[score == value]) > 0) for value in np.unique(score))


def test_rankings_are_aligned_once_for_many_weights() -> None:
    """A grid of weights shares what does not depend on them."""
    rankings = [rankings_of([[6, 4, 3, 3, 0, 0, 0, 0]]), rankings_of([[0, 8, 1, 1, 0, 0, 0, 2]])]
    aligned = align(rankings)

    for weights in ([1.0, 0.0], [0.3, 0.7], [0.0, 2.0]):
        shared = weigh(aligned, weights, 5)
        assert hits(shared) == hits(fuse(rankings, weights, depth=5))


def test_queries_without_hits_stay_without() -> None:
    """A division by nothing is not an error."""
    nothing = [0.0] * CHUNKS
    rankings = [rankings_of([nothing, [1.0, *nothing[1:]]]), rankings_of([nothing, nothing])]

    fused = fuse(rankings, [0.5, 0.5], depth=3)

    assert len(fused) == 2
    assert hits(fused, 0) == {}
    assert list(hits(fused, 1)) == [0]
    assert fused.mean[0] == 0


@pytest.mark.parametrize(
    ("weights", "normalisation", "rank_constant", "remedy"),
    [
        ([1], "relu_z", 60, "1 weights for 2 rankings; give one to each"),
        ([0, 0], "relu_z", 60, "not all of them 0"),
        ([1, -1], "relu_z", 60, "give finite weights from 0 up"),
        ([1, float("nan")], "relu_z", 60, "give finite weights from 0 up"),
        ([1, float("inf")], "relu_z", 60, "give finite weights from 0 up"),
        ([1, 1], "softmax", 60, "normalisation=softmax is not known; choose one of relu_z"),
        ([1, 1], "rrf", -1, "rank_constant=-1 is negative; choose 0 or more"),
    ],
)
def test_what_cannot_be_fused_is_refused(
    weights: list[float], normalisation: Normalisation, rank_constant: int, remedy: str
) -> None:
    """The error says what is allowed."""
    rankings = [rankings_of([[1.0] * CHUNKS])] * 2

    with pytest.raises(FusionError, match=remedy):
        fuse(rankings, weights, normalisation=normalisation, depth=3, rank_constant=rank_constant)


def test_rankings_of_different_queries_are_refused() -> None:
    """Queries are matched by their place."""
    one, two = rankings_of([[1.0] * CHUNKS]), rankings_of([[1.0] * CHUNKS] * 2)

    with pytest.raises(FusionError, match=r"fusing 2 rankings of \[1, 2\] queries"):
        fuse([one, two], [1, 1], depth=3)


def test_no_rankings_are_refused() -> None:
    """There is nothing to fuse."""
    with pytest.raises(FusionError, match="give at least one ranking"):
        fuse([], [], depth=3)


def test_a_channel_that_is_empty_for_a_repository_gives_its_weight_in_proportion() -> None:
    """0.5 of 0.2, 0.3 and 0.5: the others have 0.4 and 0.6."""
    words = rankings_of([[6, 4, 3, 3, 0, 0, 0, 0]] * 2)
    vectors = rankings_of([[0, 8, 0, 0, 0, 0, 0, 0]] * 2)
    silent = rankings_of([[0.0] * CHUNKS] * 2)

    fused = fuse([words, vectors, silent], [0.2, 0.3, 0.5], depth=10)

    alone = fuse([words, vectors], [0.4, 0.6], depth=10)
    assert hits(fused) == pytest.approx(hits(alone))
    assert list(hits(fused)) == list(hits(alone))
    assert fused.deviation == pytest.approx(alone.deviation)


def test_a_channel_that_is_empty_for_one_query_keeps_its_weight() -> None:
    words = rankings_of([[6, 4, 3, 3, 0, 0, 0, 0]] * 2)
    vectors = rankings_of([[0.0] * CHUNKS, [0, 8, 0, 0, 0, 0, 0, 0]])

    fused = fuse([words, vectors], [0.25, 0.75], depth=10)

    assert max(hits(fused, 0).values()) == pytest.approx(0.25)


def test_weight_is_given_to_no_channel_that_has_none() -> None:
    words = rankings_of([[6, 4, 3, 3, 0, 0, 0, 0]])
    silent = rankings_of([[0.0] * CHUNKS])

    assert hits(fuse([words, silent], [0.0, 1.0], depth=10)) == {}


def test_each_query_may_have_weights_of_its_own() -> None:
    """A query is ranked as if all had its weights."""
    words = rankings_of([[6, 4, 3, 3, 0, 0, 0, 0], [0, 1, 2, 3, 4, 5, 6, 7]])
    vectors = rankings_of([[0, 8, 1, 0, 0, 0, 0, 0], [7, 0, 5, 0, 3, 0, 1, 0]])
    rows = [(0.2, 0.8), (1.0, 0.0)]

    found = weigh_each(align([words, vectors]), rows, 6)

    for query, row in enumerate(rows):
        alone = fuse([words, vectors], row, depth=6)
        assert hits(found, query) == hits(alone, query)
        assert found.mean[query] == alone.mean[query]
        assert found.deviation[query] == alone.deviation[query]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([(0.5, 0.5)], "1 rows of weights for 2 queries; give one to each"),
        ([(0.5, 0.5), (1.0,)], "1 weights for 2 rankings; give one to each"),
        ([(0.5, 0.5), (0.0, 0.0)], "give finite weights from 0 up, not all of them 0"),
    ],
)
def test_rows_of_weights_that_do_not_fit_are_refused(
    rows: list[tuple[float, ...]], said: str
) -> None:
    ranking = rankings_of([[1, 0, 0, 0, 0, 0, 0, 0]] * 2)

    with pytest.raises(FusionError, match=said):
        weigh_each(align([ranking, ranking]), rows, 6)
