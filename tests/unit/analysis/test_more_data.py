"""Forecasts: closed forms, and the draws that must agree with them."""

import numpy as np
import pytest
from scipy import stats

from bench.analysis import Sampling, difference_here, forecast_comparison, select
from bench.analysis.more_data import forecast_gate, two_chance
from tests.unit.analysis.simulations import World


def test_a_comparison_of_equals_by_hand() -> None:
    """At four times the queries the error halves; the estimate then has deviation s √¾."""
    needed = 1.6448536 * 0.02 / 2 - 0.01
    expected = 2 * stats.norm.sf(needed / (0.02 * 0.75**0.5)) - 0.05

    found = two_chance(0.0, 0.02, 4, margin=0.01)

    assert found == pytest.approx(expected)


def test_more_queries_never_hurt_and_enough_always_decide() -> None:
    found = forecast_comparison(0.005, 0.04, margin=0.02)

    chances = [chance for _, chance in found.chances]
    assert chances == sorted(chances)
    assert [factor for factor, _ in found.chances] == [2, 4, 10]
    assert two_chance(0.005, 0.04, 100, margin=0.02) == 0.95
    assert not found.treat_as_tied


def test_what_twenty_times_would_not_decide_is_tied() -> None:
    assert forecast_comparison(0.0, 1.0, margin=0.001).treat_as_tied is True
    assert forecast_comparison(3.0, 1.0, margin=0.001).treat_as_tied is False
    assert forecast_gate(-0.001, 1.0, margin=0.001).treat_as_tied is True


def test_the_draws_for_two_trials_agree_with_the_closed_form() -> None:
    matrix = World(2, 300).matrix(np.random.default_rng(1), np.array([0.0, 0.0]))
    single = difference_here(matrix, "t1", "t0")
    margin = single.standard_error / 5
    closed = forecast_comparison(single.value, single.standard_error, margin=margin)

    found = select(matrix, None, Sampling(1), margin=margin, confidence=0.95).forecast

    for (factor, chance), (same, expected) in zip(found.chances, closed.chances, strict=True):
        assert factor == same
        assert chance == pytest.approx(expected, abs=0.04)


@pytest.mark.parametrize(("value", "likely"), [(-0.2, True), (0.2, True), (-0.02, False)])
def test_a_gate_decides_where_the_change_is_clear(value: float, likely: bool) -> None:
    found = forecast_gate(value, 0.05, margin=0.02)

    assert (found.chances[0][1] > 0.9) is likely


def test_a_forecast_is_five_points_less_hopeful_than_the_arithmetic() -> None:
    assert two_chance(1.0, 0.01, 2, margin=0.02) == pytest.approx(0.95)
    assert two_chance(0.0, 0.0, 2, margin=0.02) == pytest.approx(0.95)
