"""Every pool carries out every plan in the same way, with the same numbers."""

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from bench.engine import (
    Alone,
    ArtifactStore,
    Failure,
    Fingerprint,
    NoObserver,
    Outcome,
    Plan,
    Pool,
    ProcessPool,
    Stage,
    Task,
    carry_out,
    local_pool,
)
from bench.engine.cluster import RayPool
from bench.engine.task import SMALL_BYTES
from tests.contract.stages_for_executors import (
    Array,
    Drawn,
    Joined,
    Numbers,
    Overwritten,
    Powered,
    Raised,
    Slept,
    SleptAlone,
    Threads,
    ThreadsAlone,
)

KINDS = ["alone", "processes", "ray"]


@pytest.fixture(scope="module", params=KINDS)
def pool(request: pytest.FixtureRequest) -> Iterator[Pool]:
    """A pool of each kind, started once."""
    with closing(_started(request.param)) as started:
        yield started


def _started(kind: str) -> Pool:
    if kind == "ray":
        return RayPool("local", workers=2)
    return local_pool(2 if kind == "processes" else 0)


def diamond(seed: int, side: int = 40) -> Joined:
    """Return a goal behind two stages behind one."""
    top = Drawn(seed, side)
    return Joined(Powered(top, 2), Powered(top, 3))


def value_of(stage: Stage[Numbers], outcomes: dict[Fingerprint, Outcome], url: str) -> Numbers:
    """Return what a stage made, from the store."""
    outcome = outcomes[stage.fingerprint]
    assert outcome.failure is None, outcome.failure
    artifact = ArtifactStore(url).load(stage)
    assert artifact is not None
    assert outcome.payload in (None, artifact.payload)
    found: Numbers = stage.codec.decode(artifact.payload)
    return found


def test_a_diamond_gives_the_numbers_that_numpy_gives_here(pool: Pool, tmp_path: Path) -> None:
    """The plan of every study looks like this, only larger."""
    goal = diamond(seed=1)

    outcomes = carry_out(Plan.reaching([goal]), str(tmp_path), pool, NoObserver())

    assert np.array_equal(value_of(goal, outcomes, str(tmp_path)).values, _expected(goal))


def test_every_pool_gives_the_very_numbers_that_this_process_gives(
    pool: Pool, tmp_path: Path
) -> None:
    """Where a stage runs is not part of its identity."""
    goals = [diamond(seed) for seed in range(10, 15)]
    here, there = str(tmp_path / "here"), str(tmp_path / "there")

    alone = carry_out(Plan.reaching(goals), here, Alone(), NoObserver())
    outcomes = carry_out(Plan.reaching(goals), there, pool, NoObserver())

    for goal in goals:
        expected = value_of(goal, alone, here).values
        assert value_of(goal, outcomes, there).values.tobytes() == expected.tobytes()


def test_a_result_too_large_to_travel_goes_by_the_store(pool: Pool, tmp_path: Path) -> None:
    """A task stays small, whatever its inputs are."""
    goal = diamond(seed=2, side=400)
    assert SMALL_BYTES < 400 * 400 * 8

    outcomes = carry_out(Plan.reaching([goal]), str(tmp_path), pool, NoObserver())

    assert outcomes[goal.fingerprint].payload is None
    assert value_of(goal, outcomes, str(tmp_path)).values.shape == (400, 400)


def test_a_failed_stage_takes_its_dependants_along_and_no_others(
    pool: Pool, tmp_path: Path
) -> None:
    """The reason names the stage that failed first."""
    failed, sound = Raised(), diamond(seed=3)
    near = Slept(0.0, "near", after=(failed,))
    far = Slept(0.0, "far", after=(near, sound))

    outcomes = carry_out(Plan.reaching([far]), str(tmp_path), pool, NoObserver())

    cause = outcomes[failed.fingerprint].failure
    assert cause is not None
    assert cause.cause == "ValueError: the disk is on fire"
    assert not cause.skipped
    assert 'raise ValueError("the disk is on fire")' in cause.details
    for stage in (near, far):
        expected = "not run: test_raised flask failed: ValueError: the disk is on fire"
        assert outcomes[stage.fingerprint].failure == Failure(expected, skipped=True)
    assert outcomes[sound.fingerprint].failure is None


def test_stages_that_travel_with_their_inputs_give_the_same_numbers(
    pool: Pool, tmp_path: Path
) -> None:
    """Also where an input is too large for a message."""
    goals = [diamond(seed, side) for seed, side in ((41, 40), (42, 400))]
    url = str(tmp_path)

    outcomes = carry_out(
        Plan.reaching(goals), url, pool, NoObserver(), expected_seconds=_all_short()
    )

    assert len(outcomes) == 8
    for goal in goals:
        assert np.array_equal(value_of(goal, outcomes, url).values, _expected(goal))


