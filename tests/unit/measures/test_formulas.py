"""The formulas, against hand arithmetic."""

from collections.abc import Sequence
from math import log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.errors import ArtifactError
from bench.measures import Measure, Results, Tokens
from bench.measures.formulas import FORMULAS, Found, values_of

OF_TARGETS = [
    Measure(name, cutoff)
    for name in FORMULAS
    for cutoff in (Results(1), Results(10), Tokens(100))
    if name not in ("returned_precision", "duplicates")  # need to know all hits
    if not (isinstance(cutoff, Tokens) and name in ("precision", "f1"))
]
ROWS = st.lists(
    st.tuples(st.integers(0, 4), st.integers(1, 4), st.integers(0, 30), st.integers(0, 200)),
    max_size=40,
)


def found_of(
    rows: Sequence[tuple[int, ...]], query_count: int = 1, limit: int | None = None
) -> Found:
    """Return targets from (query, grade, rank, tokens)."""
    query, grade, rank, tokens = np.array(sorted(rows), np.int64).reshape(-1, 4).T
    return Found(query_count, query, grade, rank, tokens, limit)


def value(name: str, cutoff: Results | Tokens, found: Found) -> list[float]:
    """Return a measure of each query."""
    return list(values_of(Measure(name, cutoff), found))


def test_hits_at_rank_one_at_four_and_never() -> None:
    """Agree with the reference on ranks 1, 4 and a miss."""
    found = found_of([(0, 1, 1, 0), (1, 1, 4, 0), (2, 1, 0, 0)], 3)

    assert value("hit", Results(1), found) == [1, 0, 0]
    assert value("hit", Results(3), found) == [1, 0, 0]
    assert value("hit", Results(5), found) == [1, 1, 0]
    assert value("hit", Results(10), found) == [1, 1, 0]
    assert value("mrr", Results(10), found) == [1, 0.25, 0]


def test_a_first_hit_after_the_cut_off_is_a_miss() -> None:
    """Score 0 what is found too late."""
    found = found_of([(0, 1, 11, 0)])

    assert value("mrr", Results(10), found) == [0]
    assert value("hit", Results(10), found) == [0]


def test_a_query_without_targets_has_no_value() -> None:
    """Have NaN, not 0, where nothing is judged."""
    found = found_of([(1, 1, 1, 0)], 2)

    for measure in OF_TARGETS:
        assert np.isnan(values_of(measure, found)[0]), measure
        assert not np.isnan(values_of(measure, found)[1]), measure


def test_one_hit_on_three_targets_is_one_relevant_hit() -> None:
    """Count hits in precision and targets in recall."""
    found = found_of([(0, 1, 2, 0), (0, 1, 2, 0), (0, 1, 2, 0), (0, 1, 3, 0)])

    assert value("precision", Results(10), found) == [0.2]
    assert value("recall", Results(3), found) == [1]
    assert value("recall", Results(1), found) == [0]


def test_average_precision_is_averaged_over_targets() -> None:
    """Give each target the precision at its rank; those of one hit share it, misses have 0."""
    found = found_of([(0, 1, 2, 0), (0, 1, 2, 0), (0, 1, 5, 0), (0, 1, 11, 0), (1, 1, 1, 0)], 2)

    expected = (1 / 2 + 1 / 2 + 2 / 5) / 4

    assert value("map", Results(10), found) == pytest.approx([expected, 1], abs=1e-12)
    assert value("map", Results(4), found) == pytest.approx([1 / 4, 1], abs=1e-12)


def test_f1_is_the_harmonic_mean_of_precision_and_recall() -> None:
    """Take both at the same cut-off; 0 where nothing is found."""
    found = found_of([(0, 1, 2, 0), (0, 1, 3, 0), (0, 1, 0, 0), (1, 1, 0, 0)], 2)

    precision, recall = 2 / 4, 2 / 3

    expected = 2 * precision * recall / (precision + recall)
    assert value("f1", Results(4), found) == pytest.approx([expected, 0], abs=1e-12)


def test_counting_hits_takes_knowing_them() -> None:
    """Refuse to guess how many hits were returned."""
    with pytest.raises(ArtifactError, match="give Found what was returned"):
        value("duplicates", Results(4), found_of([(0, 1, 1, 0)]))


def test_targets_of_one_hit_take_places_of_their_own() -> None:
    """Push later targets down by what stands before them."""
    found = found_of([(0, 1, 2, 0), (0, 3, 2, 0), (0, 2, 3, 0), (0, 2, 0, 0)])

    gain = 3 / log2(3) + 1 / log2(4) + 2 / log2(5)
    ideal = 3 / log2(2) + 2 / log2(3) + 2 / log2(4) + 1 / log2(5)

    assert value("ndcg", Results(10), found) == pytest.approx([gain / ideal], abs=1e-12)


def test_a_target_pushed_past_the_cut_off_gains_nothing() -> None:
    """Cut NDCG by place, and recall by rank."""
    found = found_of([(0, 1, 10, 0), (0, 1, 10, 0)])

    ideal = 1 / log2(2) + 1 / log2(3)

    assert value("ndcg", Results(10), found) == pytest.approx([1 / log2(11) / ideal], abs=1e-12)
    assert value("recall", Results(10), found) == [1]


def test_finding_everything_at_once_in_front_is_perfect() -> None:
    """Reach 1 with one hit that has every target."""
    found = found_of([(0, grade, 1, 50) for grade in (1, 2, 3)] * 5)

    assert value("ndcg", Results(10), found) == pytest.approx([1], abs=1e-12)
    assert value("ndcg", Tokens(50), found) == pytest.approx([1], abs=1e-12)


def test_a_token_budget_has_no_last_place() -> None:
    """Cut NDCG by tokens alone."""
    found = found_of([(0, 1, 1, 10), (0, 1, 12, 500), (0, 1, 13, 501)])

    gain = 1 / log2(2) + 1 / log2(13)
    ideal = 1 / log2(2) + 1 / log2(3) + 1 / log2(4)

    assert value("ndcg", Tokens(500), found) == pytest.approx([gain / ideal], abs=1e-12)
    assert value("recall", Tokens(500), found) == pytest.approx([2 / 3], abs=1e-12)


def test_a_limit_bounds_results_and_not_tokens() -> None:
    """Leave token budgets as deep as the ranking."""
    found = found_of([(0, 1, 2, 10), (0, 1, 5, 40)], limit=3)

    assert value("recall", Results(10), found) == [0.5]
    assert value("recall", Tokens(1000), found) == [1]


@given(ROWS)
def test_every_value_is_between_zero_and_one(rows: list[tuple[int, ...]]) -> None:
    """Hold the bounds exactly, for any targets found anywhere."""
    found = found_of(rows, 5)

    values = np.array([values_of(measure, found) for measure in OF_TARGETS])

    judged = values[:, found.totals > 0]
    assert np.all((judged >= 0) & (judged <= 1))


@given(ROWS, st.sampled_from(["recall", "hit"]))
def test_showing_more_results_never_loses_a_target(rows: list[tuple[int, ...]], name: str) -> None:
    """Rise with the cut-off."""
    found = found_of(rows, 5)

    values = [values_of(Measure(name, Results(limit)), found) for limit in range(1, 32)]

    judged = np.array(values)[:, found.totals > 0]
    assert np.all(np.diff(judged, axis=0) >= 0)
