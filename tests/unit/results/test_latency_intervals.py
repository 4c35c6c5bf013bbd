"""The mean of latency, and percentiles with ends that hold whatever the times look like."""

import numpy as np
import pytest

from bench.results.costs import latency_intervals, latency_numbers
from bench.stages import Latency


def test_the_latency_of_a_trial_is_the_mean_of_its_samples() -> None:
    """Unlike the median: 2 + 4 + 6 + 28 ms are 40, which is 10 a sample."""
    found = latency_numbers(Latency(np.array([2.0, 28, 6, 4]), {}))

    assert found["avg_latency_ms"] == 10.0
    assert found["latency_p50_ms"] == 5.0


def test_the_ends_of_a_median_of_ten_are_the_second_and_the_ninth_sample() -> None:
    """The textbook's ranks: a coin falls 9 or 10 times of 10 on one side in 1.1 %."""
    samples = np.array([5.0, 1, 9, 3, 7, 10, 2, 8, 4, 6])

    found = latency_intervals(Latency(samples, {}))

    assert found["p50_interval_ms"] == (2.0, 9.0)


def test_fifty_samples_do_not_bound_the_slowest_twentieth() -> None:
    """In 7.7 % of runs none of 50 is as slow as p95."""
    found = latency_intervals(Latency(np.arange(50.0), {}))

    low, high = found["p95_interval_ms"]
    assert low is not None
    assert low < 47
    assert high is None


def test_no_sample_is_no_interval() -> None:
    assert latency_intervals(Latency(np.array([]), {})) == latency_intervals(None) == {}


@pytest.mark.parametrize(("name", "share"), [("p50_interval_ms", 50), ("p95_interval_ms", 95)])
def test_the_truth_lies_within_as_often_as_promised(name: str, share: int) -> None:
    """On very skewed times, of which 95 % or a little more is promised."""
    random = np.random.default_rng(0)
    truth = float(np.percentile(np.exp(random.normal(size=1_000_000)), share))
    held = 0

    for _ in range(400):
        times = np.exp(random.normal(size=120))
        low, high = latency_intervals(Latency(times, {}))[name]
        held += (low is None or low <= truth) and (high is None or truth <= high)

    assert 0.93 <= held / 400 <= 1
