"""Many comparisons at once: against each other's arithmetic, and against known shares."""

import numpy as np
import pytest
from scipy import stats

from bench.analysis import Sampling, ScoreMatrix, chances, compare_all, difference_here
from bench.analysis.comparisons import against_control_of_few
from bench.analysis.multipliers import Alongside, against_control, screen
from bench.analysis.spread import all_pairs, spread_of
from bench.errors import UsageError
from tests.unit.analysis.simulations import World

SAMPLING = Sampling(seed=1, draws=4_000)


def study(trials: int = 6, seed: int = 0, step: float = 0.02) -> ScoreMatrix:
    """Return a study whose trials get better by a step each."""
    return World(4, 20).matrix(
        np.random.default_rng(seed), np.linspace(0, step * (trials - 1), trials)
    )


def test_every_pair_has_the_error_and_degrees_of_the_single_comparison() -> None:
    matrix = study()
    pairs = all_pairs(spread_of(matrix))

    for trial in range(6):
        row, direct = pairs.contrast(trial), spread_of(matrix).contrast(trial)
        for other in set(range(6)) - {trial}:
            single = difference_here(matrix, f"t{other}", f"t{trial}")
            assert row.value[other] == pytest.approx(single.value)
            assert row.error[other] == pytest.approx(single.standard_error)
            assert row.degrees[other] == pytest.approx(single.degrees)
            assert direct.error[other] == pytest.approx(single.standard_error)
            assert direct.degrees[other] == pytest.approx(single.degrees)


def test_a_single_rival_needs_no_correction() -> None:
    matrix = study(trials=2, step=0.05)
    alone = difference_here(matrix, "t1", "t0")

    (found,) = compare_all(matrix, "t0", Sampling(1, 40_000))

    assert found.here.adjusted_p == pytest.approx(alone.p_two_sided, abs=0.01)
    assert alone.interval is not None
    assert found.here.together is not None
    assert found.here.together.low == pytest.approx(alone.interval.low, abs=0.002)


def test_independent_rivals_have_sidaks_level() -> None:
    """Against a constant control the rivals' errors are independent: 1 - .95 ** (1 / 10)."""
    random = np.random.default_rng(4)
    scores = np.concatenate([np.zeros((4_000, 1)), random.normal(size=(4_000, 10))], axis=1)
    matrix = ScoreMatrix.of(scores, ["a"] * 4_000, [f"t{place}" for place in range(11)])

    found = against_control(spread_of(matrix), 0, SAMPLING, confidence=0.95)

    assert found.one_sided == pytest.approx(stats.norm.isf(1 - 0.95**0.1), abs=0.1)
    assert found.two_sided == pytest.approx(stats.norm.isf((1 - 0.95**0.1) / 2), abs=0.1)


def test_rivals_that_move_together_cost_as_much_as_one() -> None:
    random = np.random.default_rng(5)
    rival = random.normal(size=(500, 1))
    scores = np.concatenate(
        [np.zeros((500, 1)), *[rival * (1 + n / 100) for n in range(8)]], axis=1
    )
    matrix = ScoreMatrix.of(scores, ["a"] * 500, [f"t{place}" for place in range(9)])

    found = against_control(spread_of(matrix), 0, SAMPLING, confidence=0.95)

    assert found.one_sided == pytest.approx(stats.norm.isf(0.05), abs=0.1)


def test_corrected_areas_lie_between_the_single_one_and_bonferronis_and_keep_their_order() -> None:
    matrix = study(trials=8)

    found = compare_all(matrix, "t0", SAMPLING)

    for one in found:
        assert one.here.adjusted_p >= one.here.alone.p_two_sided - 0.02
        assert one.here.adjusted_p <= min(1.0, 7 * one.here.alone.p_two_sided) + 0.02
    ordered = sorted(found, key=lambda one: one.here.alone.p_two_sided)
    adjusted = [one.here.adjusted_p for one in ordered]
    assert adjusted == sorted(adjusted)


@pytest.mark.parametrize("seed", range(12))
def test_a_p_value_is_small_exactly_where_the_interval_leaves_out_0(seed: int) -> None:
    """Under both questions: a table never shows p = .03 beside an interval that contains 0."""
    found = compare_all(study(trials=9, seed=seed, step=0.015), "t0", SAMPLING)

    answers = [answer for one in found for answer in (one.here, one.elsewhere) if answer]
    assert len(answers) == 16
    for answer in answers:
        assert answer.together is not None
        is_clear = not answer.together.low <= 0 <= answer.together.high
        assert (answer.adjusted_p < 0.05) == is_clear


def test_the_same_seed_gives_the_same_numbers_and_another_seed_others() -> None:
    matrix = study()

    first, again = compare_all(matrix, "t0", SAMPLING), compare_all(matrix, "t0", SAMPLING)
    other = compare_all(matrix, "t0", Sampling(2, 4_000))

    assert first == again
    assert first != other


def test_the_order_of_trials_changes_no_verdict() -> None:
    matrix = study()
    turned = matrix.keep([5, 3, 1, 0, 2, 4])

    before = {one.trial: one.here.adjusted_p for one in compare_all(matrix, "t0", SAMPLING)}
    after = {one.trial: one.here.adjusted_p for one in compare_all(turned, "t0", SAMPLING)}

    assert after == pytest.approx(before, abs=1e-3)


