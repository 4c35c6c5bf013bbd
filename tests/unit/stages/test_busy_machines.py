"""Whether the machine was busy follows from the samples, and such a latency is not kept."""

import numpy as np
import pytest

from bench.stages.busy import Load, Sample, load_of
from bench.stages.latency import Latency, MeasureLatency, in_turn


def samples(
    seconds: float, cpu: float, *, runnable: float | None, count: int = 20
) -> list[Sample]:
    """Return equal samples."""
    return [Sample(seconds, cpu, runnable)] * count


@pytest.mark.parametrize(
    ("found", "is_own", "busy"),
    [
        (samples(0.0104, 0.010, runnable=0.5), True, False),
        (samples(0.0149, 0.010, runnable=4.0), True, False),
        (samples(0.0151, 0.010, runnable=0.5), True, True),
        ([*samples(0.001, 0.001, runnable=None), Sample(0.1, 0.001)], True, True),
        (samples(0.0050, 0.010, runnable=1.0), True, False),
        (samples(0.2000, 0.001, runnable=0.5), False, False),
        (samples(0.2000, 0.001, runnable=1.1), False, True),
        (samples(0.2000, 0.001, runnable=None), False, False),
        ([], True, False),
        ([], False, False),
    ],
    ids=[
        "as alone",
        "little waiting, however high the load",
        "half as long again as it computed",
        "one long wait among short samples",
        "several threads compute",
        "a server answers",
        "a server answers on a busy machine",
        "no system tells the load",
        "every query failed",
        "every query of a server failed",
    ],
)
def test_waiting_for_a_processor_tells_or_for_servers_the_load(
    found: list[Sample], is_own: bool, busy: bool
) -> None:
    assert load_of(found, is_own=is_own).busy is busy


def test_the_load_is_told_in_numbers() -> None:
    own = load_of(samples(0.03, 0.01, runnable=2.0), is_own=True)
    served = load_of(samples(0.03, 0.01, runnable=2.0), is_own=False)

    assert own.time_over_cpu_time == pytest.approx(3.0)
    assert (own.busy, own.runnable_per_core) == (True, 2.0)
    assert served == Load(busy=True, time_over_cpu_time=None, runnable_per_core=2.0)


@pytest.mark.parametrize(("how", "kept"), [({"busy": True}, False), ({"busy": False}, True)])
def test_a_latency_of_a_busy_machine_is_not_kept_for_the_next_study(
    how: dict[str, object], kept: bool
) -> None:
    stage = MeasureLatency((), (), engine="none", machine="a test", limit=10)

    assert stage.is_final(Latency(np.array([1.0]), how)) is kept


def test_queries_are_drawn_the_same_whatever_their_order_and_all_repositories_take_part() -> None:
    texts = [[f"query {n}" for n in range(90)], ["other", "other", "more"]]

    drawn = in_turn(texts)

    assert len(drawn) == len(set(drawn)) == 50
    assert drawn == in_turn([texts[0][::-1], texts[1][::-1]])
    assert drawn != in_turn([texts[0][:50], texts[1]])
    assert {(1, "other"), (1, "more")} < set(drawn[:6])
    assert [place for place, _ in drawn[:4]] == [0, 1, 0, 1]