def test_a_failure_in_a_group_takes_its_dependants_along(pool: Pool, tmp_path: Path) -> None:
    """Those behind it are not run; those beside it in the same message are."""
    failed, sound, folder = Raised(), diamond(seed=43), tmp_path / "ran"
    folder.mkdir()
    near = Slept(0.0, "near", str(folder), after=(failed,))
    far = Slept(0.0, "far", str(folder), after=(near, sound))

    outcomes = carry_out(
        Plan.reaching([far]), str(tmp_path), pool, NoObserver(), expected_seconds=_all_short()
    )

    for stage in (near, far):
        expected = "not run: test_raised flask failed: ValueError: the disk is on fire"
        assert outcomes[stage.fingerprint].failure == Failure(expected, skipped=True)
    assert outcomes[sound.fingerprint].failure is None
    assert len(outcomes) == 7
    assert list(folder.iterdir()) == []


def test_a_stage_that_exits_is_a_failure(pool: Pool, tmp_path: Path) -> None:
    """A library that calls exit does not end the worker, still less the study."""
    goal = Raised(exits=True)

    outcomes = carry_out(Plan.reaching([goal]), str(tmp_path), pool, NoObserver())

    failure = outcomes[goal.fingerprint].failure
    assert failure is not None
    assert failure.cause == "SystemExit: 3"


def test_an_exclusive_stage_runs_while_no_other_does(pool: Pool, tmp_path: Path) -> None:
    """Such a stage measures time, so it waits until nothing else can run."""
    alone = [SleptAlone(0.05, name) for name in "ab"]
    goals = [*alone, *(Slept(0.05, name, after=(Drawn(4),)) for name in "cdef")]
    after = Slept(0.05, "g", after=tuple(alone))

    outcomes = carry_out(Plan.reaching([*goals, after]), str(tmp_path), pool, NoObserver())

    spans = [value_of(goal, outcomes, str(tmp_path)).values.tolist() for goal in (*goals, after)]
    for place, (began, ended) in enumerate(spans[:2]):
        others = spans[:place] + spans[place + 1 :]
        assert all(end <= began or start >= ended for start, end in others)
    assert min(began for began, _ in spans[:2]) >= max(ended for _, ended in spans[2:6])


def test_what_is_not_in_the_plan_is_read_from_the_store(pool: Pool, tmp_path: Path) -> None:
    """A second study does only what the first has not done."""
    goal = diamond(seed=20 + KINDS.index(_kind(pool)))
    carry_out(Plan.reaching([goal.left]), str(tmp_path), Alone(), NoObserver())
    plan = Plan.reaching([goal], done=ArtifactStore(str(tmp_path)).has)

    outcomes = carry_out(plan, str(tmp_path), pool, NoObserver())

    assert plan.stages == (goal.right, goal)
    assert outcomes.keys() == {goal.right.fingerprint, goal.fingerprint}
    assert np.array_equal(value_of(goal, outcomes, str(tmp_path)).values, _expected(goal))


def test_a_damaged_artifact_is_computed_again(pool: Pool, tmp_path: Path) -> None:
    """A file that fails its check counts as absent, also when the plan relied on it."""
    goal, url = diamond(seed=30 + KINDS.index(_kind(pool))), str(tmp_path)
    with closing(ProcessPool(1)) as other:  # so that this process does not remember
        carry_out(Plan.reaching([goal.left, goal.right]), url, other, NoObserver())
    damaged = list(Path(url, "artifacts").glob("*/*/*"))
    for file in damaged:
        file.write_bytes(file.read_bytes()[:-9] + b"x" * 9)

    outcomes = carry_out(Plan((goal,)), url, pool, NoObserver())

    assert len(damaged) == 3
    assert np.array_equal(value_of(goal, outcomes, url).values, _expected(goal))


@pytest.mark.parametrize("given", [b"", b"no artifact", b"\x08\0\0\0\0\0\0\0{}      "])
def test_an_input_damaged_on_its_way_is_computed_again(
    given: bytes, pool: Pool, tmp_path: Path
) -> None:
    """What cannot be decoded counts as absent, then the store does, then it is made."""
    source = Drawn(seed=100 * (1 + KINDS.index(_kind(pool))) + len(given))
    goal = Powered(source, 2)

    pool.start(Task(goal, str(tmp_path), {source.fingerprint: given}))
    (outcome,) = _awaited(pool)

    found = value_of(goal, {goal.fingerprint: outcome}, str(tmp_path)).values
    assert np.array_equal(found, _expected(goal))
    assert ArtifactStore(str(tmp_path)).load(source) is not None