@pytest.mark.parametrize("chunk", [500, 700, 4_000])
def test_any_chunk_makes_as_many_draws(chunk: int) -> None:
    drawn = [len(draws) for draws in Sampling(1, 4_000, chunk).multiplied(np.ones((3, 2)))]

    assert sum(drawn) == 4_000
    assert max(drawn) <= chunk


def test_fewer_draws_than_a_chunk_are_refused() -> None:
    with pytest.raises(UsageError, match="100 draws in chunks of 500"):
        Sampling(1, 100)


def test_screening_agrees_with_each_control_on_its_own() -> None:
    matrix = study(trials=12, step=0.015)
    spread = spread_of(matrix)
    every = [against_control(spread, place, SAMPLING, confidence=0.95) for place in range(12)]

    found = screen(spread, all_pairs(spread), SAMPLING, margin=0.1, confidence=0.95)

    behind = [one.contrast.deviates().max() > one.one_sided for one in every]
    assert found.may_be_best.tolist() == [not out for out in behind]
    assert found.not_worse.tolist() == [one.regret < 0.1 for one in every]
    assert 0 < sum(behind) < 12
    assert 0 < sum(found.not_worse.tolist()) < 12


def test_screening_with_another_table_agrees_with_each_control_on_its_own() -> None:
    random = np.random.default_rng(5)
    spread, other = (
        spread_of(World(4, 20).matrix(random, np.linspace(0, 0.2, 6))) for _ in range(2)
    )
    alongside = Alongside.of(other, 5, SAMPLING)

    found = screen(
        spread, all_pairs(spread), SAMPLING, margin=0.1, confidence=0.95, alongside=alongside
    )

    for control in range(6):
        level = against_control(
            spread, control, SAMPLING, confidence=0.95, alongside=alongside
        ).one_sided
        rivals = [rival for rival in range(6) if rival != control]
        contrast = spread.contrast(control)
        assert found.may_be_best[control] == (contrast.deviates()[rivals].max() < level)
        assert found.not_worse[control] == ((-contrast.deviates(-0.1))[rivals].min() >= level)


def test_a_table_of_the_same_scores_costs_nothing_and_an_independent_one_does() -> None:
    spread = spread_of(World(4, 20).matrix(np.random.default_rng(6), np.zeros(4)))
    other = spread_of(World(4, 20).matrix(np.random.default_rng(7), np.zeros(4)))

    def level(alongside: Alongside | None) -> float:
        return against_control(spread, 0, SAMPLING, confidence=0.95, alongside=alongside).one_sided

    same = Alongside.of(spread, 0, SAMPLING)
    joined = Alongside.joined([same, Alongside.of(other, 0, SAMPLING)])

    assert level(same) == pytest.approx(level(None), abs=1e-4)
    assert level(joined) > level(None)
    assert joined.comparisons == 6


def test_a_lone_trial_has_no_rivals() -> None:
    found = against_control(spread_of(study(trials=1)), 0, SAMPLING, confidence=0.95)

    assert found.regret == 0
    assert found.adjusted.tolist() == [1]


def test_few_units_are_corrected_by_bonferroni() -> None:
    """Areas .01, .04, .03 of three comparisons become .03, .12, .09."""
    normal = stats.norm.isf(np.array([0.01, 0.04, 0.03]) / 2)
    units = 100_001
    base = np.tile([1.0, -1.0], units // 2 + 1)[:units]
    base -= base.mean()
    error = base.std(ddof=1) / units**0.5
    columns = [np.zeros(units), *[base + one * error for one in normal]]
    matrix = ScoreMatrix.of(np.stack(columns, axis=1), ["a"] * units, list("cxyz"))

    found = against_control_of_few(spread_of(matrix), 0, confidence=0.95)

    assert found.adjusted[1:].tolist() == pytest.approx([0.03, 0.12, 0.09], abs=1e-4)


def test_the_chance_of_being_the_best_of_two_is_that_of_a_positive_difference() -> None:
    matrix = World(2, 400).matrix(np.random.default_rng(0), np.array([0.0, 0.02]))
    single = difference_here(matrix, "t1", "t0")

    found = chances(matrix, Sampling(1, 10_000), margin=0.03)

    standardised = single.value / single.standard_error
    assert found.best[1] == pytest.approx(stats.norm.cdf(standardised), abs=0.02)
    within = stats.norm.cdf((single.value + 0.03) / single.standard_error)
    assert found.within[1] == pytest.approx(within, abs=0.02)
    assert found.best.sum() == pytest.approx(1)


def test_equals_share_the_first_place() -> None:
    matrix = ScoreMatrix.of([[0.3, 0.3, 0.1]] * 4, ["a"] * 4, ["x", "y", "z"])

    found = chances(matrix, SAMPLING, margin=0.01)

    assert found.best.tolist() == [0.5, 0.5, 0]
    assert found.within.tolist() == [1, 1, 0]


def test_resamples_stay_within_their_repository() -> None:
    counts, starts = np.array([2, 3]), np.array([0, 2])

    for weights in SAMPLING.resampled(starts, counts):
        assert (weights[:, :2].sum(axis=1) == 2).all()
        assert (weights[:, 2:].sum(axis=1) == 3).all()
