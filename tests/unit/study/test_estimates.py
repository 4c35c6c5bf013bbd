"""The time that a plan needs, by its sizes, by rates and by its own pace."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from bench.engine import ArtifactStore, Outcome, Plan, Read, Record, Stage
from bench.engine.artifact_file import Cost
from bench.stages import Ask
from bench.stages.dense import CutWindows, EmbedWindows, Model
from bench.stages.sources import CheckOutFolder
from bench.study import Estimate, remember_rates
from bench.study.rates import Measured, Rates, read_rates
from bench.study.shipped_rates import SHIPPED
from bench.study.sizes import REPOSITORY_BYTES, Sizes, rate_name
from retrievers.dense import EmbeddingModel, Windows

MODEL = Model(EmbeddingModel(), "the packaged one")
DOCUMENTS = CheckOutFolder("d" * 64, repository="shop")
WINDOWS = CutWindows(DOCUMENTS, MODEL)
EMBED = EmbedWindows(DOCUMENTS, WINDOWS, MODEL, part=0, parts=2)


@dataclass(frozen=True)
class _Slow(Stage[Windows]):
    kind: ClassVar[str] = "estimate_slow"
    codec: ClassVar[Record[Windows]] = Record(Windows)

    name: str

    def run(self, read: Read, /) -> Windows:
        raise NotImplementedError


@dataclass(frozen=True)
class _Other(_Slow):
    kind: ClassVar[str] = "estimate_other"


@dataclass(frozen=True)
class _Alone(_Slow):
    kind: ClassVar[str] = "estimate_alone"
    exclusive: ClassVar[bool] = True


OWN = {"estimate_slow": Measured(10, 1.2e6), "estimate_other": Measured(10, 1.2e6)}
OWN |= {"estimate_alone": Measured(10, 1.2e6)}


def estimate(*stages: Stage[object], workers: int = 1, rates: Rates | None = None) -> Estimate:
    """Return the estimate of a plan in which each slow stage takes 10 s by its rate."""
    store = ArtifactStore("memory://estimates")
    return Estimate(Plan.reaching(stages), store, rates or Rates(OWN, {}), workers=workers)


def done(stage: Stage[object], seconds: float, **counts: int) -> Outcome:
    """Return the outcome of a stage that took so long."""
    return Outcome(stage.fingerprint, Cost(seconds, seconds, counts=counts))


def test_the_size_of_an_embedding_is_its_share_of_the_tokens() -> None:
    """Assumed at first, then from the bytes of the documents, and exact once they are cut."""
    counts = {DOCUMENTS.fingerprint: {"documents": 3, "bytes": 10_000}}

    assert Sizes(lambda _one: None).of(EMBED) == pytest.approx(0.3 * REPOSITORY_BYTES / 2)
    assert Sizes(lambda one: counts.get(one.fingerprint)).of(EMBED) == pytest.approx(1_500)
    counts[WINDOWS.fingerprint] = {"tokens": 900}
    assert Sizes(lambda one: counts.get(one.fingerprint)).of(EMBED) == pytest.approx(450)


def test_other_windows_of_the_same_documents_are_new_in_part() -> None:
    """Files that are shorter than a chunk are cut alike in every size."""
    other = replace(EMBED, windows=CutWindows(DOCUMENTS, replace(MODEL, identity="cut otherwise")))

    sizes = Sizes(lambda _one: None, [EMBED, other])

    assert sizes.of(other) == pytest.approx(0.6 * sizes.of(EMBED))
    assert sizes.of(replace(EMBED, part=1)) == sizes.of(EMBED)


def test_the_size_of_documents_of_earlier_versions_is_their_number() -> None:
    """They counted no bytes."""
    counts = {DOCUMENTS.fingerprint: {"documents": 3}}

    assert Sizes(lambda one: counts.get(one.fingerprint)).of(WINDOWS) == 3 * 7_000


def test_a_rate_belongs_to_a_model_or_to_a_kind() -> None:
    """A large model takes ten times as long as a small one."""
    assert rate_name(EMBED) == "embed all-MiniLM-L6-v2"
    assert rate_name(Ask(("one?",))) == "ask"


def test_workers_share_the_work_but_not_a_stage_nor_an_exclusive_one() -> None:
    four = [_Slow(name) for name in "abcd"]

    assert estimate(*four).seconds_left({}) == pytest.approx(40)
    assert estimate(*four, workers=2).seconds_left({}) == pytest.approx(20)
    assert estimate(*four, workers=8).seconds_left({}) == pytest.approx(10)
    alone = estimate(*four, _Alone("e"), _Alone("f"), workers=2)
    assert alone.seconds_left({}) == pytest.approx(40)


def test_running_stages_count_by_the_time_that_they_run() -> None:
    """One that takes longer than expected is never nearly over."""
    one = _Slow("a")

    assert estimate(one).seconds_left({one.fingerprint: 4.0}) == pytest.approx(6)
    assert estimate(one).seconds_left({one.fingerprint: 1e6}) > 1e3


def test_a_running_stage_that_is_late_tells_the_pace_of_the_others() -> None:
    """On a busy machine even the first stages take minutes, and nothing has finished yet."""
    four = [_Slow(name) for name in "abcd"]

    left = estimate(*four).seconds_left({four[0].fingerprint: 30.0})

    run = (30 + 4) / (10 + 4)
    pace = (30 + 2 * run) / (10 + 2)
    assert left == pytest.approx(30 * pace + pace)


def test_a_stage_that_loads_a_model_slows_other_kinds_four_times_at_most() -> None:
    """A minute for a stage of 10 s says nothing of the ten minutes after it."""
    first, other = _Slow("a"), _Other("b")

    left = estimate(first, other).seconds_left({first.fingerprint: 600.0})

    run = (40 + 2) / (10 + 2)
    own = (600 + 0.5 * run) / (10 + 0.5)
    assert left == pytest.approx(own + 10 * run)


def test_a_kind_that_has_run_tells_the_pace_of_the_others_of_it() -> None:
    """Twice as slow as expected for a quarter: nearly twice the time is left."""
    four = [_Slow(name) for name in "abcd"]
    known = estimate(*four)

    known.finish(four[0], done(four[0], 20.0), 20.0)

    run = (20 + 4) / (10 + 4)
    assert known.seconds_left({}) == pytest.approx(30 * (20 + 2 * run) / (10 + 2))


def test_a_kind_that_has_not_run_is_as_slow_as_the_run_in_all() -> None:
    first, other = _Slow("a"), _Other("b")
    known = estimate(first, other)

    known.finish(first, done(first, 20.0), 20.0)

    assert known.seconds_left({}) == pytest.approx(10 * (20 + 2) / (10 + 2))


def test_an_exclusive_stage_does_not_follow_the_pace_of_the_others() -> None:
    """It has the machine for itself and ends by the clock."""
    first, alone = _Slow("a"), _Alone("b")
    known = estimate(first, alone)

    known.finish(first, done(first, 80.0), 80.0)

    assert known.seconds_left({}) == pytest.approx(10)


def test_a_short_stage_that_was_slow_changes_little() -> None:
    """The first stages say little of the others."""
    known = estimate(Ask(("?",)), _Slow("a"), rates=Rates({**OWN, "ask": Measured(0.1, 1)}, {}))

    known.finish(Ask(("?",)), done(Ask(("?",)), 1.0), 1.0)

    assert known.seconds_left({}) == pytest.approx(10, rel=0.9)
    assert known.seconds_left({}) < 20


def test_the_time_on_a_worker_counts_without_the_load_of_a_model() -> None:
    """Reading the inputs is not in the seconds of a stage; a model is loaded once."""
    first, second = _Slow("a"), _Slow("b")
    known = estimate(first, second)

    known.finish(first, done(first, 10.0), 15.0)
    assert known.measured["estimate_slow"].seconds == 15.0

    loading = Outcome(second.fingerprint, Cost(10.0, 10.0, setup_cpu_seconds=8.0))
    known.finish(second, loading, 18.0)  # 8 of 18 s on the model
    assert known.measured["estimate_slow"].seconds == 25.0


def test_sizes_that_become_known_change_the_estimate() -> None:
    rates = Rates({"embed all-MiniLM-L6-v2": Measured(1, 1_000)}, {})
    known = estimate(EMBED, rates=rates)
    before = known.seconds(EMBED)

    known.finish(DOCUMENTS, done(DOCUMENTS, 0.1, documents=3, bytes=10_000), 0.1)

    assert known.seconds(EMBED) == pytest.approx(1.5)
    assert before == pytest.approx(0.3 * REPOSITORY_BYTES / 2 / 1_000)
    assert known.assumed_repositories == 0


def test_stored_sizes_are_used(tmp_path: Path) -> None:
    store = ArtifactStore(str(tmp_path))
    store.save(DOCUMENTS, b"", Cost(counts={"documents": 1, "bytes": 10_000}))
    plan = Plan((WINDOWS, EMBED), frozenset())
    rates = Rates({"embed all-MiniLM-L6-v2": Measured(1, 1_000)}, {})

    known = Estimate(plan, store, rates, workers=1)

    assert known.seconds(EMBED) == pytest.approx(1.5)


def test_a_machine_keeps_its_rates_and_the_last_run_counts_most(tmp_path: Path) -> None:
    store = ArtifactStore(str(tmp_path))
    assert not read_rates(store).is_own("ask")

    remember_rates(store, {"ask": Measured(1.0, 10)})
    remember_rates(store, {"ask": Measured(5.0, 10), "parse": Measured(1.0, 2)})

    rates = read_rates(store)
    assert rates.seconds("ask", 3) == pytest.approx(3 * 5.5 / 15)
    assert rates.seconds("parse", 4) == pytest.approx(2)


def test_a_first_run_uses_shipped_rates_and_says_so() -> None:
    """Of another model of the same kind where the model was never measured."""
    rates = Rates({}, {"embed small": 0.1, "embed large": 0.3, "ask": 1.0})

    assert rates.seconds("embed small", 10) == pytest.approx(1)
    assert rates.seconds("embed other", 10) == pytest.approx(2)
    assert rates.seconds("never measured", 10) == pytest.approx(0.1)
    assert not estimate(Ask(("?",)), rates=rates).is_own
    assert estimate(_Slow("a")).is_own


def test_a_slow_machine_is_expected_to_be_as_slow_in_what_it_has_not_measured() -> None:
    """It read for 6 s where another one reads for 2 s: three times as long."""
    own = {"parse": Measured(5.0, 10), "ask": Measured(1.0, 1), "of no other": Measured(9.0, 1)}

    rates = Rates(own, {"parse": 0.1, "ask": 1.0, "embed small": 0.2})

    assert rates.seconds("embed small", 10) == pytest.approx(3 * 2)
    assert rates.seconds("parse", 10) == pytest.approx(5)


def test_the_kinds_that_take_long_have_shipped_rates() -> None:
    kinds = {name.partition(" ")[0] for name in SHIPPED}

    assert {"embed", "rerank-by-tokens", "measure-latency", "rank-queries", "parse"} <= kinds
    assert np.isfinite(list(SHIPPED.values())).all()