def test_what_a_stage_reads_cannot_be_overwritten(pool: Pool, tmp_path: Path) -> None:
    """Stages share what they read."""
    goal = Overwritten(Drawn(6))

    outcomes = carry_out(Plan.reaching([goal]), str(tmp_path), pool, NoObserver())

    assert value_of(goal, outcomes, str(tmp_path)).values.tolist() == [0.0]


@pytest.mark.parametrize("goal", [Threads(), ThreadsAlone()])
def test_a_stage_computes_on_one_thread(goal: Threads, pool: Pool, tmp_path: Path) -> None:
    """Numbers and timings do not depend on how many cores a machine has."""
    outcomes = carry_out(Plan.reaching([goal]), str(tmp_path), pool, NoObserver())

    threads = value_of(goal, outcomes, str(tmp_path)).values
    assert len(threads) > 2
    assert set(threads.tolist()) == {1.0}


def test_an_outcome_says_where_when_and_at_what_cost(pool: Pool, tmp_path: Path) -> None:
    """The report on the use of workers is made from this."""
    goal = Drawn(7)

    outcomes = carry_out(Plan.reaching([goal]), str(tmp_path), pool, NoObserver())

    outcome = outcomes[goal.fingerprint]
    host, _, process = outcome.worker.rpartition(":")
    assert host
    assert int(process) > 1
    assert outcome.started > 1.7e9
    assert outcome.cost.seconds > 0
    assert outcome.cost.counts == {"numbers": 1600}


def test_a_listener_hears_of_each_stage_once(pool: Pool, tmp_path: Path) -> None:
    """What cannot run is finished, but never started."""
    heard = _Heard()
    goal, failed = diamond(seed=8), Slept(0.0, after=(Raised(),))
    plan = Plan.reaching([goal, failed])

    outcomes = carry_out(plan, str(tmp_path), pool, heard)

    run = [stage.fingerprint for stage in plan.stages if stage is not failed]
    assert sorted(heard.started) == sorted(run)
    assert heard.finished.keys() == outcomes.keys()
    assert outcomes.keys() == {stage.fingerprint for stage in plan.stages}


def test_more_stages_than_slots_all_finish(pool: Pool, tmp_path: Path) -> None:
    """A pool has few slots, a plan has many stages."""
    goals = [Drawn(seed, side=2) for seed in range(1000, 1060)]

    outcomes = carry_out(Plan.reaching(goals), str(tmp_path), pool, NoObserver())

    assert sum(outcome.failure is None for outcome in outcomes.values()) == 60


def test_after_the_deadline_nothing_is_started(pool: Pool, tmp_path: Path) -> None:
    goal = diamond(seed=9)

    outcomes = carry_out(
        Plan.reaching([goal]), str(tmp_path), pool, NoObserver(), deadline=time.monotonic()
    )

    assert outcomes == {}


@pytest.mark.parametrize("kind", ["processes", "ray"])
def test_what_runs_at_the_deadline_is_stopped_and_has_no_outcome(
    kind: str, tmp_path: Path
) -> None:
    """What had finished by then is kept."""
    first = Drawn(11)
    goal = Slept(900.0, after=(first,))

    with closing(_started(kind)) as pool:
        ready = Drawn(12)
        carry_out(Plan.reaching([ready]), str(tmp_path), pool, NoObserver())
        outcomes = carry_out(
            Plan.reaching([goal]),
            str(tmp_path),
            pool,
            NoObserver(),
            deadline=time.monotonic() + 5,
        )

    assert outcomes.keys() == {first.fingerprint}


class _Heard(NoObserver):
    def __init__(self) -> None:
        self.started: list[Fingerprint] = []
        self.finished: dict[Fingerprint, Outcome] = {}

    def stage_started(self, stage: Stage[Any], worker: str) -> None:
        self.started.append(stage.fingerprint)

    def stage_finished(self, stage: Stage[Any], outcome: Outcome) -> None:
        assert stage.fingerprint not in self.finished
        self.finished[stage.fingerprint] = outcome


def _expected(goal: Stage[Numbers]) -> Array:
    with threadpool_limits(1):
        if isinstance(goal, Joined):
            return np.asarray(_expected(goal.left) @ _expected(goal.right))
        if isinstance(goal, Powered):
            return np.linalg.matrix_power(_expected(goal.source), goal.exponent)
        assert isinstance(goal, Drawn)
        return np.random.default_rng(goal.seed).normal(size=(goal.side, goal.side))


def _kind(pool: Pool) -> str:
    kinds: dict[type, str] = {Alone: "alone", ProcessPool: "processes", RayPool: "ray"}
    return kinds[type(pool)]


def _all_short() -> dict[str, float]:
    return {stage.kind: 0.001 for stage in (Drawn, Powered, Joined, Raised, Slept)}


def _awaited(pool: Pool) -> list[Outcome]:
    while not (outcomes := pool.finished(1.0)):
        pass
    return outcomes
